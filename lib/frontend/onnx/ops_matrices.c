// ops_matrices.c -- ONNX operators: determinants.
//
// Gaussian elimination, a step for each column: the row whose first element is the largest changes
// places with the first one, and the rest of the matrix loses what is below it. All matrices of a
// batch go through the same steps.
#include "node.h"

#include <inttypes.h>

enum { MAX_SIZE = 64 };

static MlcValue *
part(MlcOnnxNodeImport *n, MlcValue *value, int64_t row, int64_t end_row, int64_t column,
     int64_t end_column)
{
    const int64_t starts[] = {row, column}, ends[] = {end_row, end_column}, axes[] = {1, 2};
    return value ? mlc_onnx_slice(n, value, (MlcOnnxInts){starts, 2}, (MlcOnnxInts){ends, 2},
                                  (MlcOnnxInts){axes, 2}, (MlcOnnxInts){0})
                 : NULL;
}

// The largest of the first column first: rows in that order, [B, size, size], and -1 where two rows
// changed places, else 1, [B, 1, 1].
static MlcValue *
pivoted(MlcOnnxNodeImport *n, MlcValue *value, int64_t count, int64_t size, MlcValue **sign)
{
    MlcOnnxAttrs attrs = {0}, to_shape = {0};
    MlcType element = mlc_type_element(mlc_value_type(value));
    MlcType i64 = mlc_onnx_i64(n);
    const int64_t shape[] = {count, size, size};
    mlc_onnx_add_int(n, &attrs, "k", 1);
    mlc_onnx_add_int(n, &attrs, "axis", 1);
    MlcValue *column = mlc_onnx_build_one(n, &mlc_graph_abs_def, part(n, value, 0, size, 0, 1));
    MlcValue *at =
        column ? mlc_onnx_build_typed(n, &mlc_graph_top_k_def, i64, &column, 1, &attrs) : NULL;
    MlcValue *zero = mlc_onnx_build_number(n, i64, 0), *rows = mlc_onnx_build_count(n, size, 1, 3);
    MlcValue *is_first = mlc_onnx_compare(n, &mlc_graph_equal_def, rows, zero);
    MlcValue *is_pivot = mlc_onnx_compare(n, &mlc_graph_equal_def, rows, at);
    MlcValue *order = mlc_onnx_select(n, is_first, at, mlc_onnx_select(n, is_pivot, zero, rows));
    mlc_onnx_add_ints(n, &to_shape, "shape", (MlcOnnxInts){shape, 3});
    order = order ? mlc_onnx_build(n, &mlc_graph_expand_def, &order, 1, &to_shape) : NULL;
    *sign = mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, at, zero),
                            mlc_onnx_build_number(n, element, 1),
                            mlc_onnx_build_number(n, element, -1));
    MlcOnnxAttrs axis = {0};
    mlc_onnx_add_int(n, &axis, "axis", 1);
    MlcValue *operands[] = {value, order};
    return order && *sign ? mlc_onnx_build(n, &mlc_graph_gather_elements_def, operands, 2, &axis)
                          : NULL;
}

static bool
import_det(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    if (!mlc_type_has_small_rank(type) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) < 2 || !mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type) - 2;
    int64_t size = mlc_type_dim(type, rank), count = 1;
    if (mlc_type_dim(type, rank + 1) != size)
        return mlc_onnx_invalid(n, "an input of type %s, whose matrices are not square",
                                mlc_type_text(type));
    if (size < 1 || size > MAX_SIZE)
        return mlc_onnx_unsupported(n, "matrices of %" PRId64 " rows", size);
    for (size_t i = 0; i < rank; i++)
        count *= mlc_type_dim(type, i);
    const int64_t shape[] = {count, size, size};
    MlcValue *rest = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){shape, 3}, true);
    MlcValue *product = NULL, *zero = mlc_onnx_build_number(n, element, 0);
    for (; rest && size > 0; size--) {
        MlcValue *sign = NULL;
        if (size > 1 && !(rest = pivoted(n, rest, count, size, &sign)))
            return false;
        MlcValue *pivot = part(n, rest, 0, 1, 0, 1);
        MlcValue *factor = sign ? mlc_onnx_build_two(n, &mlc_graph_mul_def, pivot, sign) : pivot;
        product = product ? mlc_onnx_build_two(n, &mlc_graph_mul_def, product, factor) : factor;
        if (size == 1)
            break;
        // Below a pivot of 0 there are only zeros.
        MlcValue *share =
            mlc_onnx_build_two(n, &mlc_graph_div_def, part(n, rest, 1, size, 0, 1), pivot);
        share =
            mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, pivot, zero), zero, share);
        share = mlc_onnx_build_two(n, &mlc_graph_mul_def, share, part(n, rest, 0, 1, 1, size));
        rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, part(n, rest, 1, size, 1, size), share);
    }
    return mlc_onnx_set_result(
        n, rest && product
               ? mlc_onnx_reshape(n, product, (MlcOnnxInts){mlc_type_shape(type), rank}, true)
               : NULL);
}

static const MlcOnnxOperator rows[] = {
    {"Det", 11, MLC_ONNX_NEWEST, 1, 1, .import = import_det},
};
const MlcOnnxOperators mlc_onnx_matrices = MLC_ONNX_OPERATORS(rows);
