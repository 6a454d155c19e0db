// tensor_casts.c -- casts between tensors that know more and less of their shape: who may do
// without them.
#include "tensor_impl.h"

#include "mlc/ir/rewrite.h"

bool
mlc_tensor_knows_as_much(MlcType to, MlcType from)
{
    if (!mlc_type_is(from, MLC_TYPE_TENSOR) || !mlc_type_is(to, MLC_TYPE_TENSOR) ||
        mlc_type_element(from) != mlc_type_element(to) ||
        mlc_type_rank(from) != mlc_type_rank(to) ||
        mlc_tensor_type_encoding(from) != mlc_tensor_type_encoding(to))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) != MLC_DYNAMIC && mlc_type_dim(to, i) == MLC_DYNAMIC)
            return false;
    return true;
}

MlcOp *
mlc_tensor_foldable_cast(MlcValue *value)
{
    MlcOp *cast = mlc_value_def(value);
    bool ok = mlc_tensor_cast_isa(cast) &&
              mlc_tensor_knows_as_much(mlc_op_operand_type(cast, 0), mlc_value_type(value));
    return ok ? cast : NULL;
}

bool
mlc_tensor_fold_casts(MlcOp *op)
{
    bool any = false;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *cast = mlc_tensor_foldable_cast(mlc_op_operand(op, i));
        if (cast)
            mlc_op_set_operand(op, i, mlc_op_operand(cast, 0));
        any |= cast != NULL;
    }
    return any;
}

MlcValue *
mlc_tensor_cast_to(MlcBuilder *b, MlcType type, MlcValue *value)
{
    return mlc_value_type(value) == type ? value : mlc_tensor_cast(b, type, value);
}

bool
mlc_tensor_replace_cast(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    value = mlc_tensor_cast_to(mlc_rewriter_builder(rw), mlc_op_result_type(op, 0), value);
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

MlcType
mlc_tensor_shaped_like(MlcType type, const int64_t *shape, size_t rank)
{
    return mlc_tensor_type_get(mlc_type_element(type), shape, rank, NULL);
}

// --- tensor.cast

// All that two types together say of a shape, in `shape` (of unranked types: *rank is SIZE_MAX);
// false if they contradict.
typedef struct Shape {
    size_t rank;
    int64_t dims[MLC_RANK_LIMIT];
} Shape;

static Shape
shape_of(MlcType type)
{
    Shape shape = {.rank = SIZE_MAX};
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) > MLC_RANK_LIMIT)
        return shape;
    shape.rank = mlc_type_rank(type);
    for (size_t i = 0; i < shape.rank; i++)
        shape.dims[i] = mlc_type_dim(type, i);
    return shape;
}

static bool
join(const Shape *a, const Shape *b, Shape *out)
{
    *out = a->rank == SIZE_MAX ? *b : *a;
    if (a->rank == SIZE_MAX || b->rank == SIZE_MAX)
        return true;
    for (size_t i = 0; i < a->rank && a->rank == b->rank; i++)
        if (a->dims[i] == MLC_DYNAMIC)
            out->dims[i] = b->dims[i];
        else if (b->dims[i] != MLC_DYNAMIC && b->dims[i] != a->dims[i])
            return false;
    return a->rank == b->rank;
}

static bool
same_shape(const Shape *a, const Shape *b)
{
    return a->rank == b->rank &&
           (a->rank == SIZE_MAX || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0);
}

// cast(cast(x) : u) : t -> cast(x) : t, unless u checks what neither x nor t know
static bool
join_casts(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    if (!mlc_tensor_cast_isa(inner))
        return false;
    Shape source = shape_of(mlc_op_operand_type(inner, 0)),
          middle = shape_of(mlc_op_result_type(inner, 0)),
          result = shape_of(mlc_op_result_type(op, 0)), first, all, two;
    if (!join(&source, &middle, &first) || !join(&first, &result, &all) ||
        !join(&source, &result, &two) || !same_shape(&all, &two))
        return false;
    return mlc_rewriter_replace_op(rw, op,
                                   mlc_tensor_cast(mlc_rewriter_builder(rw),
                                                   mlc_op_result_type(op, 0),
                                                   mlc_op_operand(inner, 0)));
}

// cast(extract_slice(x)[sizes]) -> extract_slice(x)[the sizes the cast knows]
static bool
cast_of_slice(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0));
    MlcType type = mlc_op_result_type(op, 0), from = mlc_op_operand_type(op, 0);
    MlcSlice slice;
    int64_t sizes[MLC_RANK_LIMIT];
    bool dropped[MLC_RANK_LIMIT] = {false};
    if (!mlc_tensor_extract_slice_isa(inner) || !mlc_tensor_knows_as_much(type, from) ||
        !mlc_slice_read(inner, &slice) ||
        memcmp(mlc_type_shape(type), mlc_type_shape(from), mlc_type_rank(type) * 8) == 0)
        return false;
    mlc_mixed_list_static(&slice.sizes, sizes);
    mlc_shape_dropped_dims(sizes, slice.sizes.size, mlc_type_shape(from), mlc_type_rank(from),
                           dropped);
    for (size_t i = 0, dim = 0; i < slice.sizes.size; i++)
        if (!dropped[i] && mlc_type_dim(type, dim++) != MLC_DYNAMIC)
            slice.sizes.items[i] = mlc_mixed(mlc_type_dim(type, dim - 1));
    MlcValue *source = mlc_op_operand(inner, 0);
    mlc_rewriter_replace_with(rw, op,
                              mlc_build_slice(mlc_rewriter_builder(rw),
                                              &mlc_tensor_extract_slice_def, type, &source, 1,
                                              &slice));
    return true;
}

// cast(empty(sizes)) -> empty(the sizes the cast knows)
static bool
cast_of_empty(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *empty = mlc_value_def(mlc_op_operand(op, 0));
    MlcType type = mlc_op_result_type(op, 0), from = mlc_op_operand_type(op, 0);
    if (!mlc_tensor_empty_isa(empty) || !mlc_tensor_knows_as_much(type, from))
        return false;
    MlcValueVec sizes = {0};
    for (size_t i = 0, k = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) == MLC_DYNAMIC) {
            if (mlc_type_dim(type, i) == MLC_DYNAMIC)
                mlc_vec_push(&sizes, mlc_op_operand(empty, k));
            k++;
        }
    MlcType plain = mlc_tensor_shaped_like(type, mlc_type_shape(type), mlc_type_rank(type));
    MlcValue *made = mlc_tensor_empty(mlc_rewriter_builder(rw), plain, sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    return mlc_tensor_replace_cast(rw, op, made);
}

// Any op that writes into destinations takes operands as they were before they were cast; its
// results are cast back. (MLIR's FoldTensorCastProducerOp.)
static bool
fold_casts_into_destination_style(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t first, count, result = 0;
    bool any = false;
    if (mlc_tensor_insert_slice_isa(op) || !mlc_op_destinations(op, &first, &count))
        return false;
    for (size_t i = 0; i < mlc_op_num_operands(op) && !any; i++)
        any = mlc_tensor_foldable_cast(mlc_op_operand(op, i)) != NULL;
    if (!any)
        return false;
    MlcOp *made = mlc_builder_insert(mlc_rewriter_builder(rw), mlc_op_clone(op, NULL));
    mlc_tensor_fold_casts(made);
    MlcValueVec values = {0};
    for (size_t i = first; i < first + count; i++)
        if (!mlc_type_is(mlc_op_operand_type(made, i), MLC_TYPE_MEMREF) &&
            result < mlc_op_num_results(made))
            mlc_value_set_type(mlc_op_result(made, result++), mlc_op_operand_type(made, i));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&values, mlc_tensor_cast_to(mlc_rewriter_builder(rw),
                                                 mlc_value_type(mlc_op_result(op, i)),
                                                 mlc_op_result(made, i)));
    mlc_rewriter_replace(rw, op, values.data, values.size);
    mlc_vec_release(&values);
    return true;
}

void
mlc_tensor_cast_patterns(MlcPatternSet *set)
{
    static const MlcPattern patterns[] = {
        {.name = "tensor.cast: of a cast",
         .root = "tensor.cast",
         .benefit = 1,
         .rewrite = join_casts},
        {.name = "tensor.cast: of a slice",
         .root = "tensor.cast",
         .benefit = 1,
         .rewrite = cast_of_slice},
        {.name = "tensor.cast: of tensor.empty",
         .root = "tensor.cast",
         .benefit = 1,
         .rewrite = cast_of_empty},
        {.name = "tensor.cast: into ops with destinations",
         .interface = MLC_PATTERN_TRAIT(MLC_TRAIT_DESTINATION_STYLE),
         .benefit = 1,
         .rewrite = fold_casts_into_destination_style},
    };
    mlc_pattern_set_add_all(set, patterns, 4);
}
