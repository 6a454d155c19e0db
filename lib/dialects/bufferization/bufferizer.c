// bufferizer.c -- rewriting on buffers, with what was decided: the half of bufferisation that ops'
// hooks call.
#include "mlc/ir/builder.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/bufferize.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"

bool
mlc_value_is_tensor(const MlcValue *value)
{
    MlcTypeKind kind = mlc_type_kind(mlc_value_type(value));
    return kind == MLC_TYPE_TENSOR || kind == MLC_TYPE_UNRANKED_TENSOR;
}

// NULL: it does not stay on tensors.
static MlcAttr
stays_on_tensors(const MlcOp *op)
{
    MlcAttr others = mlc_op_discardable(op);
    return others ? mlc_dict_attr_find(others, mlc_str(MLC_STAYS_ON_TENSORS)) : NULL;
}

bool
mlc_bufferize_always(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return true;
}

bool
mlc_bufferize_never(MlcOp *op, size_t i)
{
    (void)op, (void)i;
    return false;
}

const MlcBufferize *
mlc_bufferize_methods(MlcOp *op)
{
    return stays_on_tensors(op) ? NULL : mlc_op_interface(op, MLC_INTERFACE_BUFFERIZE);
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
mlc_bufferizer_type_beside(MlcValue *buffer, MlcType tensor)
{
    MlcType type = mlc_value_type(buffer);
    MlcAttr space = mlc_memref_type_memory_space(type);
    return mlc_type_has_rank(tensor)
               ? mlc_memref_type_get(mlc_type_element(tensor), mlc_type_shape(tensor),
                                     mlc_type_rank(tensor), NULL, space)
               : mlc_unranked_memref_type_get(mlc_type_element(tensor), space);
}

static MlcType
of_any_layout(MlcType type)
{
    int64_t strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        strides[i] = MLC_DYNAMIC;
    return mlc_memref_type_get(
        mlc_type_element(type), mlc_type_shape(type), rank,
        mlc_strided_layout_attr_get(mlc_type_context(type), MLC_DYNAMIC, strides, rank),
        mlc_memref_type_memory_space(type));
}

MlcType
mlc_bufferizer_common_type(MlcType a, MlcType b)
{
    return a == b || !mlc_type_has_rank(a) ? a : of_any_layout(a);
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

static MlcValue *
alloc(MlcBuilder *b, MlcType type, MlcValue *const *sizes, size_t num_sizes)
{
    MlcValue *buffer = mlc_memref_alloc(b, type, sizes, num_sizes, NULL, 0);
    mlc_memref_alloc_set_alignment(mlc_value_def(buffer), mlc_i64_attr_get(b->ctx, 64));
    return buffer;
}

MlcValue *
mlc_bufferizer_alloc(MlcBufferizer *bufferizer, MlcBuilder *b, MlcType tensor,
                     MlcValue *const *sizes, size_t num_sizes)
{
    (void)bufferizer;
    return alloc(b, mlc_bufferizer_memref_type(tensor), sizes, num_sizes);
}

MlcValue *
mlc_bufferizer_alloc_in(MlcBuilder *b, MlcType tensor, MlcAttr space, MlcValue *const *sizes,
                        size_t num_sizes)
{
    return alloc(b,
                 mlc_memref_type_get(mlc_type_element(tensor), mlc_type_shape(tensor),
                                     mlc_type_rank(tensor), NULL, space),
                 sizes, num_sizes);
}

void
mlc_bufferizer_copy(MlcBuilder *b, MlcValue *from, MlcValue *to)
{
    if (from != to)
        mlc_memref_copy(b, from, to);
}

// A fresh buffer shaped like an existing one, in the same memory space.
static MlcValue *
alloc_like(MlcBuilder *b, MlcValue *buffer, MlcType tensor)
{
    MlcValueVec sizes = {0};
    for (size_t i = 0; i < mlc_type_rank(tensor); i++)
        if (mlc_type_dim(tensor, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes, mlc_memref_dim(b, buffer, mlc_build_index(b, (int64_t)i)));
    MlcValue *fresh = alloc(b, mlc_bufferizer_type_beside(buffer, tensor), sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    return fresh;
}

MlcValue *
mlc_bufferizer_copied(MlcBufferizer *bufferizer, MlcBuilder *b, MlcValue *buffer, MlcType tensor)
{
    (void)bufferizer;
    MlcValue *fresh = alloc_like(b, buffer, tensor);
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
        fresh = alloc_like(b, buffer, mlc_value_type(tensor));
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

// `tensor` is made by `op`, which stays on tensors: its buffer, made at `b`.
static void
set_from_tensor(MlcBufferizer *bufferizer, MlcBuilder *b, MlcOp *op, MlcValue *tensor)
{
    MlcType type = mlc_bufferizer_memref_type(mlc_value_type(tensor));
    if (mlc_type_has_rank(type) && stays_on_tensors(op) != mlc_bool_attr_get(b->ctx, true))
        type = of_any_layout(type);
    mlc_bufferizer_set(bufferizer, tensor, mlc_bufferization_to_memref(b, type, tensor));
}

// Is the tensor one still, as what makes it stays on tensors?
static bool
is_of_tensors(MlcValue *tensor)
{
    MlcOp *def = mlc_value_def(tensor);
    if (!def)
        def = mlc_block_parent(mlc_value_block(tensor));
    return !mlc_bufferize_methods(def) && !mlc_op_interface(def, MLC_INTERFACE_FUNCTION);
}

// Buffers as tensors for the op, and its tensors as buffers for others.
static bool
keep_on_tensors(MlcBufferizer *bufferizer, MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(op);
    mlc_builder_before(&b, op);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *tensor = mlc_op_operand(op, i);
        if (!mlc_value_is_tensor(tensor) || is_of_tensors(tensor))
            continue;
        MlcValue *buffer = mlc_bufferizer_buffer(bufferizer, tensor),
                 *made = mlc_bufferization_to_tensor(&b, buffer);
        if (mlc_value_type(made) != mlc_value_type(tensor))
            made = mlc_tensor_cast(&b, mlc_value_type(tensor), made);
        mlc_op_set_operand(op, i, made);
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *next, *inner = mlc_block_first(block); // behind what is made of arguments
        mlc_builder_at_start(&b, block);
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            if (mlc_value_is_tensor(mlc_block_arg(block, i)))
                set_from_tensor(bufferizer, &b, op, mlc_block_arg(block, i));
        for (; inner; inner = next) {
            next = mlc_op_next(inner);
            if (!mlc_bufferizer_op(bufferizer, inner))
                return false;
        }
    }
    if (mlc_op_next(op))
        mlc_builder_before(&b, mlc_op_next(op));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_is_tensor(mlc_op_result(op, i)))
            set_from_tensor(bufferizer, &b, op, mlc_op_result(op, i));
    return true;
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
    if (stays_on_tensors(op))
        return keep_on_tensors(bufferizer, op);
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

static bool
is_used(MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_has_uses(mlc_op_result(op, i)))
            return true;
    return false;
}

// Erases the ops that still make or use tensors: all of them have been rewritten, users come after
// their operands. What is used stays, with those that stay on tensors.
void
mlc_bufferizer_erase_tensor_ops(MlcRegion *region)
{
    MLC_FOR_EACH_BLOCK (block, region) {
        MlcOp *prev;
        for (MlcOp *op = mlc_block_last(block); op; op = prev) {
            prev = mlc_op_prev(op);
            if (mlc_op_has_tensors(op) && mlc_bufferize_methods(op) && !is_used(op)) {
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
