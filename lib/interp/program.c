// program.c -- bodies of structured ops, compiled to instructions on registers.
//
// A reference interpreter that takes a datum for each scalar needs minutes for a small network;
// this needs seconds, and the same numbers come out: every float operation is done in double and
// rounded once to its type, which for up to 24 bits of precision is the operation itself, and for
// f64 needs no rounding. Bodies with other ops or types run their `eval` slots.
#include "program.h"

#include <math.h>

#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

enum {
    CODE_ADDF,
    CODE_SUBF,
    CODE_MULF,
    CODE_DIVF,
    CODE_NEGF,
    CODE_FMA,
    CODE_UNARY,
    CODE_BINARY,
    CODE_CMPF,
    CODE_SELECT,
    CODE_ROUND, // extf, truncf
    CODE_SITOFP,
    CODE_UITOFP,
    CODE_ADDI,
    CODE_SUBI,
    CODE_MULI,
    CODE_ANDI,
    CODE_ORI,
    CODE_XORI,
    CODE_MAXSI,
    CODE_MINSI,
    CODE_MAXUI,
    CODE_MINUI,
    CODE_CMPI,
    CODE_CUT, // extsi, trunci, index_cast: to the result's width
    CODE_EXTUI,
    CODE_INDEX,
};

// --- elements

bool
element_of(MlcType type, Element *element)
{
    *element = (Element){0};
    if (mlc_type_is_float(type)) {
        element->kind = mlc_float_type_kind(type);
        element->format = element->kind == MLC_FLOAT_F32   ? FORMAT_F32
                          : element->kind == MLC_FLOAT_F64 ? FORMAT_F64
                                                           : FORMAT_SOFT;
        if (element->kind == MLC_FLOAT_F80 || element->kind == MLC_FLOAT_F128)
            return false;
    } else if (mlc_type_is_int_or_index(type) && mlc_type_bit_width(type) <= 64) {
        element->width = mlc_type_bit_width(type);
    } else {
        return false;
    }
    element->num_bytes = (unsigned)mlc_elements_attr_element_bytes(type);
    return true;
}

static int64_t
sign_extend(uint64_t bits, unsigned width)
{
    unsigned unused = width ? 64 - width : 63; // bits is 0 where it has none
    return (int64_t)(bits << unused) >> unused;
}

void
element_load(const Element *element, const void *at, Register *r)
{
    uint64_t bits = 0;
    float narrow;
    switch (element->format) {
    case FORMAT_F32:
        memcpy(&narrow, at, sizeof narrow);
        r->f = (double)narrow;
        return;
    case FORMAT_F64:
        memcpy(&r->f, at, sizeof r->f);
        return;
    case FORMAT_SOFT:
        memcpy(&bits, at, element->num_bytes);
        r->f = mlc_float_to_double(mlc_float_from_bits(element->kind, bits, 0));
        return;
    case FORMAT_INT:
        memcpy(&bits, at, element->num_bytes);
        r->i = sign_extend(bits, element->width);
        return;
    }
}

void
element_store(const Element *element, void *at, const Register *r)
{
    float narrow;
    uint64_t bits;
    switch (element->format) {
    case FORMAT_F32:
        narrow = (float)r->f;
        memcpy(at, &narrow, sizeof narrow);
        return;
    case FORMAT_F64:
        memcpy(at, &r->f, sizeof r->f);
        return;
    case FORMAT_SOFT:
        bits = mlc_float_from_double(element->kind, r->f).lo;
        memcpy(at, &bits, element->num_bytes);
        return;
    case FORMAT_INT:
        bits = (uint64_t)r->i;
        if (element->width < 64)
            bits &= (UINT64_C(1) << element->width) - 1;
        memcpy(at, &bits, element->num_bytes);
        return;
    }
}

static double
round_to(const Element *element, double value)
{
    switch (element->format) {
    case FORMAT_F32:
        return (double)(float)value;
    case FORMAT_SOFT:
        return mlc_float_to_double(mlc_float_from_double(element->kind, value));
    default:
        return value;
    }
}

// --- compiling

static double
rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

typedef struct Known {
    const char *name;
    uint16_t code;
    double (*unary)(double);
    double (*binary)(double, double);
} Known;

static const Known known_ops[] = {
    {"arith.addf", CODE_ADDF, NULL, NULL},
    {"arith.subf", CODE_SUBF, NULL, NULL},
    {"arith.mulf", CODE_MULF, NULL, NULL},
    {"arith.divf", CODE_DIVF, NULL, NULL},
    {"arith.negf", CODE_NEGF, NULL, NULL},
    {"arith.maximumf", CODE_BINARY, NULL, mlc_eval_maximum},
    {"arith.minimumf", CODE_BINARY, NULL, mlc_eval_minimum},
    {"arith.maxnumf", CODE_BINARY, NULL, fmax},
    {"arith.minnumf", CODE_BINARY, NULL, fmin},
    {"arith.remf", CODE_BINARY, NULL, fmod},
    {"arith.cmpf", CODE_CMPF, NULL, NULL},
    {"arith.select", CODE_SELECT, NULL, NULL},
    {"arith.extf", CODE_ROUND, NULL, NULL},
    {"arith.truncf", CODE_ROUND, NULL, NULL},
    {"arith.sitofp", CODE_SITOFP, NULL, NULL},
    {"arith.uitofp", CODE_UITOFP, NULL, NULL},
    {"arith.addi", CODE_ADDI, NULL, NULL},
    {"arith.subi", CODE_SUBI, NULL, NULL},
    {"arith.muli", CODE_MULI, NULL, NULL},
    {"arith.andi", CODE_ANDI, NULL, NULL},
    {"arith.ori", CODE_ORI, NULL, NULL},
    {"arith.xori", CODE_XORI, NULL, NULL},
    {"arith.maxsi", CODE_MAXSI, NULL, NULL},
    {"arith.minsi", CODE_MINSI, NULL, NULL},
    {"arith.maxui", CODE_MAXUI, NULL, NULL},
    {"arith.minui", CODE_MINUI, NULL, NULL},
    {"arith.cmpi", CODE_CMPI, NULL, NULL},
    {"arith.extsi", CODE_CUT, NULL, NULL},
    {"arith.trunci", CODE_CUT, NULL, NULL},
    {"arith.index_cast", CODE_CUT, NULL, NULL},
    {"arith.extui", CODE_EXTUI, NULL, NULL},
    {"linalg.index", CODE_INDEX, NULL, NULL},
    {"math.absf", CODE_UNARY, fabs, NULL},
    {"math.ceil", CODE_UNARY, ceil, NULL},
    {"math.cos", CODE_UNARY, cos, NULL},
    {"math.erf", CODE_UNARY, erf, NULL},
    {"math.exp", CODE_UNARY, exp, NULL},
    {"math.exp2", CODE_UNARY, exp2, NULL},
    {"math.floor", CODE_UNARY, floor, NULL},
    {"math.log", CODE_UNARY, log, NULL},
    {"math.log1p", CODE_UNARY, log1p, NULL},
    {"math.log2", CODE_UNARY, log2, NULL},
    {"math.round", CODE_UNARY, round, NULL},
    {"math.roundeven", CODE_UNARY, roundeven, NULL},
    {"math.rsqrt", CODE_UNARY, rsqrt, NULL},
    {"math.sin", CODE_UNARY, sin, NULL},
    {"math.sqrt", CODE_UNARY, sqrt, NULL},
    {"math.tanh", CODE_UNARY, tanh, NULL},
    {"math.powf", CODE_BINARY, NULL, pow},
    {"math.fma", CODE_FMA, NULL, NULL},
};

static const Known *
find_known(MlcStr name)
{
    for (size_t i = 0; i < sizeof known_ops / sizeof *known_ops; i++)
        if (mlc_str_equal(name, mlc_str(known_ops[i].name)))
            return &known_ops[i];
    return NULL;
}

typedef struct Compiler {
    MlcEval *e;
    MlcBlock *body;
    Program *program;
    MlcMap registers; // value -> register
} Compiler;

static uint16_t
new_register(Compiler *c, MlcValue *value)
{
    uint16_t number = (uint16_t)c->program->registers.size;
    mlc_vec_push(&c->program->registers, (Register){0});
    mlc_map_set_u64(&c->registers, (uint64_t)(uintptr_t)value, number);
    return number;
}

static bool
set_register(Compiler *c, uint16_t number, const MlcDatum *d)
{
    Element element;
    if (!element_of(d->type, &element))
        return false;
    unsigned char bytes[16] = {0};
    mlc_datum_write(bytes, d);
    element_load(&element, bytes, &c->program->registers.data[number]);
    return true;
}

// The register of an operand; a value from outside the body is a constant while it runs.
static bool
register_of(Compiler *c, MlcValue *value, uint16_t *number)
{
    uint64_t found;
    if (mlc_map_get_u64(&c->registers, (uint64_t)(uintptr_t)value, &found)) {
        *number = (uint16_t)found;
        return true;
    }
    const MlcDatum *d = mlc_eval_lookup(c->e, value);
    if (!d || mlc_value_parent_block(value) == c->body)
        return false;
    *number = new_register(c, value);
    return set_register(c, *number, d);
}

static bool
compile_constant(Compiler *c, MlcOp *op)
{
    MlcDatum d;
    return mlc_datum_from_attr(c->e, mlc_op_constant(op), &d) &&
           set_register(c, new_register(c, mlc_op_result(op, 0)), &d);
}

static bool
rounds_oddly(MlcOp *op)
{
    MlcAttr mode = mlc_op_attr(op, "roundingmode");
    return mode && mlc_enum_attr_value(mode) != 0;
}

static bool
compile_op(Compiler *c, MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE))
        return mlc_op_constant(op) && compile_constant(c, op);
    const Known *known = find_known(mlc_op_name(op));
    if (!known || mlc_op_num_results(op) != 1 || rounds_oddly(op))
        return false;
    Instr instr = {.code = known->code};
    uint16_t operands[3] = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op) && i < 3; i++)
        if (!register_of(c, mlc_op_operand(op, i), &operands[i]))
            return false;
    instr.a = operands[0], instr.b = operands[1], instr.c = operands[2];
    bool is_of_operand =
        instr.code == CODE_CMPI || instr.code == CODE_UITOFP || instr.code == CODE_EXTUI;
    Element result;
    if (!element_of(mlc_value_type(mlc_op_result(op, 0)), &result))
        return false;
    instr.element = result;
    if (is_of_operand && !element_of(mlc_value_type(mlc_op_operand(op, 0)), &instr.element))
        return false;
    if (known->unary)
        instr.unary = known->unary;
    else if (known->binary)
        instr.binary = known->binary;
    else if (instr.code == CODE_CMPF || instr.code == CODE_CMPI)
        instr.number = mlc_enum_attr_value(mlc_op_attr(op, "predicate"));
    else if (instr.code == CODE_INDEX)
        instr.number = mlc_attr_as_int(mlc_op_attr(op, "dim"));
    instr.dst = new_register(c, mlc_op_result(op, 0));
    mlc_vec_push(&c->program->instrs, instr);
    // From integers to a narrow float: the value is rounded to double first, which is exact up to
    // 53 bits.
    if (instr.code == CODE_UITOFP) {
        Instr round = {.code = CODE_ROUND, .dst = instr.dst, .a = instr.dst, .element = result};
        mlc_vec_push(&c->program->instrs, round);
    }
    return true;
}

bool
program_compile(MlcEval *e, MlcBlock *body, Program *program)
{
    *program = (Program){0};
    Compiler c = {.e = e, .body = body, .program = program};
    bool ok = true;
    Element element;
    for (size_t i = 0; ok && i < mlc_block_num_args(body); i++) {
        new_register(&c, mlc_block_arg(body, i));
        ok = element_of(mlc_value_type(mlc_block_arg(body, i)), &element);
    }
    MlcOp *last = mlc_block_last(body);
    for (MlcOp *op = mlc_block_first(body); ok && op && op != last; op = mlc_op_next(op))
        ok = compile_op(&c, op);
    for (size_t i = 0; ok && i < mlc_op_num_operands(last); i++) {
        uint16_t number = 0;
        ok = register_of(&c, mlc_op_operand(last, i), &number);
        mlc_vec_push(&program->results, number);
    }
    mlc_map_release(&c.registers);
    if (!ok || program->registers.size > UINT16_MAX)
        program_release(program);
    return ok;
}

void
program_release(Program *program)
{
    mlc_vec_release(&program->instrs);
    mlc_vec_release(&program->registers);
    mlc_vec_release(&program->results);
}

bool
program_is_f32_multiply_add(const Program *p)
{
    if (p->instrs.size != 2 || p->results.size != 1)
        return false;
    const Instr *mul = &p->instrs.data[0], *add = &p->instrs.data[1];
    return mul->code == CODE_MULF && add->code == CODE_ADDF && mul->element.format == FORMAT_F32 &&
           add->element.format == FORMAT_F32 && mul->a + mul->b == 1 &&
           add->a + add->b == 2 + mul->dst && (add->a == 2 || add->b == 2) &&
           p->results.data[0] == add->dst;
}

// --- running

static bool
compare_floats(int64_t predicate, double a, double b)
{
    static const uint8_t outcomes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
    int bit = a == b ? 0 : a > b ? 1 : a < b ? 2 : 3;
    return outcomes[predicate & 15] >> bit & 1;
}

static uint64_t
low_bits(int64_t value, unsigned width)
{
    return width == 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << width) - 1);
}

static bool
compare_ints(int64_t predicate, int64_t a, int64_t b)
{
    switch (predicate) {
    case 0:
        return a == b;
    case 1:
        return a != b;
    case 2:
        return a < b;
    case 3:
        return a <= b;
    case 4:
        return a > b;
    case 5:
        return a >= b;
    case 6:
        return (uint64_t)a < (uint64_t)b; // sign extension keeps the order of unsigned numbers
    case 7:
        return (uint64_t)a <= (uint64_t)b;
    case 8:
        return (uint64_t)a > (uint64_t)b;
    default:
        return (uint64_t)a >= (uint64_t)b;
    }
}

static int64_t
integer_op(const Instr *in, int64_t a, int64_t b)
{
    switch (in->code) {
    case CODE_ADDI:
        return sign_extend((uint64_t)a + (uint64_t)b, in->element.width);
    case CODE_SUBI:
        return sign_extend((uint64_t)a - (uint64_t)b, in->element.width);
    case CODE_MULI:
        return sign_extend((uint64_t)a * (uint64_t)b, in->element.width);
    case CODE_ANDI:
        return a & b;
    case CODE_ORI:
        return a | b;
    case CODE_XORI:
        return a ^ b;
    case CODE_MAXSI:
        return a > b ? a : b;
    case CODE_MINSI:
        return a < b ? a : b;
    case CODE_MAXUI:
        return (uint64_t)a > (uint64_t)b ? a : b;
    case CODE_MINUI:
        return (uint64_t)a < (uint64_t)b ? a : b;
    case CODE_CMPI:
        return -(int64_t)compare_ints(in->number, a, b);
    case CODE_EXTUI:
        return (int64_t)low_bits(a, in->element.width);
    default: // CODE_CUT
        return sign_extend((uint64_t)a, in->element.width);
    }
}

void
program_run(Program *program, const int64_t *indices)
{
    Register *r = program->registers.data;
    for (const Instr *in = program->instrs.data, *end = in + program->instrs.size; in < end; in++) {
        const Element *to = &in->element;
        switch (in->code) {
        case CODE_ADDF:
            r[in->dst].f = round_to(to, r[in->a].f + r[in->b].f);
            break;
        case CODE_SUBF:
            r[in->dst].f = round_to(to, r[in->a].f - r[in->b].f);
            break;
        case CODE_MULF:
            r[in->dst].f = round_to(to, r[in->a].f * r[in->b].f);
            break;
        case CODE_DIVF:
            r[in->dst].f = round_to(to, r[in->a].f / r[in->b].f);
            break;
        case CODE_NEGF:
            r[in->dst].f = -r[in->a].f;
            break;
        case CODE_FMA:
            r[in->dst].f =
                to->format == FORMAT_F32
                    ? (double)fmaf((float)r[in->a].f, (float)r[in->b].f, (float)r[in->c].f)
                    : round_to(to, fma(r[in->a].f, r[in->b].f, r[in->c].f));
            break;
        case CODE_UNARY:
            r[in->dst].f = round_to(to, in->unary(r[in->a].f));
            break;
        case CODE_BINARY:
            r[in->dst].f = round_to(to, in->binary(r[in->a].f, r[in->b].f));
            break;
        case CODE_CMPF:
            r[in->dst].i = -(int64_t)compare_floats(in->number, r[in->a].f, r[in->b].f);
            break;
        case CODE_SELECT:
            r[in->dst] = r[in->a].i ? r[in->b] : r[in->c];
            break;
        case CODE_ROUND:
            r[in->dst].f = round_to(to, r[in->a].f);
            break;
        case CODE_SITOFP:
            r[in->dst].f = to->format == FORMAT_F32 ? (double)(float)r[in->a].i
                                                    : round_to(to, (double)r[in->a].i);
            break;
        case CODE_UITOFP:
            r[in->dst].f = (double)low_bits(r[in->a].i, to->width);
            break;
        case CODE_INDEX:
            r[in->dst].i = indices[in->number];
            break;
        default:
            r[in->dst].i = integer_op(in, r[in->a].i, r[in->b].i);
            break;
        }
    }
}
