// linalg_interfaces.c -- iterators, maps and effects of the structured ops whose record cannot say
// them.
#include "mlc/dialects/linalg_body.h"
#include "mlc/ir.h"

static MlcBlock *
body(MlcOp *op)
{
    return mlc_region_first(mlc_op_region(op, 0));
}

static size_t
rank_of(MlcOp *op, size_t operand)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, operand));
    return mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
}

static MlcIterator
always_parallel(MlcOp *op, size_t loop)
{
    (void)op, (void)loop;
    return MLC_ITERATOR_PARALLEL;
}

static size_t
all_but_one(MlcOp *op)
{
    return mlc_op_num_operands(op) - 1;
}

static size_t
one(MlcOp *op)
{
    (void)op;
    return 1;
}

// linalg.generic: all of it in attributes.

static size_t
generic_num_loops(MlcOp *op)
{
    return mlc_array_attr_size(mlc_op_attr(op, "iterator_types"));
}

static MlcIterator
generic_iterator(MlcOp *op, size_t loop)
{
    return (MlcIterator)mlc_enum_attr_value(
        mlc_array_attr_element(mlc_op_attr(op, "iterator_types"), loop));
}

static MlcAffineMap
generic_map(MlcOp *op, size_t operand)
{
    return mlc_affine_map_attr_value(
        mlc_array_attr_element(mlc_op_attr(op, "indexing_maps"), operand));
}

static size_t
first_group(MlcOp *op)
{
    size_t first, size;
    mlc_op_operand_group(op, 0, &first, &size);
    return size;
}

static size_t
second_group(MlcOp *op)
{
    size_t first, size;
    mlc_op_operand_group(op, 1, &first, &size);
    return size;
}

const MlcStructured mlc_linalg_generic_structured = {
    .num_loops = generic_num_loops,
    .iterator = generic_iterator,
    .map = generic_map,
    .num_inputs = first_group,
    .num_outputs = second_group,
    .body = body,
};

// linalg.map: the same element of every operand.

static size_t
output_rank(MlcOp *op)
{
    return rank_of(op, mlc_op_num_operands(op) - 1);
}

static MlcAffineMap
map_map(MlcOp *op, size_t operand)
{
    (void)operand;
    return mlc_affine_map_identity(mlc_op_context(op), (unsigned)output_rank(op));
}

const MlcStructured mlc_linalg_map_structured = {
    .num_loops = output_rank,
    .iterator = always_parallel,
    .map = map_map,
    .num_inputs = all_but_one,
    .num_outputs = one,
    .body = body,
    .body_lacks_outputs = true,
};

// linalg.transpose: result dimension i is input dimension permutation[i]; loops are the result's
// dimensions.

static MlcAffineMap
transpose_map(MlcOp *op, size_t operand)
{
    MlcContext *ctx = mlc_op_context(op);
    size_t rank = output_rank(op);
    if (operand == 1 || rank > MLC_RANK_LIMIT)
        return mlc_affine_map_identity(ctx, (unsigned)rank);
    MlcAffineExpr results[MLC_RANK_LIMIT];
    MlcAttr permutation = mlc_op_attr(op, "permutation");
    for (size_t i = 0; i < rank; i++)
        results[mlc_dense_array_attr_int(permutation, i)] = mlc_affine_dim(ctx, (unsigned)i);
    return mlc_affine_map_get(ctx, (unsigned)rank, 0, results, rank);
}

const MlcStructured mlc_linalg_transpose_structured = {
    .num_loops = output_rank,
    .iterator = always_parallel,
    .map = transpose_map,
    .num_inputs = one,
    .num_outputs = one,
    .body = body,
};

static bool
is_listed(MlcOp *op, size_t dim)
{
    return mlc_int_list_attr_has(mlc_op_attr(op, "dimensions"), (int64_t)dim);
}

// The loops that are not listed, in order.
static MlcAffineMap
unlisted_dims(MlcOp *op, size_t rank)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAffineExpr results[MLC_RANK_LIMIT];
    size_t n = 0;
    for (size_t i = 0; i < rank && i < MLC_RANK_LIMIT; i++)
        if (!is_listed(op, i))
            results[n++] = mlc_affine_dim(ctx, (unsigned)i);
    return mlc_affine_map_get(ctx, (unsigned)rank, 0, results, n);
}

// linalg.broadcast: `dimensions` are those of the result that the input has not.

static MlcAffineMap
broadcast_map(MlcOp *op, size_t operand)
{
    size_t rank = output_rank(op);
    return operand == 1 ? mlc_affine_map_identity(mlc_op_context(op), (unsigned)rank)
                        : unlisted_dims(op, rank);
}

const MlcStructured mlc_linalg_broadcast_structured = {
    .num_loops = output_rank,
    .iterator = always_parallel,
    .map = broadcast_map,
    .num_inputs = one,
    .num_outputs = one,
    .body = body,
};

// linalg.reduce: `dimensions` of the inputs are reduced; half of the operands are inputs.

static size_t
half(MlcOp *op)
{
    return mlc_op_num_operands(op) / 2;
}

static size_t
input_rank(MlcOp *op)
{
    return rank_of(op, 0);
}

static MlcIterator
reduce_iterator(MlcOp *op, size_t loop)
{
    return is_listed(op, loop) ? MLC_ITERATOR_REDUCTION : MLC_ITERATOR_PARALLEL;
}

static MlcAffineMap
reduce_map(MlcOp *op, size_t operand)
{
    size_t rank = input_rank(op);
    return operand < half(op) ? mlc_affine_map_identity(mlc_op_context(op), (unsigned)rank)
                              : unlisted_dims(op, rank);
}

const MlcStructured mlc_linalg_reduce_structured = {
    .num_loops = input_rank,
    .iterator = reduce_iterator,
    .map = reduce_map,
    .num_inputs = half,
    .num_outputs = half,
    .body = body,
};

// On buffers: inputs are read, outputs written, and read where the body looks at them. On tensors:
// nothing.
static void
effects(MlcOp *op, MlcEffectVec *out)
{
    size_t num_inputs = mlc_structured_num_inputs(op);
    MlcBlock *block = mlc_structured_body(op);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF))
            continue;
        bool used =
            !block || i >= mlc_block_num_args(block) || mlc_value_has_uses(mlc_block_arg(block, i));
        if (used)
            mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_READ, value}));
        if (i >= num_inputs)
            mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_WRITE, value}));
    }
}

const MlcMemoryEffects mlc_linalg_structured_memory_effects = {.effects = effects};

// softmax: reads its input, writes its output, where they are buffers.
static void
softmax_effects(MlcOp *op, MlcEffectVec *out)
{
    MlcValue *input = mlc_op_operand(op, 0), *output = mlc_op_operand(op, 1);
    if (mlc_type_is(mlc_value_type(input), MLC_TYPE_MEMREF))
        mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_READ, input}));
    if (!mlc_type_is(mlc_value_type(output), MLC_TYPE_MEMREF))
        return;
    mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_READ, output}));
    mlc_vec_push(out, ((MlcMemoryEffect){MLC_EFFECT_WRITE, output}));
}

const MlcMemoryEffects mlc_linalg_softmax_memory_effects = {.effects = softmax_effects};
