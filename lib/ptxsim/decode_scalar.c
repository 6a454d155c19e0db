// decode_scalar.c -- arithmetic, comparisons, conversions, moves.
//
// Most instructions are a row: their name with the modifiers that make another function of it, and
// a letter for each operand. t: of the type; T: twice as wide; w: 32 bits; p: a predicate; i: a
// constant.
#include "decode.h"

#include <stdio.h>

#include "exec.h"
#include "exec_float.h"
#include "exec_int.h"
#include "exec_mem.h"
#include "exec_warp.h"
#include "numeric.h"
#include "special.h"

typedef struct Row {
    const char *name, *operands;
} Row;

static const Row rows[] = {
    {"add", "ttt"},          {"sub", "ttt"},         {"mul", "ttt"},
    {"mul.lo", "ttt"},       {"mul.hi", "ttt"},      {"mul.wide", "Ttt"},
    {"mad.lo", "tttt"},      {"mad.hi", "tttt"},     {"mad.wide", "TttT"},
    {"mad", "tttt"},         {"mul24.lo", "ttt"},    {"fma", "tttt"},
    {"div", "ttt"},          {"rem", "ttt"},         {"min", "ttt"},
    {"max", "ttt"},          {"neg", "tt"},          {"abs", "tt"},
    {"and", "ttt"},          {"or", "ttt"},          {"xor", "ttt"},
    {"not", "tt"},           {"cnot", "tt"},         {"shl", "ttw"},
    {"shr", "ttw"},          {"popc", "wt"},         {"clz", "wt"},
    {"bfind", "wt"},         {"brev", "tt"},         {"bfe", "ttww"},
    {"bfi", "tttww"},        {"prmt", "tttt"},       {"shf.l.wrap", "tttt"},
    {"shf.l.clamp", "tttt"}, {"shf.r.wrap", "tttt"}, {"shf.r.clamp", "tttt"},
    {"sad", "tttt"},         {"selp", "tttp"},       {"lop3", "tttti"},
    {"rcp", "tt"},           {"rcp.approx", "tt"},   {"sqrt", "tt"},
    {"sqrt.approx", "tt"},   {"rsqrt.approx", "tt"}, {"ex2.approx", "tt"},
    {"lg2.approx", "tt"},    {"sin.approx", "tt"},   {"cos.approx", "tt"},
    {"tanh.approx", "tt"},   {"div.full", "ttt"},    {"div.approx", "ttt"},
    {"copysign", "ttt"},     {"add.sat", "ttt"},     {"sub.sat", "ttt"},
    {"dp4a.u32", "wwww"},    {"dp4a.s32", "wwww"},
};

static const char *
operands_of(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].operands;
    return NULL;
}

static PtxType
wider(PtxType type)
{
    switch (type) {
    case TYPE_U16:
        return TYPE_U32;
    case TYPE_S16:
        return TYPE_S32;
    case TYPE_U32:
        return TYPE_U64;
    default:
        return TYPE_S64;
    }
}

static bool
decode_operands(Decoder *d, const char *letters, PtxType type)
{
    unsigned count = (unsigned)strlen(letters);
    if (!expect_operands(d, count, count))
        return false;
    d->in.num_operands = (uint8_t)count;
    for (unsigned i = 0; i < count; i++) {
        Operand *o = &d->in.operand[i];
        PtxType of = letters[i] == 'T'   ? wider(type)
                     : letters[i] == 'w' ? TYPE_B32
                     : letters[i] == 'p' ? TYPE_PRED
                                         : type;
        bool ok = letters[i] == 'i' ? constant(d, d->written[i], &o->imm)
                  : i == 0          ? result(d, d->written[i], of, false, o)
                                    : source(d, d->written[i], of, false, o);
        if (!ok)
            return false;
    }
    return true;
}

static void
take_float_flags(Decoder *d, uint8_t *flags)
{
    static const struct {
        const char *name;
        uint8_t flag;
    } all[] = {{"ftz", FLAG_FTZ}, {"sat", FLAG_SAT}, {"NaN", FLAG_NAN}, {"relu", FLAG_RELU}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (take(d, all[i].name))
            *flags |= all[i].flag;
    if (take(d, "xorsign") && take(d, "abs"))
        *flags |= FLAG_XORSIGN;
}

static bool
decode_float(Decoder *d, const char *name, PtxType type)
{
    static const char *const roundings[] = {"rn", "rz", "rm", "rp", NULL};
    int rounding = take_one_of(d, roundings);
    take_float_flags(d, &d->in.flags);
    ExecFn fn = ptx_float_function(mlc_str(name), type);
    if (!fn)
        return decode_error(d, "is not there for this type");
    if (rounding > 0 && type != TYPE_F32 && type != TYPE_F64)
        return decode_error(d, "rounds halves to nearest only");
    d->in.counts |= COUNT_FLOAT;
    d->in.variant = rounding > 0 ? (uint8_t)rounding : ROUND_RN;
    d->in.inner = fn;
    return emit(d, rounding > 0 ? ptx_rounded : fn);
}

// "mul.wide" of mul and wide; ints may saturate as another function.
static void
full_name(Decoder *d, char *name, size_t size)
{
    static const char *const parts[] = {"lo",   "hi",    "wide",   "l",    "r",
                                        "wrap", "clamp", "approx", "full", NULL};
    const char *opcode = d->statement->name.data;
    size_t stem = strcspn(opcode, ".");
    snprintf(name, size, "%.*s", (int)stem, opcode);
    for (int part; (part = take_one_of(d, parts)) >= 0;) {
        size_t at = strlen(name);
        snprintf(name + at, size - at, ".%s", parts[part]);
    }
}

static bool
decode_arithmetic(Decoder *d)
{
    char name[48];
    PtxType type;
    full_name(d, name, sizeof name);
    if (!take_type(d, &type))
        return false;
    bool is_float = ptx_types[type].class == CLASS_FLOAT;
    if (strcmp(name, "dp4a") == 0) {
        snprintf(name, sizeof name, "dp4a.%s", ptx_types[type].name);
        if (!take_type(d, &type))
            return false;
    }
    if (strcmp(name, "selp") != 0 && is_float) {
        d->in.type = (uint8_t)type;
        const char *operands = operands_of(name);
        return operands ? decode_operands(d, operands, type) && decode_float(d, name, type)
                        : decode_error(d, "is not there for this type");
    }
    if (take(d, "sat"))
        strcat(name, ".sat");
    if (strcmp(name, "bfind") == 0 && take(d, "shiftamt"))
        return decode_error(d, "is not known with '.shiftamt'");
    ExecFn fn = ptx_int_function(mlc_str(name), type);
    const char *operands = operands_of(name);
    d->in.type = (uint8_t)type;
    if (!fn || !operands)
        return decode_error(d, "is not there for this type");
    if (!decode_operands(d, operands, type))
        return false;
    if (strcmp(name, "selp") == 0) { // what is chosen is known when it runs
        mlc_vec_clear(&d->uses);
        mlc_vec_push(&d->uses, d->in.operand[3].reg);
    }
    return emit(d, fn);
}

// add.cc, addc, sub.cc, subc.
static bool
decode_add(Decoder *d)
{
    const char *opcode = d->statement->name.data;
    bool carries = strncmp(opcode, "addc", 4) == 0 || strncmp(opcode, "subc", 4) == 0;
    bool leaves = take(d, "cc");
    if (!carries && !leaves)
        return decode_arithmetic(d);
    PtxType type;
    if (!take_type(d, &type) || !decode_operands(d, "ttt", type))
        return false;
    d->in.type = (uint8_t)type;
    d->in.flags = (uint8_t)(carries | leaves << 1 | (opcode[0] == 's') << 2);
    ExecFn fn = ptx_int_function(mlc_str("carry"), type);
    return fn ? emit(d, fn) : decode_error(d, "is not there for this type");
}

static bool
decode_testp(Decoder *d)
{
    static const char *const what[] = {"finite", "infinite",  "number", "notanumber",
                                       "normal", "subnormal", NULL};
    int kind = take_one_of(d, what);
    PtxType type;
    if (kind < 0)
        return decode_error(d, "does not say what it asks");
    if (!take_type(d, &type) || !expect_operands(d, 2, 2) ||
        !pred_result(d, d->written[0], &d->in.operand[0]) ||
        !source(d, d->written[1], type, false, &d->in.operand[1]))
        return false;
    d->in.variant = (uint8_t)kind;
    d->in.from = (uint8_t)type;
    ExecFn fn = ptx_float_function(mlc_str("testp"), type);
    return fn ? emit(d, fn) : decode_error(d, "is not there for this type");
}

// --- comparisons

static bool
take_comparison(Decoder *d, PtxType type, uint8_t *how)
{
    static const char *const names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                        "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
                                        "lo",  "ls",  "hi",  "hs",  NULL};
    static const uint8_t values[] = {
        COMPARE_EQ,  COMPARE_NE,  COMPARE_LT,  COMPARE_LE,  COMPARE_GT,  COMPARE_GE,
        COMPARE_EQU, COMPARE_NEU, COMPARE_LTU, COMPARE_LEU, COMPARE_GTU, COMPARE_GEU,
        COMPARE_NUM, COMPARE_NAN, COMPARE_LT,  COMPARE_LE,  COMPARE_GT,  COMPARE_GE};
    int found = take_one_of(d, names);
    bool is_float = ptx_types[type].class == CLASS_FLOAT;
    if (found < 0 || (found >= 6 && found < 14) > is_float || (found >= 14 && is_float))
        return decode_error(d, "does not say how it compares");
    *how = values[found];
    return true;
}

// setp.cmp{.op}.type p{|q}, a, b{, c}.
static bool
decode_setp(Decoder *d)
{
    static const char *const combinations[] = {"and", "or", "xor", NULL};
    PtxType type;
    Inst *in = &d->in;
    if (!take_type(d, &type) || !take_comparison(d, type, &in->variant))
        return false;
    in->flags = (uint8_t)(1 + take_one_of(d, combinations));
    in->from = in->type = (uint8_t)type;
    bool is_float = ptx_types[type].class == CLASS_FLOAT;
    if (is_float && take(d, "ftz"))
        in->shape = FLAG_FTZ;
    if (!expect_operands(d, in->flags ? 4 : 3, in->flags ? 4 : 3))
        return false;
    PtxOperand *to = d->written[0], *second = NULL;
    if (to->kind == PTX_PAIR) {
        second = to->first->next;
        to = to->first;
    }
    if (!pred_result(d, to, &in->operand[0]) || !pred_result(d, second, &in->operand[1]) ||
        !source(d, d->written[1], type, false, &in->operand[2]) ||
        !source(d, d->written[2], type, false, &in->operand[3]))
        return false;
    if (in->flags && !pred_source(d, d->written[3], &in->operand[4]))
        return false;
    ExecFn fn = is_float ? ptx_setp_float(type) : ptx_setp_int(type);
    in->counts |= is_float ? COUNT_FLOAT : 0;
    return fn && type != TYPE_F16X2 && type != TYPE_BF16X2
               ? emit(d, fn)
               : decode_error(d, "is not there for this type");
}

// --- conversions

static bool
take_conversion(Decoder *d, bool to_int, bool from_float)
{
    static const char *const roundings[] = {"rn", "rz", "rm", "rp", "rna", NULL},
                             *const integral[] = {"rni", "rzi", "rmi", "rpi", NULL};
    int rounding = take_one_of(d, roundings), whole = take_one_of(d, integral);
    Inst *in = &d->in;
    take_float_flags(d, &in->flags);
    if (take(d, "satfinite"))
        in->shape |= SATURATE_FINITE;
    if (whole >= 0 && !to_int)
        in->shape |= TO_INTEGRAL;
    in->variant = whole >= 0 ? (uint8_t)whole : rounding >= 0 ? (uint8_t)rounding : ROUND_RN;
    if (to_int && from_float && whole < 0)
        return decode_error(d, "needs a rounding: '.rni' or another");
    return true;
}

static bool
is_pair(PtxType type)
{
    return type == TYPE_F16X2 || type == TYPE_BF16X2 || type == TYPE_E4M3X2 || type == TYPE_E5M2X2;
}

static bool
decode_cvt(Decoder *d)
{
    PtxType to, from;
    if (take(d, "pack"))
        return decode_error(d, "is not supported");
    if (!take_type(d, &to) || !take_type(d, &from))
        return false;
    bool to_float = ptx_types[to].class == CLASS_FLOAT,
         from_float = ptx_types[from].class == CLASS_FLOAT;
    if (!take_conversion(d, !to_float, from_float))
        return false;
    bool two = is_pair(to) && from == TYPE_F32, repack = is_pair(to) && is_pair(from);
    if (!expect_operands(d, two ? 3 : 2, two ? 3 : 2))
        return false;
    if (is_pair(to) != is_pair(from) && !two)
        return decode_error(d, "is not there between these types");
    d->in.type = (uint8_t)to;
    d->in.from = (uint8_t)from;
    if (!result(d, d->written[0], to, true, &d->in.operand[0]) ||
        !source(d, d->written[1], from, true, &d->in.operand[1]) ||
        (two && !source(d, d->written[2], from, true, &d->in.operand[2])))
        return false;
    d->in.num_operands = two ? 3 : 2;
    if (!to_float && !from_float)
        return emit(d, ptx_convert_ints);
    d->in.counts |= COUNT_FLOAT;
    return emit(d, two ? ptx_convert_pair : repack ? ptx_convert_from_pair : ptx_convert);
}

// --- moves

static Step
pack(Warp *w, const Inst *in, uint32_t mask)
{
    const Operand *from = &w->kernel->lists.data[in->operand[1].list];
    unsigned bits = 8 * ptx_types[in->type].bytes / in->operand[1].count;
    FOR_ACTIVE (l, mask) {
        uint64_t value = 0;
        for (unsigned i = 0; i < in->operand[1].count; i++)
            value |= (get_lane(w, &from[i], l) & (UINT64_MAX >> (64 - bits))) << i * bits;
        put_lane(w, &in->operand[0], l, value);
    }
    return STEP_NEXT;
}

static Step
unpack(Warp *w, const Inst *in, uint32_t mask)
{
    const Operand *to = &w->kernel->lists.data[in->operand[0].list];
    unsigned bits = 8 * ptx_types[in->type].bytes / in->operand[0].count;
    FOR_ACTIVE (l, mask) {
        uint64_t value = get_lane(w, &in->operand[1], l);
        for (unsigned i = 0; i < in->operand[0].count; i++)
            put_lane(w, &to[i], l, value >> i * bits & (UINT64_MAX >> (64 - bits)));
    }
    return STEP_NEXT;
}

static PtxType
bits_type(unsigned bytes)
{
    return bytes == 1 ? TYPE_B8 : bytes == 2 ? TYPE_B16 : bytes == 4 ? TYPE_B32 : TYPE_B64;
}

static unsigned
list_size(const PtxOperand *o)
{
    unsigned count = 0;
    for (const PtxOperand *item = o->first; item; item = item->next)
        count++;
    return count;
}

static bool
decode_mov(Decoder *d)
{
    PtxType type;
    Inst *in = &d->in;
    if (!take_type(d, &type) || !expect_operands(d, 2, 2))
        return false;
    PtxOperand *to = d->written[0], *from = d->written[1];
    bool packs = from->kind == PTX_LIST, unpacks = to->kind == PTX_LIST;
    in->type = (uint8_t)type;
    if (packs || unpacks) {
        unsigned count = list_size(packs ? from : to), bytes = ptx_types[type].bytes;
        if ((count != 2 && count != 4) || bytes / count == 0 || bytes > 8)
            return decode_error(d, "packs 2 or 4 registers");
        PtxType part = bits_type(bytes / count);
        in->copies = true;
        return (packs ? result(d, to, type, false, &in->operand[0]) &&
                            source_list(d, from, part, false, count, &in->operand[1])
                      : result_list(d, to, part, false, count, &in->operand[0]) &&
                            source(d, from, type, false, &in->operand[1])) &&
               emit(d, packs ? pack : unpack);
    }
    SpecialKind special;
    unsigned bytes;
    if (from->kind == PTX_NAME && ptx_find_special(from->name, &special, &bytes) &&
        special == SPECIAL_CLOCK)
        return result(d, to, type, false, &in->operand[0]) && emit(d, ptx_clock_register);
    ExecFn fn = ptx_int_function(mlc_str("mov"), type);
    if (!fn)
        return decode_error(d, "is not there for this type");
    in->copies = true;
    return result(d, to, type, false, &in->operand[0]) &&
           source(d, from, type, false, &in->operand[1]) && emit(d, fn);
}

const Opcode ptx_scalar_opcodes[] = {
    {"add", decode_add},
    {"addc", decode_add},
    {"sub", decode_add},
    {"subc", decode_add},
    {"mul", decode_arithmetic},
    {"mul24", decode_arithmetic},
    {"mad", decode_arithmetic},
    {"fma", decode_arithmetic},
    {"div", decode_arithmetic},
    {"rem", decode_arithmetic},
    {"min", decode_arithmetic},
    {"max", decode_arithmetic},
    {"neg", decode_arithmetic},
    {"abs", decode_arithmetic},
    {"and", decode_arithmetic},
    {"or", decode_arithmetic},
    {"xor", decode_arithmetic},
    {"not", decode_arithmetic},
    {"cnot", decode_arithmetic},
    {"shl", decode_arithmetic},
    {"shr", decode_arithmetic},
    {"shf", decode_arithmetic},
    {"popc", decode_arithmetic},
    {"clz", decode_arithmetic},
    {"bfind", decode_arithmetic},
    {"brev", decode_arithmetic},
    {"bfe", decode_arithmetic},
    {"bfi", decode_arithmetic},
    {"prmt", decode_arithmetic},
    {"sad", decode_arithmetic},
    {"selp", decode_arithmetic},
    {"lop3", decode_arithmetic},
    {"dp4a", decode_arithmetic},
    {"rcp", decode_arithmetic},
    {"sqrt", decode_arithmetic},
    {"rsqrt", decode_arithmetic},
    {"ex2", decode_arithmetic},
    {"lg2", decode_arithmetic},
    {"sin", decode_arithmetic},
    {"cos", decode_arithmetic},
    {"tanh", decode_arithmetic},
    {"copysign", decode_arithmetic},
    {"testp", decode_testp},
    {"setp", decode_setp},
    {"cvt", decode_cvt},
    {"mov", decode_mov},
    {NULL, NULL},
};
