// decode_memory.c -- loads, stores, atomics, addresses.
#include "decode.h"

#include "exec_mem.h"
#include "exec_warp.h"

// Hints and scopes, which change nothing here: memory is consistent, caches are not there.
static void
take_hints(Decoder *d)
{
    static const char *const hints[] = {"nc", "ca",  "cg",  "cs",  "lu",      "cv",      "wb",
                                        "wt", "cta", "gpu", "sys", "cluster", "unified", NULL};
    take_prefixed(d, "L1::");
    take_prefixed(d, "L2::");
    take_prefixed(d, "level::");
    while (take_one_of(d, hints) >= 0)
        ;
}

static uint8_t
take_order(Decoder *d)
{
    uint8_t flags = 0;
    if (take(d, "volatile") || take(d, "relaxed") || take(d, "mmio"))
        flags |= MEMORY_STRONG;
    if (take(d, "acquire"))
        flags |= MEMORY_STRONG | MEMORY_ACQUIRE;
    if (take(d, "release"))
        flags |= MEMORY_STRONG | MEMORY_RELEASE;
    if (take(d, "acq_rel"))
        flags |= MEMORY_STRONG | MEMORY_ACQUIRE | MEMORY_RELEASE;
    take(d, "weak");
    return flags;
}

static unsigned
take_vector(Decoder *d)
{
    static const char *const vectors[] = {"v2", "v4", "v8", NULL};
    int vector = take_one_of(d, vectors);
    return vector < 0 ? 1 : 2u << vector;
}

// What takes space, order, vector and type of an access.
static bool
take_access(Decoder *d, PtxType *type)
{
    Inst *in = &d->in;
    in->space = (uint8_t)take_space(d);
    in->flags = take_order(d);
    take_hints(d);
    in->vector = (uint8_t)take_vector(d);
    if (!take_type(d, type))
        return false;
    in->type = (uint8_t)*type;
    if (*type == TYPE_PRED || *type == TYPE_B128 || ptx_types[*type].bytes * in->vector > 32)
        return decode_error(d, "is not there for this type");
    return true;
}

static bool
decode_ld(Decoder *d)
{
    PtxType type;
    Inst *in = &d->in;
    bool is_uniform = d->statement->name.size > 2 && d->statement->name.data[2] == 'u';
    if (!take_access(d, &type) || !expect_operands(d, 2, 3))
        return false;
    (void)is_uniform;
    bool ok = in->vector > 1
                  ? result_list(d, d->written[0], type, true, in->vector, &in->operand[0])
                  : result(d, d->written[0], type, true, &in->operand[0]);
    return ok && address(d, d->written[1], &in->operand[1]) &&
           emit(d, in->space == SPACE_PARAM ? ptx_load_param : ptx_load);
}

static bool
decode_st(Decoder *d)
{
    PtxType type;
    Inst *in = &d->in;
    if (take(d, "async"))
        return decode_error(d, "is not supported");
    if (!take_access(d, &type) || !expect_operands(d, 2, 3))
        return false;
    bool ok = in->vector > 1
                  ? source_list(d, d->written[1], type, true, in->vector, &in->operand[1])
                  : source(d, d->written[1], type, true, &in->operand[1]);
    return ok && address(d, d->written[0], &in->operand[0]) && emit(d, ptx_store);
}

static bool
decode_atomic(Decoder *d)
{
    static const char *const ops[] = {"add",  "min", "max", "and", "or", "xor",
                                      "exch", "cas", "inc", "dec", NULL};
    PtxType type;
    Inst *in = &d->in;
    bool is_red = d->statement->name.data[0] == 'r';
    int op = take_one_of(d, ops);
    take(d, "noftz");
    if (op < 0)
        return decode_error(d, "does not say what it does");
    if (take(d, "async"))
        return decode_error(d, "is not supported");
    if (!take_access(d, &type))
        return false;
    bool is_float = ptx_types[type].class == CLASS_FLOAT;
    if (ptx_types[type].bytes < 2 || (is_float && op > ATOMIC_MAX) ||
        (is_float && op != ATOMIC_ADD && (type == TYPE_F32 || type == TYPE_F64)))
        return decode_error(d, "is not there for this type");
    unsigned first = !is_red, count = first + 2 + (op == ATOMIC_CAS);
    if (!expect_operands(d, count, count + 1))
        return false;
    in->variant = (uint8_t)op;
    in->num_operands = (uint8_t)count;
    if (first) {
        bool ok = in->vector > 1
                      ? result_list(d, d->written[0], type, false, in->vector, &in->operand[0])
                      : result(d, d->written[0], type, false, &in->operand[0]);
        if (!ok)
            return false;
    }
    bool ok = in->vector > 1
                  ? source_list(d, d->written[first + 1], type, false, in->vector, &in->operand[2])
                  : source(d, d->written[first + 1], type, false, &in->operand[2]);
    return ok && address(d, d->written[first], &in->operand[1]) &&
           (op != ATOMIC_CAS || source(d, d->written[first + 2], type, false, &in->operand[3])) &&
           emit(d, ptx_atomic);
}

// cvta.to.global.u64 d, a; cvta.shared.u64 d, a.
static bool
decode_cvta(Decoder *d)
{
    PtxType type;
    Inst *in = &d->in;
    in->variant = take(d, "to");
    in->space = (uint8_t)take_space(d);
    return take_type(d, &type) && expect_operands(d, 2, 2) &&
           result(d, d->written[0], type, false, &in->operand[0]) &&
           source(d, d->written[1], type, false, &in->operand[1]) && emit(d, ptx_cvta);
}

static bool
decode_isspacep(Decoder *d)
{
    Inst *in = &d->in;
    in->space = (uint8_t)take_space(d);
    return expect_operands(d, 2, 2) && pred_result(d, d->written[0], &in->operand[0]) &&
           source(d, d->written[1], TYPE_B64, false, &in->operand[1]) && emit(d, ptx_is_space);
}

static bool
decode_mapa(Decoder *d)
{
    PtxType type;
    Inst *in = &d->in;
    in->space = (uint8_t)take_space(d);
    return take_type(d, &type) && expect_operands(d, 3, 3) &&
           result(d, d->written[0], type, false, &in->operand[0]) &&
           source(d, d->written[1], type, false, &in->operand[1]) &&
           source(d, d->written[2], TYPE_U32, false, &in->operand[2]) && emit(d, ptx_map_address);
}

// prefetch, discard, applypriority, createpolicy: hints all of them.
static bool
decode_hint(Decoder *d)
{
    for (unsigned i = 0; i < d->num_modifiers; i++)
        d->used[i] = true;
    if (strncmp(d->statement->name.data, "createpolicy", 12) == 0) {
        PtxOperand zero = {.kind = PTX_INT};
        d->in.type = TYPE_B64;
        return expect_operands(d, 1, 4) &&
               result(d, d->written[0], TYPE_B64, false, &d->in.operand[0]) &&
               source(d, &zero, TYPE_B64, false, &d->in.operand[1]) && emit(d, ptx_clock_register);
    }
    return emit(d, ptx_nothing);
}

const Opcode ptx_memory_opcodes[] = {
    {"ld", decode_ld},
    {"ldu", decode_ld},
    {"st", decode_st},
    {"atom", decode_atomic},
    {"red", decode_atomic},
    {"cvta", decode_cvta},
    {"isspacep", decode_isspacep},
    {"mapa", decode_mapa},
    {"prefetch", decode_hint},
    {"prefetchu", decode_hint},
    {"discard", decode_hint},
    {"applypriority", decode_hint},
    {"createpolicy", decode_hint},
    {NULL, NULL},
};
