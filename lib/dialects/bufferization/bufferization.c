// bufferization.c -- verification and result types of ops between tensors and buffers.
#include "mlc/dialects/bufferization.h"
#include "mlc/ir.h"

// bufferization.dealloc: one condition for each buffer that is retained.
static bool
infer_dealloc(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    for (size_t i = 0; i < state->num_attrs; i++) {
        MlcAttr sizes = state->attrs[i].value;
        if (!mlc_str_equal(mlc_string_attr_value(state->attrs[i].name),
                           mlc_str("operandSegmentSizes")))
            continue;
        if (!mlc_attr_is(sizes, MLC_ATTR_DENSE_ARRAY) || mlc_dense_array_attr_size(sizes) != 3)
            return false;
        for (int64_t k = 0; k < mlc_dense_array_attr_int(sizes, 2); k++)
            mlc_vec_push(results, mlc_integer_type_get(ctx, 1, MLC_SIGNLESS));
        return true;
    }
    return false;
}

const MlcInferTypes mlc_bufferization_dealloc_infer_types = {.infer = infer_dealloc};

bool
mlc_bufferization_alloc_tensor_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t num_sizes = mlc_bufferization_alloc_tensor_num_dynamic_sizes(op);
    if (!mlc_type_has_rank(type))
        return mlc_op_error(op, "expected a ranked tensor");
    if (mlc_bufferization_alloc_tensor_copy(op)) {
        if (num_sizes)
            return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                             "dynamic sizes not needed when copying a tensor");
        return true;
    }
    if (num_sizes != mlc_type_num_dynamic_dims(type))
        return mlc_error(mlc_op_context(op), mlc_op_loc(op), "expected %zu dynamic sizes",
                         mlc_type_num_dynamic_dims(type));
    return true;
}

static bool
shapes_fit(MlcType a, MlcType b)
{
    for (size_t i = 0; i < mlc_type_rank(a); i++) {
        int64_t x = mlc_type_dim(a, i), y = mlc_type_dim(b, i);
        if (x != y && x != MLC_DYNAMIC && y != MLC_DYNAMIC)
            return false;
    }
    return true;
}

// bufferization.materialize_in_destination: a tensor comes back, a buffer is written.
bool
mlc_bufferization_materialize_in_destination_verify(MlcOp *op)
{
    MlcType source = mlc_value_type(mlc_op_operand(op, 0)),
            dest = mlc_value_type(mlc_op_operand(op, 1));
    bool is_memref =
        mlc_type_is(dest, MLC_TYPE_MEMREF) || mlc_type_is(dest, MLC_TYPE_UNRANKED_MEMREF);
    if (!is_memref && mlc_op_num_results(op) != 1)
        return mlc_op_error(op, "tensor 'dest' implies exactly one tensor result");
    if (is_memref && mlc_op_num_results(op) != 0)
        return mlc_op_error(op, "memref 'dest' implies zero results");
    if (!is_memref && mlc_op_result_type(op, 0) != dest)
        return mlc_op_error(op, "result and 'dest' types must match");
    if (!is_memref && mlc_bufferization_materialize_in_destination_restrict(op))
        return mlc_op_error(op, "'restrict' is valid only for memref destinations");
    if (is_memref != (mlc_bufferization_materialize_in_destination_writable(op) != NULL))
        return mlc_op_error(op, "'writable' must be specified if and only if the destination is of "
                                "memref type");
    if (mlc_type_has_rank(source) != mlc_type_has_rank(dest))
        return mlc_op_error(op, "source/destination shapes are incompatible");
    if (!mlc_type_has_rank(source))
        return true;
    if (mlc_type_rank(source) != mlc_type_rank(dest))
        return mlc_op_error(op, "rank mismatch between source and destination shape");
    return shapes_fit(source, dest) ||
           mlc_op_error(op, "source/destination shapes are incompatible");
}
