// bufferizer.c -- rewriting on buffers, with what was decided: the half of bufferisation that ops'
// hooks call.
#include "mlc/ir/builder.h"

#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"

bool
mlc_value_is_tensor(const MlcValue *value)
{
    MlcTypeKind kind = mlc_type_kind(mlc_value_type(value));
    return kind == MLC_TYPE_TENSOR || kind == MLC_TYPE_UNRANKED_TENSOR;
}

const MlcBufferize *
mlc_bufferize_methods(MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_BUFFERIZE);
}

MlcType
mlc_bufferizer_memref_type(MlcType tensor)
{
    if (!mlc_type_has_rank(tensor))
        return mlc_unranked_memref_type_get(mlc_type_element(tensor), NULL);
    return mlc_memref_type_get(mlc_type_element(tensor), mlc_type_shape(tensor),
                               mlc_type_rank(tensor), NULL, NULL);
}

MlcType
mlc_bufferizer_common_type(MlcType a, MlcType b)
{
    if (a == b || !mlc_type_has_rank(a))
        return a;
    int64_t strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(a);
    for (size_t i = 0; i < rank; i++)
        strides[i] = MLC_DYNAMIC;
    return mlc_memref_type_get(
        mlc_type_element(a), mlc_type_shape(a), rank,
        mlc_strided_layout_attr_get(mlc_type_context(a), MLC_DYNAMIC, strides, rank),
        mlc_memref_type_memory_space(a));
}

MlcValue *
mlc_bufferizer_buffer(MlcBufferizer *bufferizer, MlcValue *tensor)
{
    MlcValue *buffer = mlc_map_get(&bufferizer->buffers, tensor);
    if (!buffer)
        mlc_bug("a tensor is used before its buffer was told");
    return buffer;
}

void
mlc_bufferizer_set(MlcBufferizer *bufferizer, MlcValue *tensor, MlcValue *buffer)
{
    mlc_map_set(&bufferizer->buffers, tensor, buffer);
}

MlcValue *
mlc_bufferizer_chosen(MlcBufferizer *bufferizer, MlcValue *tensor)
{
    return mlc_map_get(&bufferizer->chosen, tensor);
}

bool
mlc_bufferizer_in_place(MlcBufferizer *bufferizer, MlcOp *op, size_t i)
{
    return mlc_map_has(&bufferizer->in_place, mlc_op_operand_use(op, i));
}

MlcValue *
mlc_bufferizer_alloc(MlcBufferizer *bufferizer, MlcBuilder *b, MlcType tensor,
                     MlcValue *const *sizes, size_t num_sizes)
{
    (void)bufferizer;
    MlcValue *buffer =
        mlc_memref_alloc(b, mlc_bufferizer_memref_type(tensor), sizes, num_sizes, NULL, 0);
    mlc_memref_alloc_set_alignment(mlc_value_def(buffer), mlc_i64_attr_get(b->ctx, 64));
    return buffer;
}

void
mlc_bufferizer_copy(MlcBuilder *b, MlcValue *from, MlcValue *to)
{
    if (from != to)
        mlc_memref_copy(b, from, to);
}

// A fresh buffer shaped like an existing one.
static MlcValue *
alloc_like(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *buffer, MlcType tensor)
{
    MlcValueVec sizes = {0};
    for (size_t i = 0; i < mlc_type_rank(tensor); i++)
        if (mlc_type_dim(tensor, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes, mlc_memref_dim(b, buffer, mlc_build_index(b, (int64_t)i)));
    MlcValue *fresh = mlc_bufferizer_alloc(bufferizer, b, tensor, sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    return fresh;
}

MlcValue *
mlc_bufferizer_copied(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *buffer, MlcType tensor)
{
    MlcValue *fresh = alloc_like(bufferizer, b, buffer, tensor);
    mlc_bufferizer_copy(b, buffer, fresh);
    return fresh;
}

MlcValue *
mlc_bufferizer_made(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *result)
{
    MlcValue *chosen = mlc_bufferizer_chosen(bufferizer, result);
    return chosen ? chosen : mlc_bufferizer_alloc(bufferizer, b, mlc_value_type(result), NULL, 0);
}

MlcValue *
mlc_bufferizer_destination(MlcBufferizer *bufferizer, MlcBuilder *b, MlcOp *op, size_t i)
{
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    MlcValue *tensor = mlc_op_operand(op, i);
    MlcValue *buffer = mlc_bufferizer_buffer(bufferizer, tensor);
    if (mlc_bufferizer_in_place(bufferizer, op, i))
        return buffer;
    bool whole;
    MlcValue *alias = methods->alias ? methods->alias(op, i, &whole) : NULL;
    MlcValue *fresh = alias ? mlc_bufferizer_chosen(bufferizer, alias) : NULL;
    if (!fresh)
        fresh = alloc_like(bufferizer, b, buffer, mlc_value_type(tensor));
    if (methods->reads(op, i) && !mlc_tensor_empty_isa(mlc_value_def(tensor)))
        mlc_bufferizer_copy(b, buffer, fresh);
    return fresh;
}

bool
mlc_op_has_tensors(MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_value_is_tensor(value))
            return true;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_is_tensor(mlc_op_result(op, i)))
            return true;
    return false;
}

bool
mlc_bufferizer_op(MlcBufferizer *bufferizer, MlcOp *op)
{
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    if (!mlc_op_has_tensors(op)) {
        for (size_t i = 0; i < mlc_op_num_regions(op); i++)
            if (!mlc_bufferizer_region(bufferizer, mlc_op_region(op, i)))
                return false;
        return true;
    }
    if (!methods)
        return mlc_op_error(op, "works on tensors and does not say how it is done on buffers");
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    return methods->bufferize(op, &b, bufferizer);
}

bool
mlc_bufferizer_region(MlcBufferizer *bufferizer, MlcRegion *region)
{
    MLC_FOR_EACH_BLOCK (block, region)
        MLC_FOR_EACH_OP_SAFE (op, block)
            if (!mlc_bufferizer_op(bufferizer, op))
                return false;
    return true;
}

// Erases the ops that still make or use tensors: all of them have been rewritten, users come after
// their operands.
void
mlc_bufferizer_erase_tensor_ops(MlcRegion *region)
{
    MLC_FOR_EACH_BLOCK (block, region) {
        MlcOp *prev;
        for (MlcOp *op = mlc_block_last(block); op; op = prev) {
            prev = mlc_op_prev(op);
            if (mlc_op_has_tensors(op)) {
                mlc_op_erase(op);
                continue;
            }
            for (size_t i = 0; i < mlc_op_num_regions(op); i++)
                mlc_bufferizer_erase_tensor_ops(mlc_op_region(op, i));
        }
    }
}

bool
mlc_bufferizer_is_put_back(MlcBufferizer *bufferizer, MlcOp *insert)
{
    return mlc_map_has(&bufferizer->put_back, insert);
}

bool
mlc_bufferizer_same(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b)
{
    return bufferizer->same(bufferizer, a, b);
}

bool
mlc_bufferizer_may_share(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b)
{
    return bufferizer->may_share(bufferizer, a, b);
}

void
mlc_bufferizer_unite(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b, bool whole)
{
    bufferizer->unite(bufferizer, a, b, whole);
}
