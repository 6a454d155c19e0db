// tensor_fold.c -- folds of tensor ops: sizes that are known, views that are the whole, constants
// that are reshaped.
#include "tensor_impl.h"

static bool
to_operand(MlcFold *result, const MlcOp *op, size_t i)
{
    result->value = mlc_op_operand(op, i);
    return true;
}

static bool
to_attr(MlcFold *result, MlcAttr attr)
{
    result->attr = attr;
    return attr != NULL;
}

static bool
is_static(MlcType type)
{
    return mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
}

bool
mlc_tensor_cast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0) && to_operand(results, op, 0);
}

bool
mlc_tensor_bitcast_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0) && to_operand(results, op, 0);
}

bool
mlc_tensor_rank_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    MlcType type = mlc_op_operand_type(op, 0);
    if (!mlc_type_has_rank(type))
        return false;
    return to_attr(results, mlc_index_attr_get(mlc_op_context(op), (int64_t)mlc_type_rank(type)));
}

// The operand that gives dynamic dimension `dim` of a type; `first` is the one of its first dynamic
// dimension.
static MlcValue *
dynamic_operand(MlcOp *op, MlcType type, size_t dim, size_t first)
{
    for (size_t i = 0; i < dim; i++)
        first += mlc_type_dim(type, i) == MLC_DYNAMIC;
    return mlc_op_operand(op, first);
}

// A dynamic size of a slice, if no dimension was dropped.
static MlcValue *
slice_size(MlcOp *slice, size_t dim)
{
    MlcAttr sizes = mlc_tensor_extract_slice_static_sizes(slice);
    size_t first, count;
    if (mlc_dense_array_attr_size(sizes) != mlc_type_rank(mlc_op_result_type(slice, 0)))
        return NULL;
    mlc_op_operand_group(slice, 2, &first, &count);
    for (size_t i = 0; i < dim; i++)
        first += mlc_dense_array_attr_int(sizes, i) == MLC_DYNAMIC;
    return mlc_op_operand(slice, first);
}

// dim(x : tensor<..4..>) -> 4; of a dynamic dimension the operand that was given for it;
// dim(cast(x)) -> dim(x)
bool
mlc_tensor_dim_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_operand_type(op, 0);
    int64_t dim;
    if (!constants[1] || !mlc_attr_try_as_int(constants[1], &dim) || !mlc_type_has_rank(type) ||
        dim < 0 || dim >= (int64_t)mlc_type_rank(type))
        return false;
    if (mlc_type_dim(type, (size_t)dim) != MLC_DYNAMIC)
        return to_attr(results,
                       mlc_index_attr_get(mlc_op_context(op), mlc_type_dim(type, (size_t)dim)));
    MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
    if (mlc_tensor_generate_isa(source))
        return (results->value = dynamic_operand(source, type, (size_t)dim, 0)) != NULL;
    if (mlc_tensor_splat_isa(source))
        return (results->value = dynamic_operand(source, type, (size_t)dim, 1)) != NULL;
    if (mlc_tensor_extract_slice_isa(source))
        return (results->value = slice_size(source, (size_t)dim)) != NULL;
    return mlc_tensor_fold_casts(op);
}

// The row-major position of constant indices, from operand `first`; -1 if one is unknown or out of
// bounds.
static int64_t
linear_position(const MlcAttr *constants, size_t first, MlcType type)
{
    int64_t position = 0;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        int64_t index, size = mlc_type_dim(type, i);
        if (!constants[first + i] || !mlc_attr_try_as_int(constants[first + i], &index) ||
            index < 0 || index >= size)
            return -1;
        position = position * size + index;
    }
    return position;
}

// extract(splat) -> its element; extract(constant), extract(from_elements) at constant indices
bool
mlc_tensor_extract_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcOp *source = mlc_value_def(mlc_op_operand(op, 0));
    MlcType type = mlc_op_operand_type(op, 0);
    if (mlc_tensor_splat_isa(source))
        return to_operand(results, source, 0);
    if (mlc_attr_is(constants[0], MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(constants[0]))
        return to_attr(results, mlc_elements_attr_element(constants[0], 0));
    int64_t at = is_static(type) ? linear_position(constants, 1, type) : -1;
    if (at < 0)
        return false;
    if (mlc_tensor_from_elements_isa(source))
        return to_operand(results, source, (size_t)at);
    if (mlc_attr_is(constants[0], MLC_ATTR_DENSE) || mlc_attr_is(constants[0], MLC_ATTR_SPARSE))
        return to_attr(results, mlc_elements_attr_element(constants[0], (size_t)at));
    return false;
}

bool
mlc_tensor_from_elements_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    size_t n = mlc_op_num_operands(op);
    MlcType element = mlc_type_element(mlc_op_result_type(op, 0));
    bool is_complex = mlc_type_is(element, MLC_TYPE_COMPLEX);
    bool is_number = mlc_type_is_int_or_index(element) || mlc_type_is_float(element) || is_complex;
    for (size_t i = 0; i < n; i++)
        if (!constants[i] || (!mlc_attr_is(constants[i], MLC_ATTR_INTEGER) &&
                              !mlc_attr_is(constants[i], MLC_ATTR_FLOAT) &&
                              !(is_complex && mlc_attr_is(constants[i], MLC_ATTR_ARRAY))))
            return false;
    return is_number &&
           to_attr(results, mlc_dense_attr_from_elements(mlc_op_result_type(op, 0), constants, n));
}

bool
mlc_tensor_splat_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_result_type(op, 0);
    bool is_number =
        mlc_attr_is(constants[0], MLC_ATTR_INTEGER) || mlc_attr_is(constants[0], MLC_ATTR_FLOAT);
    return is_number && is_static(type) &&
           to_attr(results, mlc_dense_attr_splat(type, constants[0]));
}

bool
mlc_tensor_gather_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return to_attr(results, mlc_tensor_splat_in(constants[0], mlc_op_result_type(op, 0)));
}

// insert(c, splat of c) -> the splat
bool
mlc_tensor_insert_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)op;
    bool is_same = constants[0] && mlc_attr_is(constants[1], MLC_ATTR_DENSE) &&
                   mlc_elements_attr_is_splat(constants[1]) &&
                   mlc_elements_attr_element(constants[1], 0) == constants[0];
    return is_same && to_attr(results, constants[1]);
}

bool
mlc_tensor_collapse_shape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return mlc_reshape_fold(op, &mlc_tensor_reshapes, constants, results);
}

bool
mlc_tensor_expand_shape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return mlc_reshape_fold(op, &mlc_tensor_reshapes, constants, results);
}

// one tensor alone, of the same type
bool
mlc_tensor_concat_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    return mlc_op_num_operands(op) == 1 &&
           mlc_op_operand_type(op, 0) == mlc_op_result_type(op, 0) && to_operand(results, op, 0);
}

// The sizes are surely those that `source` has: its constants, and its own dims.
static bool
is_own_shape(MlcValue *source, MlcOp *sizes)
{
    MlcType type = mlc_value_type(source);
    int64_t size, dim;
    if (mlc_op_num_operands(sizes) != mlc_type_rank(type))
        return false;
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        MlcValue *value = mlc_op_operand(sizes, i);
        MlcOp *def = mlc_value_def(value);
        if (mlc_value_constant_int(value, &size)) {
            if (size != mlc_type_dim(type, i))
                return false;
        } else if (!mlc_tensor_dim_isa(def) || mlc_op_operand(def, 0) != source ||
                   !mlc_value_constant_int(mlc_op_operand(def, 1), &dim) || dim != (int64_t)i) {
            return false;
        }
    }
    return true;
}

// reshape(reshape(x)) -> reshape(x); reshape to the shape that it has -> x
bool
mlc_tensor_reshape_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcType type = mlc_op_result_type(op, 0);
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0)),
          *sizes = mlc_value_def(mlc_op_operand(op, 1));
    if (mlc_attr_is(constants[0], MLC_ATTR_DENSE) && is_static(type)) {
        size_t num_bytes;
        const void *data = mlc_elements_attr_data(constants[0], &num_bytes);
        return to_attr(results, mlc_dense_attr_get(type, data, num_bytes,
                                                   mlc_elements_attr_is_splat(constants[0])));
    }
    if (mlc_tensor_reshape_isa(inner)) {
        mlc_op_set_operand(op, 0, mlc_op_operand(inner, 0));
        return true;
    }
    if (mlc_op_operand_type(op, 0) != type || !mlc_type_has_rank(type))
        return false;
    if (mlc_type_rank(type) == 1 ||
        (mlc_tensor_from_elements_isa(sizes) && is_own_shape(mlc_op_operand(op, 0), sizes)))
        return to_operand(results, op, 0);
    return false;
}
