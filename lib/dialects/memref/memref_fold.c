// memref_fold.c -- folds of memref ops: casts that only forget are looked through by whoever
// accesses the buffer, and sizes are asked of whoever decided them.
#include "mlc/dialects/memref.h"

#include "mlc/ir.h"
#include "mlc/ir/reshape.h"

#include "memref_impl.h"

static bool
to_value(MlcFold *result, MlcValue *value)
{
    result->value = value;
    return value != NULL;
}

static bool
to_index(MlcFold *result, const MlcOp *op, int64_t value)
{
    result->attr = mlc_index_attr_get(mlc_op_context(op), value);
    return true;
}

bool
mlc_memref_fold_casts(MlcOp *op, size_t but)
{
    bool any = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *cast = i == but ? NULL : mlc_value_def(mlc_op_operand(op, i));
        if (!mlc_memref_cast_isa(cast) || !mlc_type_has_rank(mlc_op_operand_type(cast, 0)))
            continue;
        mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        any = true;
    }
    return any;
}

// Ops for which the type of the buffer does not matter.
#define FOLDS_CASTS(name, but)                                                                     \
    bool mlc_memref_##name##_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)           \
    {                                                                                              \
        (void)constants, (void)results;                                                            \
        return mlc_memref_fold_casts(op, but);                                                     \
    }
FOLDS_CASTS(dealloc, SIZE_MAX)
FOLDS_CASTS(dma_start, SIZE_MAX)
FOLDS_CASTS(dma_wait, SIZE_MAX)
FOLDS_CASTS(load, SIZE_MAX)
FOLDS_CASTS(prefetch, SIZE_MAX)
FOLDS_CASTS(atomic_rmw, 0)
FOLDS_CASTS(store, 0)

bool
mlc_memref_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    if (mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0))
        return to_value(results, mlc_op_operand(op, 0));
    return mlc_memref_fold_casts(op, SIZE_MAX);
}

bool
mlc_memref_copy_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants, (void)results;
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        MlcOp *cast = mlc_memref_foldable_cast(mlc_op_operand(op, i));
        if (cast)
            mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        any |= cast != NULL;
    }
    return any;
}

bool
mlc_memref_memory_space_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0))
        return to_value(results, mlc_op_operand(op, 0));
    if (!mlc_memref_memory_space_cast_isa(inner))
        return false;
    mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
    return true;
}

bool
mlc_memref_rank_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_op_operand_type(op, 0);
    return mlc_type_has_rank(type) && to_index(results, op, (int64_t)mlc_type_rank(type));
}

// --- memref.dim

// The size operand of an op that takes one per dynamic dimension, from `first` on.
static MlcValue *
dynamic_operand(MlcOp *op, MlcType type, size_t dim, size_t first)
{
    for (size_t i = 0; i < dim; i++)
        first += mlc_type_dim(type, i) == MLC_DYNAMIC;
    return mlc_op_operand(op, first);
}

// The size of a window in one of the dimensions that its type has.
static MlcValue *
window_size(MlcOp *op, size_t dim)
{
    bool dropped[MLC_RANK_LIMIT] = {false};
    MlcMixedList sizes;
    if (!mlc_mixed_list_read(op, "sizes", &sizes) ||
        (mlc_memref_subview_isa(op) && !mlc_memref_subview_dropped_dims(op, dropped)))
        return NULL;
    for (size_t i = 0; i < sizes.size; i++)
        if (!dropped[i] && dim-- == 0)
            return sizes.items[i].value;
    return NULL;
}

bool
mlc_memref_dim_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_operand_type(op, 0);
    int64_t dim;
    if (!constants[1] || !mlc_attr_try_as_int(constants[1], &dim) || !mlc_type_has_rank(type) ||
        dim < 0 || dim >= (int64_t)mlc_type_rank(type))
        return false;
    if (mlc_type_dim(type, (size_t)dim) != MLC_DYNAMIC)
        return to_index(results, op, mlc_type_dim(type, (size_t)dim));
    MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
    if (mlc_memref_alloc_isa(source) || mlc_memref_alloca_isa(source))
        return to_value(results, dynamic_operand(source, type, (size_t)dim, 0));
    if (mlc_memref_view_isa(source))
        return to_value(results, dynamic_operand(source, type, (size_t)dim, 2));
    if (mlc_memref_subview_isa(source) || mlc_memref_reinterpret_cast_isa(source))
        return to_value(results, window_size(source, (size_t)dim));
    return mlc_memref_fold_casts(op, SIZE_MAX);
}

// --- views

const MlcReshapeOps mlc_memref_reshapes = {.expand = &mlc_memref_expand_shape_def,
                                           .collapse = &mlc_memref_collapse_shape_def,
                                           .cast = &mlc_memref_cast_def,
                                           .foldable_cast = mlc_memref_foldable_cast,
                                           .collapsed = mlc_memref_type_collapse};

bool
mlc_memref_collapse_shape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return mlc_reshape_fold(op, &mlc_memref_reshapes, constants, results);
}

bool
mlc_memref_expand_shape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return mlc_reshape_fold(op, &mlc_memref_reshapes, constants, results);
}

// Whose buffer a reinterpret_cast may take directly: it says the layout itself, and a window that
// starts at 0 starts where its source does.
static MlcValue *
before_reinterpreted(MlcOp *def)
{
    MlcMixedList offsets;
    if (mlc_memref_reinterpret_cast_isa(def) || mlc_memref_cast_isa(def) ||
        (mlc_memref_subview_isa(def) && mlc_mixed_list_read(def, "offsets", &offsets) &&
         mlc_mixed_list_all(&offsets, 0)))
        return mlc_op_operand(def, 0);
    return NULL;
}

bool
mlc_memref_reinterpret_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcValue *source = mlc_op_operand(op, 0), *before = before_reinterpreted(mlc_value_def(source));
    MlcType type = mlc_op_result_type(op, 0);
    if (before) {
        mlc_op_set_operand(op, 0, before);
        return true;
    }
    return mlc_value_type(source) == type && mlc_type_has_static_shape(type) &&
           mlc_dense_array_attr_int(mlc_memref_reinterpret_cast_static_offsets(op), 0) == 0 &&
           to_value(results, source);
}

// A window that is the whole, or the whole of a window just like it.
bool
mlc_memref_subview_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_op_result_type(op, 0);
    MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
    MlcSlice slice, outer;
    if (type != mlc_op_operand_type(op, 0))
        return false;
    if (mlc_type_has_static_shape(type))
        return to_value(results, mlc_op_operand(op, 0));
    return mlc_memref_subview_isa(source) && mlc_slice_read(op, &slice) &&
           mlc_slice_read(source, &outer) && mlc_mixed_list_all(&slice.offsets, 0) &&
           mlc_mixed_list_all(&slice.strides, 1) &&
           mlc_mixed_list_equal(&slice.sizes, &outer.sizes) &&
           to_value(results, mlc_op_operand(op, 0));
}

bool
mlc_memref_transpose_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcAffineMap map = mlc_memref_transpose_permutation(op);
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (mlc_affine_map_is_identity(map) && mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0))
        return to_value(results, mlc_op_operand(op, 0));
    if (!mlc_memref_transpose_isa(inner))
        return false;
    MlcAffineMap first = mlc_memref_transpose_permutation(inner);
    mlc_memref_transpose_set_permutation(op, mlc_affine_map_compose(map, first));
    mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
    return true;
}
