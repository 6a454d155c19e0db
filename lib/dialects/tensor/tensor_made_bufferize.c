// tensor_made_bufferize.c -- tensors made of elements on buffers: elements are stored one by one,
// or linalg.map computes them from their indices.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/mixed.h"

// The buffer of op's result, whose dynamic sizes are op's operands from `first` on.
static MlcValue *
buffer_of_result(MlcOp *op, size_t first, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0), *buffer = mlc_bufferizer_chosen(bufferizer, result);
    MlcValueVec sizes = {0};
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&sizes, mlc_op_operand(op, i));
    if (!buffer)
        buffer =
            mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    return buffer;
}

static bool
from_elements_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type);
    MlcValue *buffer = buffer_of_result(op, mlc_op_num_operands(op), b, bufferizer);
    MlcValue *indices[MLC_RANK_LIMIT];
    MlcValueVec constants = {0};
    int64_t longest = 0;
    for (size_t i = 0; i < rank && mlc_op_num_operands(op) > 0; i++)
        longest = mlc_type_dim(type, i) > longest ? mlc_type_dim(type, i) : longest;
    for (int64_t i = 0; i < longest; i++)
        mlc_vec_push(&constants, mlc_build_index(b, i));
    for (size_t n = 0; n < mlc_op_num_operands(op); n++) {
        size_t rest = n;
        for (size_t i = rank; i-- > 0; rest /= (size_t)mlc_type_dim(type, i))
            indices[i] = constants.data[rest % (size_t)mlc_type_dim(type, i)];
        mlc_memref_store(b, mlc_op_operand(op, n), buffer, indices, rank);
    }
    mlc_vec_release(&constants);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), buffer);
    return true;
}

// A linalg.map over `buffer`; the builder stands in its body then.
static MlcOp *
build_map(MlcBuilder *b, MlcValue *buffer)
{
    MlcOp *map = mlc_linalg_map(b, NULL, 0, NULL, 0, buffer);
    MlcBlock *body = mlc_block_create(b->ctx);
    mlc_region_append(mlc_op_region(map, 0), body);
    mlc_builder_at_end(b, body);
    return map;
}

static bool
splat_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = buffer_of_result(op, 1, b, bufferizer), *element = mlc_op_operand(op, 0);
    build_map(b, buffer);
    mlc_linalg_yield(b, &element, 1);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), buffer);
    return true;
}

// All elements of `buffer` as the body of `op` computes them from their indices.
static bool
map_body(MlcOp *op, MlcBuilder *b, MlcValue *buffer, MlcBufferizer *bufferizer)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    MlcOp *map = build_map(b, buffer), *yield = mlc_block_terminator(body);
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), mlc_linalg_index(b, (int64_t)i));
    MlcBlock *to = mlc_region_first(mlc_op_region(map, 0));
    MlcValue *element = mlc_op_operand(yield, 0);
    mlc_op_erase(yield);
    mlc_block_splice(to, NULL, body);
    mlc_builder_at_end(b, to);
    mlc_linalg_yield(b, &element, 1);
    bool ok = mlc_bufferizer_region(bufferizer, mlc_op_region(map, 0));
    if (ok) // it reads elements of others
        mlc_bufferizer_erase_tensor_ops(mlc_op_region(map, 0));
    return ok;
}

static bool
generate_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = buffer_of_result(op, 0, b, bufferizer);
    mlc_bufferizer_set(bufferizer, mlc_op_result(op, 0), buffer);
    return map_body(op, b, buffer, bufferizer);
}

// The border everywhere, then the source in the middle.
static bool
pad_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *result = mlc_op_result(op, 0), *buffer = mlc_bufferizer_chosen(bufferizer, result),
             *source = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    MlcType type = mlc_value_type(result);
    MlcMixedList low, high;
    MlcSlice middle = {0};
    MlcValueVec sizes = {0};
    if (!mlc_mixed_list_read(op, "low", &low) || !mlc_mixed_list_read(op, "high", &high))
        return mlc_op_error(op, "pads more dimensions than types have");
    size_t rank = mlc_type_rank(type);
    middle.offsets = low;
    middle.sizes.size = middle.strides.size = rank;
    MlcAffineExpr sum =
        mlc_affine_add(mlc_affine_add(mlc_affine_symbol(b->ctx, 0), mlc_affine_symbol(b->ctx, 1)),
                       mlc_affine_symbol(b->ctx, 2));
    for (size_t i = 0; i < rank; i++) {
        MlcMixed parts[] = {mlc_mixed_dim(b, source, i), low.items[i], high.items[i]};
        middle.sizes.items[i] = parts[0];
        middle.strides.items[i] = mlc_mixed(1);
        if (mlc_type_dim(type, i) == MLC_DYNAMIC && !buffer)
            mlc_vec_push(&sizes, mlc_mixed_value(b, mlc_mixed_apply(b, sum, parts, 3)));
    }
    if (!buffer)
        buffer = mlc_bufferizer_alloc(bufferizer, b, type, sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    mlc_bufferizer_set(bufferizer, result, buffer);
    if (!map_body(op, b, buffer, bufferizer))
        return false;
    mlc_builder_before(b, op);
    int64_t offsets[MLC_RANK_LIMIT], extents[MLC_RANK_LIMIT], strides[MLC_RANK_LIMIT];
    mlc_mixed_list_static(&middle.offsets, offsets);
    mlc_mixed_list_static(&middle.sizes, extents);
    mlc_mixed_list_static(&middle.strides, strides);
    MlcType view = mlc_memref_type_subview(mlc_value_type(buffer), offsets, extents, strides, NULL);
    mlc_memref_copy(
        b, source,
        mlc_op_result(mlc_build_slice(b, &mlc_memref_subview_def, view, &buffer, 1, &middle), 0));
    return true;
}

static bool
rank_bufferize(MlcOp *op, MlcBuilder *b, MlcBufferizer *bufferizer)
{
    MlcValue *buffer = mlc_bufferizer_buffer(bufferizer, mlc_op_operand(op, 0));
    mlc_value_replace_uses(mlc_op_result(op, 0), mlc_memref_rank(b, buffer));
    return true;
}

const MlcBufferize mlc_tensor_from_elements_bufferize = {.reads = mlc_bufferize_never,
                                                         .writes = mlc_bufferize_never,
                                                         .bufferize = from_elements_bufferize};
const MlcBufferize mlc_tensor_splat_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = splat_bufferize};
const MlcBufferize mlc_tensor_generate_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = generate_bufferize};
const MlcBufferize mlc_tensor_pad_bufferize = {
    .reads = mlc_bufferize_always, .writes = mlc_bufferize_never, .bufferize = pad_bufferize};
const MlcBufferize mlc_tensor_rank_bufferize = {
    .reads = mlc_bufferize_never, .writes = mlc_bufferize_never, .bufferize = rank_bufferize};
