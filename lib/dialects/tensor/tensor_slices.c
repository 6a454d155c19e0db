// tensor_slices.c -- folds and patterns of slices: cut out, put back, in canonical form.
#include "tensor_impl.h"
#include "mlc/dialects/arith.h"

#include "mlc/ir/rewrite.h"

MlcType
mlc_tensor_slice_type(MlcType source, const MlcMixedList *sizes, size_t rank)
{
    int64_t shape[MLC_RANK_LIMIT];
    size_t kept = 0, to_drop = sizes->size > rank ? sizes->size - rank : 0;
    for (size_t i = 0; i < sizes->size; i++) {
        int64_t size = mlc_mixed_static(sizes->items[i]);
        if (size == 1 && to_drop)
            to_drop--;
        else
            shape[kept++] = size;
    }
    return mlc_tensor_type_get(mlc_type_element(source), shape, kept,
                               kept == sizes->size ? mlc_tensor_type_encoding(source) : NULL);
}

const char *
mlc_tensor_slice_fault(MlcType slice, MlcType whole, const int64_t *sizes, size_t rank)
{
    bool dropped[MLC_RANK_LIMIT];
    if (mlc_type_rank(slice) > rank)
        return "rank";
    if (!mlc_shape_dropped_dims(sizes, rank, mlc_type_shape(slice), mlc_type_rank(slice), dropped))
        return "size";
    return mlc_type_element(slice) == mlc_type_element(whole) ? NULL : "element type";
}

MlcAttr
mlc_tensor_splat_in(MlcAttr constant, MlcType type)
{
    if (!mlc_attr_is(constant, MLC_ATTR_DENSE) || !mlc_elements_attr_is_splat(constant) ||
        !mlc_tensor_is_static(type))
        return NULL;
    size_t num_bytes;
    const void *data = mlc_elements_attr_data(constant, &num_bytes);
    return mlc_dense_attr_get(type, data, num_bytes, true);
}

// --- folds

// All of a tensor of this type: offsets 0, sizes its dimensions, strides 1.
static bool
is_whole(const MlcSlice *slice, MlcType type)
{
    for (size_t i = 0; i < slice->sizes.size && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC ||
            !mlc_mixed_is(slice->sizes.items[i], mlc_type_dim(type, i)))
            return false;
    return mlc_mixed_list_all(&slice->offsets, 0) && mlc_mixed_list_all(&slice->strides, 1);
}

static bool
same_slice(const MlcOp *a, const MlcOp *b)
{
    MlcSlice x, y;
    return mlc_slice_read(a, &x) && mlc_slice_read(b, &y) && mlc_slice_equal(&x, &y);
}

bool
mlc_tensor_extract_slice_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_result_type(op, 0);
    MlcSlice slice;
    results->attr = mlc_tensor_splat_in(constants[0], type);
    if (results->attr)
        return true;
    if (mlc_op_operand_type(op, 0) == type && mlc_slice_read(op, &slice) && is_whole(&slice, type))
        return (results->value = mlc_op_operand(op, 0)) != NULL;
    // what was just put there
    MlcOp *insert = mlc_value_def(mlc_op_operand(op, 0));
    return mlc_tensor_insert_slice_isa(insert) && mlc_op_operand_type(insert, 0) == type &&
           same_slice(insert, op) && (results->value = mlc_op_operand(insert, 0));
}

bool
mlc_tensor_insert_slice_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType source = mlc_op_operand_type(op, 0), type = mlc_op_result_type(op, 0);
    MlcOp *before = mlc_value_def(mlc_op_operand(op, 1)),
          *cut = mlc_value_def(mlc_op_operand(op, 0));
    MlcSlice slice;
    if (!mlc_slice_read(op, &slice))
        return false;
    if (source == type && mlc_type_has_static_shape(type) && is_whole(&slice, type))
        return (results->value = mlc_op_operand(op, 0)) != NULL;
    // what is overwritten
    if (mlc_tensor_insert_slice_isa(before) && mlc_op_operand_type(before, 0) == source &&
        same_slice(before, op)) {
        mlc_op_set_operand(op, 1, mlc_op_operand(before, 1));
        return true;
    }
    // put back where it was cut out
    if (mlc_tensor_extract_slice_isa(cut) && mlc_op_operand(cut, 0) == mlc_op_operand(op, 1) &&
        same_slice(cut, op))
        return (results->value = mlc_op_operand(op, 1)) != NULL;
    for (size_t i = 0; i < slice.sizes.size; i++)
        if (mlc_mixed_is(slice.sizes.items[i], 0))
            return (results->value = mlc_op_operand(op, 1)) != NULL;
    return false;
}

// --- patterns of tensor.extract_slice

static bool
has_constant_operand(const MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcOp *def = mlc_value_def(mlc_op_operand(op, i));
        if (def && mlc_type_is(mlc_value_type(mlc_op_operand(op, i)), MLC_TYPE_INDEX) &&
            mlc_arith_constant_isa(def))
            return true;
    }
    return false;
}

// Offsets, sizes and strides that are constants stand in the attributes, and sizes in the type.
bool
mlc_tensor_extract_constants(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcSlice slice;
    if (!mlc_slice_read(op, &slice) || !mlc_slice_fold(&slice))
        return false;
    MlcType type = mlc_tensor_slice_type(mlc_op_operand_type(op, 0), &slice.sizes,
                                         mlc_type_rank(mlc_op_result_type(op, 0)));
    MlcValue *source = mlc_op_operand(op, 0);
    MlcOp *made =
        mlc_build_slice(mlc_rewriter_builder(rw), mlc_op_def(op), type, &source, 1, &slice);
    return mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

// extract_slice(cast(x)) -> extract_slice(x)
bool
mlc_tensor_slices_extract_from_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *cast = mlc_tensor_foldable_cast(mlc_op_operand(op, 0));
    MlcSlice slice;
    if (!cast || has_constant_operand(op) || !mlc_slice_read(op, &slice))
        return false;
    MlcValue *source = mlc_op_operand(cast, 0);
    mlc_rewriter_replace_with(rw, op,
                              mlc_build_slice(mlc_rewriter_builder(rw), mlc_op_def(op),
                                              mlc_op_result_type(op, 0), &source, 1, &slice));
    return true;
}

// --- patterns of tensor.insert_slice and tensor.parallel_insert_slice

static MlcValue *
cast_source(MlcBuilder *b, MlcOp *op, MlcType type)
{
    MlcBuilder outside = *b;
    if (mlc_tensor_parallel_insert_slice_isa(op)) // nothing else may stand among its like
        mlc_builder_before(&outside, mlc_op_parent(op));
    return mlc_tensor_cast_to(&outside, type, mlc_op_operand(op, 0));
}

static void
rebuild(MlcRewriter *rw, MlcOp *op, MlcValue *source, MlcValue *dest, const MlcSlice *slice)
{
    MlcValue *operands[] = {source, dest};
    bool is_parallel = mlc_tensor_parallel_insert_slice_isa(op);
    MlcOp *made = mlc_build_slice(mlc_rewriter_builder(rw), mlc_op_def(op),
                                  is_parallel ? NULL : mlc_value_type(dest), operands, 2, slice);
    if (is_parallel)
        mlc_rewriter_erase(rw, op);
    else
        mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

static bool
insert_constants(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcSlice slice;
    if (!mlc_slice_read(op, &slice) || !mlc_slice_fold(&slice))
        return false;
    MlcType source = mlc_op_operand_type(op, 0),
            type = mlc_tensor_slice_type(mlc_op_operand_type(op, 1), &slice.sizes,
                                         mlc_type_rank(source));
    if (!mlc_tensor_types_cast(source, type))
        return false;
    rebuild(rw, op, cast_source(mlc_rewriter_builder(rw), op, type), mlc_op_operand(op, 1), &slice);
    return true;
}

// Dimensions that a slice of these sizes leaves out of `type`; a dynamic size is any but 1. False
// if it cannot be.
static bool
loosely_dropped(const MlcMixedList *sizes, MlcType type, bool *dropped)
{
    size_t at = 0, rank = mlc_type_rank(type);
    for (size_t i = 0; i < sizes->size; i++) {
        int64_t size = mlc_mixed_static(sizes->items[i]),
                dim = at < rank ? mlc_type_dim(type, at) : 0;
        dropped[i] = at == rank ||
                     (size != dim && (size == 1 || (size != MLC_DYNAMIC && dim != MLC_DYNAMIC)));
        if (dropped[i] && size != 1)
            return false;
        at += !dropped[i];
    }
    return at == rank;
}

// insert_slice(cast(x), cast(y)) -> cast(insert_slice(x, y)), of x and y that know more
static bool
insert_of_casts(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcOp *casts[2];
    MlcValue *values[2];
    MlcSlice slice;
    bool dropped[MLC_RANK_LIMIT];
    int64_t sizes[MLC_RANK_LIMIT];
    for (size_t i = 0; i < 2; i++) {
        casts[i] = mlc_tensor_foldable_cast(mlc_op_operand(op, i));
        values[i] = casts[i] ? mlc_op_operand(casts[i], 0) : mlc_op_operand(op, i);
    }
    MlcType source = mlc_value_type(values[0]), dest = mlc_value_type(values[1]);
    if ((!casts[0] && !casts[1]) || has_constant_operand(op) || !mlc_slice_read(op, &slice) ||
        !loosely_dropped(&slice.sizes, source, dropped))
        return false;
    for (size_t i = 0, dim = 0; i < slice.sizes.size; i++)
        if (!dropped[i] && mlc_type_dim(source, dim) != MLC_DYNAMIC)
            slice.sizes.items[i] = mlc_mixed(mlc_type_dim(source, dim++));
    mlc_mixed_list_static(&slice.sizes, sizes);
    if (mlc_tensor_slice_fault(source, dest, sizes, slice.sizes.size))
        return false;
    rebuild(rw, op, values[0], values[1], &slice);
    return true;
}

// What the sizes know of the source's shape, a cast tells it.
static bool
insert_cast(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcType source = mlc_op_operand_type(op, 0), dest = mlc_op_operand_type(op, 1);
    size_t rank = mlc_type_rank(source);
    int64_t shape[MLC_RANK_LIMIT];
    MlcSlice slice;
    if (rank != mlc_type_rank(dest) || !mlc_slice_read(op, &slice))
        return false;
    for (size_t i = 0; i < rank; i++) {
        shape[i] = mlc_type_dim(source, i);
        if (mlc_mixed_constant(slice.sizes.items[i], &shape[i]) && shape[i] < 0)
            return false;
    }
    MlcType type = mlc_tensor_type_get(mlc_type_element(source), shape, rank,
                                       mlc_tensor_type_encoding(source));
    if (type == source || !mlc_tensor_knows_as_much(type, source) ||
        !mlc_tensor_types_cast(source, type))
        return false;
    rebuild(rw, op, cast_source(mlc_rewriter_builder(rw), op, type), mlc_op_operand(op, 1), &slice);
    return true;
}

static void
add_insert_patterns(MlcPatternSet *set, const char *root)
{
    const MlcPattern patterns[] = {
        {.name = "insert_slice: constants",
         .root = root,
         .benefit = 1,
         .rewrite = insert_constants},
        {.name = "insert_slice: of casts", .root = root, .benefit = 1, .rewrite = insert_of_casts},
        {.name = "insert_slice: source's type", .root = root, .benefit = 1, .rewrite = insert_cast},
    };
    mlc_pattern_set_add_all(set, patterns, 3);
}

void
mlc_tensor_insert_slice_patterns(MlcPatternSet *set)
{
    add_insert_patterns(set, "tensor.insert_slice");
}

void
mlc_tensor_parallel_insert_slice_patterns(MlcPatternSet *set)
{
    add_insert_patterns(set, "tensor.parallel_insert_slice");
}
