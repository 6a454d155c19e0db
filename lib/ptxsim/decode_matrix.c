// decode_matrix.c -- matrix instructions, asynchronous copies, mbarriers.
#include "decode.h"

#include <stdlib.h>

#include "exec_async.h"
#include "exec_matrix.h"
#include "exec_warp.h"

// "m16n8k16" as three numbers.
static bool
take_shape(Decoder *d, unsigned shape[3])
{
    for (unsigned i = 0; i < d->num_modifiers; i++) {
        const char *text = d->modifiers[i].data;
        if (d->used[i] || d->modifiers[i].size < 6 || text[0] != 'm' || text[1] < '0' ||
            text[1] > '9')
            continue;
        char *end;
        shape[0] = (unsigned)strtoul(text + 1, &end, 10);
        shape[1] = *end == 'n' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
        shape[2] = *end == 'k' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
        d->used[i] = true;
        return true;
    }
    return decode_error(d, "names no shape");
}

static unsigned
bits_of(PtxType type)
{
    return type == TYPE_S4 || type == TYPE_U4 ? 4 : 8u * ptx_types[type].bytes;
}

static bool
is_matrix_input(PtxType type)
{
    switch (type) {
    case TYPE_F16:
    case TYPE_BF16:
    case TYPE_TF32:
    case TYPE_E4M3:
    case TYPE_E5M2:
    case TYPE_S8:
    case TYPE_U8:
    case TYPE_S4:
    case TYPE_U4:
    case TYPE_F64:
        return true;
    default:
        return false;
    }
}

static bool
is_integer(PtxType type)
{
    return ptx_types[type].class != CLASS_FLOAT;
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d}, {a}, {b}, {c}
static bool
decode_mma(Decoder *d)
{
    PtxType of_d, of_a, of_b, of_c;
    unsigned shape[3] = {0};
    Inst *in = &d->in;
    take(d, "sync");
    take(d, "aligned");
    take(d, "row");
    take(d, "col");
    take(d, "satfinite");
    if (!take_shape(d, shape) || !take_type(d, &of_d) || !take_type(d, &of_a) ||
        !take_type(d, &of_b) || !take_type(d, &of_c) || !expect_operands(d, 4, 4))
        return false;
    bool is_f64 = of_a == TYPE_F64;
    unsigned m = is_f64 ? 8 : 16, bits = bits_of(of_a), k = shape[2];
    bool right = is_matrix_input(of_a) && is_matrix_input(of_b) && of_c == of_d &&
                 bits == bits_of(of_b) && is_integer(of_a) == is_integer(of_b) &&
                 is_integer(of_d) == is_integer(of_a) && shape[0] == m && shape[1] == 8 &&
                 (is_f64 ? k == 4 && of_d == TYPE_F64
                         : (k * bits == 128 || k * bits == 256) &&
                               (of_d == TYPE_F32 || of_d == TYPE_S32 || of_d == TYPE_F16));
    if (!right)
        return decode_error(d, "is not there for these types and this shape");
    unsigned num_a = is_f64 ? 1 : k * bits / 64, num_b = is_f64 ? 1 : k * bits / 128,
             num_d = is_f64 || of_d == TYPE_F16 ? 2 : 4;
    PtxType word = is_f64 ? TYPE_F64 : TYPE_B32;
    in->type = (uint8_t)of_d;
    in->from = (uint8_t)of_a;
    in->variant = (uint8_t)of_b;
    in->shape = (uint16_t)k;
    return result_list(d, d->written[0], word, false, num_d, &in->operand[0]) &&
           source_list(d, d->written[1], word, false, num_a, &in->operand[1]) &&
           source_list(d, d->written[2], word, false, num_b, &in->operand[2]) &&
           source_list(d, d->written[3], word, false, num_d, &in->operand[3]) && emit(d, ptx_mma);
}

// ldmatrix and stmatrix .sync.aligned.m8n8.x4{.trans}.shared.b16
static bool
decode_move_matrix(Decoder *d)
{
    static const char *const counts[] = {"x1", "x2", "x4", NULL};
    PtxType type;
    Inst *in = &d->in;
    bool loads = d->statement->name.data[0] == 'l';
    take(d, "sync");
    take(d, "aligned");
    int count = take_one_of(d, counts);
    in->flags = take(d, "trans") ? MATRIX_TRANSPOSED : 0;
    take_space(d);
    if (count < 0 || !take(d, "m8n8"))
        return decode_error(d, "names no shape");
    if (!take_type(d, &type) || !expect_operands(d, 2, 2))
        return false;
    unsigned regs = 1u << count;
    if (loads)
        return result_list(d, d->written[0], TYPE_B32, false, regs, &in->operand[0]) &&
               address(d, d->written[1], &in->operand[1]) && emit(d, ptx_load_matrix);
    return source_list(d, d->written[1], TYPE_B32, false, regs, &in->operand[1]) &&
           address(d, d->written[0], &in->operand[0]) && emit(d, ptx_store_matrix);
}

// --- wmma

// The row of ptx_wmma_shapes; false after an error.
static bool
take_wmma_shape(Decoder *d)
{
    unsigned shape[3] = {0};
    if (!take_shape(d, shape))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (shape[0] == ptx_wmma_shapes[i][0] && shape[1] == ptx_wmma_shapes[i][1] &&
            shape[2] == ptx_wmma_shapes[i][2]) {
            d->in.shape = (uint16_t)i;
            return true;
        }
    return decode_error(d, "has no such shape");
}

// Whether the machine has factors, or sums, of the type with the shape.
static bool
is_wmma_type(PtxType type, bool of_sums, unsigned shape)
{
    bool is_short = ptx_wmma_shapes[shape][2] == 8;
    if (of_sums)
        return type == TYPE_F32 || (!is_short && (type == TYPE_F16 || type == TYPE_S32));
    return is_short ? type == TYPE_TF32
                    : type == TYPE_F16 || type == TYPE_BF16 || type == TYPE_S8 || type == TYPE_U8;
}

// wmma.load.a.sync.aligned.row.m16n16k16{.shared}.f16 {registers}, [address], stride;
// wmma.store.d...f32 [address], {registers}, stride;
static bool
decode_wmma_move(Decoder *d, bool loads)
{
    static const char *const fragments[] = {"a", "b", "c", "d", NULL};
    PtxType type;
    Inst *in = &d->in;
    int fragment = take_one_of(d, fragments);
    take(d, "sync");
    take(d, "aligned");
    in->flags = take(d, "col") ? MATRIX_TRANSPOSED : 0;
    take(d, "row");
    if (!take_wmma_shape(d))
        return false;
    in->space = (uint8_t)take_space(d);
    if (!take_type(d, &type) || !expect_operands(d, 2, 3))
        return false;
    in->num_operands = (uint8_t)d->num_written;
    in->variant = (uint8_t)(fragment > WMMA_C ? WMMA_C : fragment);
    in->type = (uint8_t)type;
    if (fragment < 0 || loads == (fragment > WMMA_C) ||
        !is_wmma_type(type, fragment >= WMMA_C, in->shape))
        return decode_error(d, "is not there for these types and this shape");
    unsigned count = ptx_wmma_registers(in->variant, in->shape, type);
    if (d->num_written > 2 && !source(d, d->written[2], TYPE_B32, false, &in->operand[2]))
        return false;
    if (loads)
        return result_list(d, d->written[0], TYPE_B32, false, count, &in->operand[0]) &&
               address(d, d->written[1], &in->operand[1]) && emit(d, ptx_wmma_load);
    return source_list(d, d->written[1], TYPE_B32, false, count, &in->operand[0]) &&
           address(d, d->written[0], &in->operand[1]) && emit(d, ptx_wmma_store);
}

// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {d}, {a}, {b}, {c}: of f16; of others with the
// types of a and b between those of d and c.
static bool
decode_wmma(Decoder *d)
{
    PtxType of_d, of_a = TYPE_F16, of_b = TYPE_F16, of_c;
    Inst *in = &d->in;
    if (take(d, "load"))
        return decode_wmma_move(d, true);
    if (take(d, "store"))
        return decode_wmma_move(d, false);
    take(d, "mma");
    take(d, "sync");
    take(d, "aligned");
    take(d, "row");
    take(d, "row");
    take(d, "col");
    take(d, "col");
    if (!take_wmma_shape(d) || !take_type(d, &of_d) || !take_type(d, &of_c))
        return false;
    bool is_f16 = of_d == TYPE_F16 || of_c == of_d;
    if (!is_f16) {
        of_a = of_c;
        if (!take_type(d, &of_b) || !take_type(d, &of_c))
            return false;
    }
    if (!expect_operands(d, 4, 4))
        return false;
    if (of_a != of_b || of_c != of_d || !is_wmma_type(of_a, false, in->shape) ||
        !is_wmma_type(of_d, true, in->shape) ||
        (ptx_types[of_a].class == CLASS_FLOAT) != (ptx_types[of_d].class == CLASS_FLOAT))
        return decode_error(d, "is not there for these types and this shape");
    in->type = (uint8_t)of_d;
    in->from = (uint8_t)of_a;
    unsigned counts[4] = {ptx_wmma_registers(WMMA_C, in->shape, of_d),
                          ptx_wmma_registers(WMMA_A, in->shape, of_a),
                          ptx_wmma_registers(WMMA_B, in->shape, of_b)};
    return result_list(d, d->written[0], TYPE_B32, false, counts[0], &in->operand[0]) &&
           source_list(d, d->written[1], TYPE_B32, false, counts[1], &in->operand[1]) &&
           source_list(d, d->written[2], TYPE_B32, false, counts[2], &in->operand[2]) &&
           source_list(d, d->written[3], TYPE_B32, false, counts[0], &in->operand[3]) &&
           emit(d, ptx_wmma_mma);
}

// --- wgmma

// The numbers that follow a predicate: what is negated, what is transposed.
static bool
read_scales(Decoder *d, bool in_registers)
{
    uint64_t values[4] = {1, 1, 0, 0};
    for (unsigned i = 4; i < d->num_written && i < 8; i++)
        if (!constant(d, d->written[i], &values[i - 4]))
            return false;
    if (in_registers) { // a is not transposed: the one number is b's
        values[3] = values[2];
        values[2] = 0;
    }
    d->in.flags = (uint8_t)(((int64_t)values[0] == -1) * MATRIX_NEGATE_A |
                            ((int64_t)values[1] == -1) * MATRIX_NEGATE_B);
    d->in.vector = (uint8_t)(1 | !!values[2] << 1 | !!values[3] << 2);
    return true;
}

static bool
decode_wgmma_product(Decoder *d)
{
    PtxType of_d, of_a, of_b;
    unsigned shape[3] = {0};
    Inst *in = &d->in;
    take(d, "satfinite");
    if (!take_shape(d, shape) || !take_type(d, &of_d) || !take_type(d, &of_a) ||
        !take_type(d, &of_b) || !expect_operands(d, 4, 8))
        return false;
    unsigned n = shape[1];
    bool right = is_matrix_input(of_a) && is_matrix_input(of_b) && of_a != TYPE_F64 &&
                 bits_of(of_a) == bits_of(of_b) && bits_of(of_a) >= 8 && shape[0] == 64 && n >= 8 &&
                 n <= 256 && n % 8 == 0 && shape[2] * bits_of(of_a) == 256 &&
                 is_integer(of_d) == is_integer(of_a) &&
                 (of_d == TYPE_F32 || of_d == TYPE_S32 || of_d == TYPE_F16);
    if (!right)
        return decode_error(d, "is not there for these types and this shape");
    bool in_registers = d->written[1]->kind == PTX_LIST;
    in->type = (uint8_t)of_d;
    in->from = (uint8_t)of_a;
    in->variant = (uint8_t)of_b;
    in->shape = (uint16_t)n;
    if (!result_list(d, d->written[0], TYPE_B32, false, of_d == TYPE_F16 ? n / 4 : n / 2,
                     &in->operand[0]))
        return false;
    mlc_vec_clear(&d->defs); // its registers have rules of their own
    bool ok = in_registers ? source_list(d, d->written[1], TYPE_B32, false, 4, &in->operand[1])
                           : source(d, d->written[1], TYPE_B64, false, &in->operand[1]);
    return ok && source(d, d->written[2], TYPE_B64, false, &in->operand[2]) &&
           pred_source(d, d->written[3], &in->operand[3]) && read_scales(d, in_registers) &&
           (bits_of(of_a) == 16 || in->vector == 1 ||
            decode_error(d, "transposes operands of 16 bits only")) &&
           emit(d, ptx_wgmma);
}

static bool
decode_wgmma(Decoder *d)
{
    uint64_t left;
    take(d, "sync");
    take(d, "aligned");
    if (take(d, "mma_async"))
        return decode_wgmma_product(d);
    if (take(d, "fence"))
        return expect_operands(d, 0, 0) && emit(d, ptx_wgmma_fence);
    if (take(d, "commit_group"))
        return expect_operands(d, 0, 0) && emit(d, ptx_wgmma_commit);
    if (!take(d, "wait_group") || !expect_operands(d, 1, 1) || !constant(d, d->written[0], &left))
        return false;
    d->in.operand[0].imm = left;
    return emit(d, ptx_wgmma_wait);
}

static bool
decode_setmaxnreg(Decoder *d)
{
    uint64_t count;
    for (unsigned i = 0; i < d->num_modifiers; i++)
        d->used[i] = true;
    if (!expect_operands(d, 1, 1) || !constant(d, d->written[0], &count))
        return false;
    if (count % 8 || count < 24 || count > 256)
        return decode_error(d, "takes a multiple of 8 from 24 to 256");
    return emit(d, ptx_nothing);
}

// --- copies

static bool
decode_group_wait(Decoder *d, ExecFn exec)
{
    uint64_t left;
    take(d, "read");
    if (!expect_operands(d, 1, 1) || !constant(d, d->written[0], &left))
        return false;
    d->in.operand[0] = (Operand){.kind = OPERAND_CONST, .imm = left};
    return emit(d, exec);
}

static bool
decode_copy_arrive(Decoder *d)
{
    PtxType type;
    take(d, "arrive");
    d->in.flags = take(d, "noinc");
    take_space(d);
    d->entry->uses_mbarriers = true;
    return take_type(d, &type) && expect_operands(d, 1, 1) &&
           address(d, d->written[0], &d->in.operand[0]) && emit(d, ptx_copy_arrive);
}

// cp.async.ca.shared.global [to], [from], 16{, bytes}{, policy}
static bool
decode_copy(Decoder *d)
{
    Inst *in = &d->in;
    uint64_t bytes;
    bool has_policy = take(d, "L2::cache_hint");
    take(d, "ca");
    take(d, "cg");
    take_space(d);
    take_space(d);
    take_prefixed(d, "L2::");
    if (!expect_operands(d, 3, 5) || !constant(d, d->written[2], &bytes))
        return false;
    if (bytes != 4 && bytes != 8 && bytes != 16)
        return decode_error(d, "copies 4, 8 or 16 bytes");
    in->operand[2].imm = bytes;
    bool has_size = d->num_written > 3u + has_policy;
    return address(d, d->written[0], &in->operand[0]) &&
           address(d, d->written[1], &in->operand[1]) &&
           (!has_size || source(d, d->written[3], TYPE_B32, false, &in->operand[3])) &&
           emit(d, ptx_copy_async);
}

// [map, {coordinates}]
static bool
tensor_address(Decoder *d, PtxOperand *o, Operand *out, Operand *coordinates)
{
    if (!o || o->kind != PTX_ADDRESS || !o->first->next)
        return decode_error_at(d, o, "needs a tensor map and coordinates here");
    PtxOperand *rest = o->first->next;
    o->first->next = NULL;
    bool ok = address(d, o, out);
    o->first->next = rest;
    return ok && source_list(d, rest, TYPE_B32, false, d->in.vector, coordinates);
}

static bool
take_reduction(Decoder *d)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or", "xor", "inc", "dec", NULL};
    static const uint8_t values[] = {ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_AND,
                                     ATOMIC_OR,  ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC};
    int op = take_one_of(d, ops);
    take(d, "noftz");
    if (op < 0)
        return decode_error(d, "does not say what it does");
    d->in.variant = values[op];
    d->in.flags |= BULK_REDUCES;
    return true;
}

// Where from and where to: as they are written.
static bool
take_direction(Decoder *d)
{
    int to_global = -1;
    for (unsigned i = 0; i < d->num_modifiers && to_global < 0; i++)
        if (!d->used[i] && memcmp(d->modifiers[i].data, "shared", 6) == 0)
            to_global = 0;
        else if (!d->used[i] && memcmp(d->modifiers[i].data, "global", 6) == 0)
            to_global = 1;
    PtxSpace first = take_space(d), second = take_space(d);
    if (to_global < 0 || first == SPACE_GENERIC)
        return decode_error(d, "does not say from where and to where");
    bool both_shared = first != SPACE_GLOBAL && second != SPACE_GLOBAL;
    d->in.shape = both_shared ? BULK_SHARED : to_global ? BULK_STORE : BULK_LOAD;
    return true;
}

static bool
take_tensor(Decoder *d)
{
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d", NULL};
    int rank = take_one_of(d, ranks);
    if (rank < 0)
        return decode_error(d, "names no number of dimensions");
    d->in.vector = (uint8_t)(rank + 1);
    take(d, "tile");
    if (take(d, "im2col")) {
        d->in.flags |= BULK_IM2COL;
        if (rank < 2)
            return decode_error(d, "needs 3 dimensions or more for im2col");
    }
    return true;
}

// The operands behind those that every copy has: offsets, a mask of blocks, a policy.
static bool
decode_bulk_rest(Decoder *d, unsigned next, bool loads)
{
    Inst *in = &d->in;
    if (in->flags & BULK_IM2COL && loads) {
        if (!source_list(d, written(d, next++), TYPE_B16, false, in->vector - 2u, &in->operand[5]))
            return false;
    }
    if (in->flags & BULK_MULTICAST &&
        !source(d, written(d, next++), TYPE_B16, false, &in->operand[6]))
        return false;
    return true;
}

static bool
decode_bulk_operands(Decoder *d)
{
    Inst *in = &d->in;
    bool is_tensor = in->vector > 0, is_store = in->shape == BULK_STORE;
    unsigned next = is_tensor ? 2 : 3;
    if (!expect_operands(d, next + !is_store, 8))
        return false;
    bool ok = is_tensor && is_store
                  ? tensor_address(d, d->written[0], &in->operand[0], &in->operand[4])
                  : address(d, d->written[0], &in->operand[0]);
    ok = ok && (is_tensor && !is_store
                    ? tensor_address(d, d->written[1], &in->operand[1], &in->operand[4])
                    : address(d, d->written[1], &in->operand[1]));
    ok = ok && (is_tensor || source(d, d->written[2], TYPE_B32, false, &in->operand[2]));
    return ok && (is_store || address(d, d->written[next++], &in->operand[3])) &&
           decode_bulk_rest(d, next, !is_store) && emit(d, ptx_bulk_copy);
}

static bool
decode_bulk(Decoder *d, bool reduces)
{
    Inst *in = &d->in;
    d->entry->uses_mbarriers = true;
    if (take(d, "commit_group"))
        return expect_operands(d, 0, 0) && emit(d, ptx_bulk_commit);
    if (take(d, "wait_group"))
        return decode_group_wait(d, ptx_bulk_wait);
    in->vector = 0;
    if (take(d, "prefetch")) {
        for (unsigned i = 0; i < d->num_modifiers; i++)
            d->used[i] = true;
        return emit(d, ptx_nothing);
    }
    in->type = TYPE_B8;
    if (take(d, "tensor") && !take_tensor(d))
        return false;
    if (!take_direction(d) || (reduces && !take_reduction(d)))
        return false;
    take(d, "mbarrier::complete_tx::bytes");
    take(d, "bulk_group");
    if (take(d, "multicast::cluster"))
        in->flags |= BULK_MULTICAST;
    take(d, "L2::cache_hint");
    PtxType type;
    if (reduces && !in->vector) {
        if (!take_type(d, &type))
            return false;
        in->type = (uint8_t)type;
    }
    return decode_bulk_operands(d);
}

static bool
decode_cp(Decoder *d)
{
    bool reduces = take(d, "reduce");
    if (!take(d, "async"))
        return decode_error(d, "does not say what it does");
    if (take(d, "bulk"))
        return decode_bulk(d, reduces);
    if (take(d, "commit_group"))
        return expect_operands(d, 0, 0) && emit(d, ptx_copy_commit);
    if (take(d, "wait_group"))
        return decode_group_wait(d, ptx_copy_wait);
    if (take(d, "wait_all"))
        return expect_operands(d, 0, 0) && emit(d, ptx_copy_wait);
    if (take(d, "mbarrier"))
        return decode_copy_arrive(d);
    return decode_copy(d);
}

// --- mbarriers

static bool
decode_mbarrier_wait(Decoder *d, bool tries)
{
    Inst *in = &d->in;
    PtxType type;
    bool by_parity = take(d, "parity");
    in->flags = (uint8_t)((tries ? MBARRIER_TRIES : 0) | (by_parity ? MBARRIER_BY_PARITY : 0) |
                          (take(d, "relaxed") ? MBARRIER_RELAXED : 0));
    take(d, "acquire");
    take(d, "cta");
    take(d, "cluster");
    take_space(d);
    return take_type(d, &type) && expect_operands(d, 3, 4) &&
           pred_result(d, d->written[0], &in->operand[0]) &&
           address(d, d->written[1], &in->operand[1]) &&
           source(d, d->written[2], by_parity ? TYPE_B32 : TYPE_B64, false, &in->operand[2]) &&
           emit(d, ptx_mbarrier_wait);
}

static bool
decode_mbarrier(Decoder *d)
{
    static const char *const ops[] = {"init",      "inval",       "arrive", "arrive_drop",
                                      "expect_tx", "complete_tx", NULL};
    Inst *in = &d->in;
    PtxType type;
    d->entry->uses_mbarriers = true;
    if (take(d, "try_wait"))
        return decode_mbarrier_wait(d, true);
    if (take(d, "test_wait"))
        return decode_mbarrier_wait(d, false);
    int op = -1;
    if (take(d, "arrive"))
        op = MBARRIER_ARRIVE;
    else
        op = take_one_of(d, ops);
    if (op < 0)
        return decode_error(d, "does not say what it does");
    in->variant = (uint8_t)op;
    bool arrives = op == MBARRIER_ARRIVE || op == MBARRIER_ARRIVE_DROP;
    in->flags = (uint8_t)((arrives && take(d, "expect_tx") ? MBARRIER_EXPECTS : 0) |
                          (arrives && take(d, "noComplete") ? MBARRIER_NO_COMPLETE : 0) |
                          (take(d, "relaxed") ? MBARRIER_RELAXED : 0));
    take(d, "release");
    take(d, "cta");
    take(d, "cluster");
    take_space(d);
    if (!take_type(d, &type))
        return false;
    bool has_state = arrives && d->num_written > 0 && d->written[0]->kind != PTX_ADDRESS;
    unsigned next = has_state, count = next + 1 + (op != MBARRIER_INVAL);
    if (!expect_operands(d, arrives ? next + 1 : count, count) ||
        (has_state && !result(d, d->written[0], TYPE_B64, false, &in->operand[0])))
        return false;
    return address(d, d->written[next], &in->operand[1]) &&
           (d->num_written == next + 1 ||
            source(d, d->written[next + 1], TYPE_B32, false, &in->operand[2])) &&
           emit(d, ptx_mbarrier);
}

static bool
decode_fence(Decoder *d)
{
    bool proxy = take(d, "proxy") && take(d, "async");
    for (unsigned i = 0; i < d->num_modifiers; i++)
        d->used[i] = true;
    return emit(d, proxy ? ptx_fence_proxy : ptx_nothing);
}

const Opcode ptx_matrix_opcodes[] = {
    {"mma", decode_mma},
    {"ldmatrix", decode_move_matrix},
    {"stmatrix", decode_move_matrix},
    {"wgmma", decode_wgmma},
    {"wmma", decode_wmma},
    {"setmaxnreg", decode_setmaxnreg},
    {"cp", decode_cp},
    {"mbarrier", decode_mbarrier},
    {"fence", decode_fence},
    {NULL, NULL},
};
