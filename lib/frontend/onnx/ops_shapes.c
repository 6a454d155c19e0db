// ops_shapes.c -- ONNX operators: shapes and places: what moves elements, or gathers them.
#include "computed_sizes.h"
#include "found_sizes.h"
#include "strings_of.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

#define MAX_INTEGER 0x1p53 // up to which every one is a double

enum { MAX_PLACES = 1 << 20 }; // that a constant lists

// ---- shapes

// Marks the axes in `marked`; negative ones count from the end.
static bool
mark_axes(MlcOnnxNodeImport *n, MlcOnnxInts axes, size_t rank, bool *marked)
{
    for (size_t i = 0; i < axes.count; i++) {
        int64_t axis = axes.items[i] < 0 ? axes.items[i] + (int64_t)rank : axes.items[i];
        if (axis < 0 || axis >= (int64_t)rank)
            return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %zu",
                                    axes.items[i], rank);
        if (marked[axis])
            return mlc_onnx_invalid(n, "axis %" PRId64 " is given twice", axes.items[i]);
        marked[axis] = true;
    }
    return true;
}

// Squeeze and Unsqueeze: a reshape whose unknown sizes have names, or whose only one is inferred.
static bool
reshape_to_dims(MlcOnnxNodeImport *n, MlcOnnxSizes *sizes)
{
    size_t num_unknown = 0;
    for (size_t i = 0; i < sizes->count; i++)
        if (!sizes->items[i]) {
            sizes->items[i] = mlc_size_number(mlc_onnx_context_of(n), -1);
            num_unknown++;
        }
    if (num_unknown > 1)
        return mlc_onnx_unsupported(n, "more than one size of its input is unknown");
    return mlc_onnx_set_result(n, mlc_onnx_reshape_to(n, n->inputs[0], sizes));
}

static bool
import_squeeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    size_t rank = mlc_type_rank(type);
    bool *marked = MLC_NEW_ARRAY(&n->import->arena, bool, rank);
    MlcOnnxSizes dims = {MLC_NEW_ARRAY(&n->import->arena, MlcAttr, rank), 0};
    if (!mark_axes(n, axes, rank, marked))
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t dim = mlc_type_dim(type, i);
        if (marked[i] && dim != 1 && dim != MLC_DYNAMIC)
            return mlc_onnx_invalid(n, "axis %zu has size %" PRId64 ", not 1", i, dim);
        if (!(given ? marked[i] : dim == 1))
            dims.items[dims.count++] = mlc_size_of_dim(type, i);
    }
    return reshape_to_dims(n, &dims);
}

static bool
import_unsqueeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_attribute_or_input_ints(n, "axes", 1, &axes, &given))
        return false;
    if (!given)
        return mlc_onnx_invalid(n, "axes are required");
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    size_t rank = mlc_type_rank(type) + axes.count, next = 0;
    bool *marked = MLC_NEW_ARRAY(&n->import->arena, bool, rank);
    MlcOnnxSizes dims = {MLC_NEW_ARRAY(&n->import->arena, MlcAttr, rank), rank};
    if (!mark_axes(n, axes, rank, marked))
        return false;
    for (size_t i = 0; i < rank; i++)
        dims.items[i] =
            marked[i] ? mlc_size_number(mlc_onnx_context_of(n), 1) : mlc_size_of_dim(type, next++);
    return reshape_to_dims(n, &dims);
}

// [begin..., end...] of all dimensions; given for some axes only since opset 18.
static bool
read_pads(MlcOnnxNodeImport *n, size_t rank, MlcOnnxSizes *pads)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    const char *name = n->import->opset < 2 ? "paddings" : "pads";
    MlcOnnxInts axes = {0}, numbers = {0};
    bool given = true, are_sizes = mlc_onnx_is_sizes(mlc_onnx_input_or_null(n, 1));
    if (are_sizes ? !mlc_onnx_sizes_of(n, n->inputs[1], pads)
                  : !mlc_onnx_attribute_or_input_ints(n, name, 1, &numbers, &given))
        return false;
    if (!given)
        return mlc_onnx_invalid(n, "pads are required");
    if (!are_sizes)
        *pads = mlc_onnx_sizes_of_numbers(n, numbers);
    bool has_axes = mlc_onnx_input_or_null(n, 3) != NULL;
    if (has_axes && !mlc_onnx_constant_ints(n, 3, &axes))
        return false;
    size_t expected = has_axes ? axes.count : rank;
    if (pads->count != 2 * expected)
        return mlc_onnx_invalid(n, "%zu pads for %zu dimensions", pads->count, expected);
    if (!has_axes)
        return true;
    MlcAttr *all = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, 2 * rank + 1);
    for (size_t i = 0; i < 2 * rank; i++)
        all[i] = mlc_size_number(ctx, 0);
    for (size_t i = 0; i < axes.count; i++) {
        int64_t axis = axes.items[i] + (axes.items[i] < 0 ? (int64_t)rank : 0);
        if (axis < 0 || axis >= (int64_t)rank)
            return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %zu",
                                    axes.items[i], rank);
        all[axis] = pads->items[i];
        all[(size_t)axis + rank] = pads->items[i + axes.count];
    }
    *pads = (MlcOnnxSizes){all, 2 * rank};
    return true;
}

// Which element of a dimension of `size` stands at position `i`, which may lie outside.
static int64_t
position_inside(MlcStr mode, int64_t i, int64_t size)
{
    bool is_edge = mlc_str_equal(mode, mlc_str("edge"));
    int64_t period = mlc_str_equal(mode, mlc_str("wrap")) ? size : 2 * (size - 1);
    if (is_edge || period == 0)
        return i < 0 ? 0 : i < size ? i : size - 1;
    i = (i % period + period) % period;
    return i < size ? i : period - i;
}

// The same of a size that is known when the model runs, from `begin` elements before the input on:
// as many periods are added as make the places positive.
static MlcValue *
places_inside(MlcOnnxNodeImport *n, MlcStr mode, MlcAttr size, int64_t begin, MlcAttr count)
{
    MlcType i64 = mlc_onnx_i64(n);
    MlcValue *place =
        mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_build_count_to(n, count, 0, 1),
                           mlc_onnx_build_number(n, i64, (double)begin));
    if (mlc_str_equal(mode, mlc_str("edge")))
        return place;
    MlcValue *one = mlc_onnx_build_number(n, i64, 1), *all = mlc_onnx_build_size(n, size);
    MlcValue *last = mlc_onnx_build_two(n, &mlc_graph_sub_def, all, one);
    MlcValue *period = mlc_str_equal(mode, mlc_str("wrap"))
                           ? all
                           : mlc_onnx_build_two(n, &mlc_graph_add_def, last, last);
    period = mlc_onnx_build_two(n, &mlc_graph_max_def, period, one);
    MlcValue *periods =
        mlc_onnx_build_two(n, &mlc_graph_mul_def, period,
                           mlc_onnx_build_number(n, i64, (double)(begin > 0 ? begin : 0)));
    place = mlc_onnx_build_two(n, &mlc_graph_add_def, place, periods);
    place = mlc_onnx_build_two(n, &mlc_graph_mod_def, place, period);
    MlcValue *back = mlc_onnx_build_two(n, &mlc_graph_sub_def, period, place);
    return mlc_onnx_build_two(n, &mlc_graph_min_def, place,
                              mlc_str_equal(mode, mlc_str("wrap")) ? place : back);
}

static MlcValue *
pad_open_axis(MlcOnnxNodeImport *n, MlcStr mode, MlcValue *value, size_t axis, int64_t begin,
              int64_t end)
{
    MlcAttr size = mlc_size_of_dim(mlc_value_type(value), axis);
    if (!size)
        return mlc_onnx_unknown_size(n, (int64_t)axis), NULL;
    MlcAttr count =
        mlc_size_combine(MLC_SIZE_ADD, size, mlc_size_number(mlc_onnx_context_of(n), begin + end));
    MlcValue *places = count ? places_inside(n, mode, size, begin, count) : NULL;
    return places ? mlc_onnx_gather_held(n, value, places, size, axis) : NULL;
}

// Elements of the input around it: a gather along each padded dimension.
static bool
pad_with_elements(MlcOnnxNodeImport *n, MlcStr mode, MlcOnnxInts pads)
{
    MlcValue *value = n->inputs[0];
    size_t rank = mlc_type_rank(mlc_value_type(value));
    for (size_t i = 0; value && i < rank; i++) {
        int64_t size = mlc_type_dim(mlc_value_type(value), i), begin = pads.items[i], count;
        if (begin == 0 && pads.items[i + rank] == 0)
            continue;
        if (size == 0)
            return mlc_onnx_unsupported(n, "mode '%.*s' for an input of type %s", MLC_STR_FMT(mode),
                                        mlc_type_text(mlc_value_type(value)));
        // Many places are computed where the model runs, as those of an open size are.
        bool is_open = size == MLC_DYNAMIC;
        if (__builtin_add_overflow(begin, pads.items[i + rank], &count) ||
            __builtin_add_overflow(count, is_open ? 0 : size, &count) || count > INT_MAX ||
            begin > INT_MAX || (is_open ? count < INT_MIN : count < 0))
            return mlc_onnx_invalid(n, "pads %" PRId64 " and %" PRId64 " of a size of %" PRId64,
                                    begin, pads.items[i + rank], size);
        if (is_open || count > MAX_PLACES) {
            value = pad_open_axis(n, mode, value, i, begin, pads.items[i + rank]);
            continue;
        }
        int64_t *positions = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count);
        for (int64_t k = 0; k < count; k++)
            positions[k] = position_inside(mode, k - begin, size);
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_int(n, &attrs, "axis", (int64_t)i);
        MlcValue *operands[] = {value, mlc_onnx_build_ints(n, positions, &count, 1)};
        value = mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs);
    }
    return mlc_onnx_set_result(
        n, value == n->inputs[0] ? mlc_onnx_build_one(n, &mlc_graph_identity_def, value) : value);
}

// What strings are filled up with, by its number.
static bool
read_pad_string(MlcOnnxNodeImport *n, double *number)
{
    MlcValue *given = mlc_onnx_input_or_null(n, 2);
    MlcAttr known = given ? mlc_value_constant(given) : NULL;
    if (given && !known)
        return mlc_onnx_unknown_value(n, 2);
    if (given && (!mlc_onnx_is_strings(n->import, given) ||
                  mlc_type_num_elements(mlc_attr_type(known)) != 1))
        return mlc_onnx_invalid(n, "strings are filled up with %s",
                                mlc_type_text(mlc_value_type(given)));
    int64_t literal = known ? mlc_attr_as_int(mlc_elements_attr_element(known, 0))
                            : mlc_onnx_literal(n->import, mlc_str(""));
    *number = (double)literal;
    return true;
}

// As many of one number before and behind the value as sizes say: joined along each such axis.
static MlcValue *
join_pads(MlcOnnxNodeImport *n, MlcValue *value, const MlcOnnxSizes *pads, MlcAttr number)
{
    size_t rank = pads->count / 2;
    MlcOnnxSizes dims;
    MlcType scalar = mlc_tensor_type_get(mlc_type_element(mlc_value_type(value)), NULL, 0, NULL);
    MlcValue *one = mlc_onnx_build_value(n, mlc_dense_attr_splat(scalar, number));
    for (size_t i = 0; value && i < rank; i++) {
        MlcValue *parts[3] = {NULL, value, NULL};
        int64_t known;
        if (!mlc_onnx_dims_of(n, value, &dims))
            return NULL;
        for (size_t k = 0; k < 2; k++) {
            dims.items[i] = pads->items[i + k * rank];
            if (!mlc_size_is_number(dims.items[i], &known))
                parts[2 * k] = mlc_onnx_expand_to(n, one, &dims);
        }
        size_t first = parts[0] ? 0 : 1, last = parts[2] ? 2 : 1;
        if (first < last)
            value = mlc_onnx_concat(n, parts + first, last - first + 1, (int64_t)i);
    }
    return value;
}

static bool
import_pad(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    MlcOnnxSizes sizes = {0};
    MlcOnnxInts pads = {0};
    MlcStr mode = mlc_str("constant");
    MlcType type = mlc_value_type(n->inputs[0]);
    double value = 0;
    float old_value = 0;
    if (!mlc_onnx_read_str(n, "mode", &mode))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    if (!read_pads(n, mlc_type_rank(type), &sizes))
        return false;
    bool is_known = mlc_onnx_size_numbers(n, &sizes, 0, &pads);
    if (!is_known && !mlc_str_equal(mode, mlc_str("constant")))
        return mlc_onnx_unknown_value(n, 1);
    if (mlc_str_equal(mode, mlc_str("reflect")) || mlc_str_equal(mode, mlc_str("edge")) ||
        mlc_str_equal(mode, mlc_str("wrap")))
        return pad_with_elements(n, mode, pads);
    if (!mlc_str_equal(mode, mlc_str("constant")))
        return mlc_onnx_unsupported(n, "mode '%.*s'", MLC_STR_FMT(mode));
    bool are_strings = mlc_onnx_is_strings(n->import, n->inputs[0]);
    if (are_strings ? !read_pad_string(n, &value)
                    : !mlc_onnx_read_float(n, "value", &old_value) ||
                          (mlc_onnx_input_or_null(n, 2) && !mlc_onnx_constant_float(n, 2, &value)))
        return false;
    if (!are_strings && !mlc_onnx_input_or_null(n, 2))
        value = (double)old_value;
    // Integers are said by a number that holds them.
    MlcType element = mlc_type_element(type);
    bool is_float = mlc_type_is_float(element);
    if (!is_float && fabs(value) > MAX_INTEGER)
        return mlc_onnx_unsupported(n, "a value beyond 2^53");
    if (!is_float)
        element = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    mlc_onnx_add_ints(n, &attrs, "pads", pads);
    mlc_onnx_add_attr(n, &attrs, "value", mlc_float_attr_get(element, value));
    MlcValue *padded = mlc_onnx_build(n, &mlc_graph_pad_def, n->inputs, 1, &attrs);
    MlcAttr number = is_float ? mlc_float_attr_get(element, value)
                              : mlc_integer_attr_get(mlc_type_element(type), (int64_t)value);
    return mlc_onnx_set_result(n,
                               is_known || !padded ? padded : join_pads(n, padded, &sizes, number));
}

// The sizes that are asked for: an attribute, or input 1, which in opset 1 has elements as the
// input's.
static bool
read_split(MlcOnnxNodeImport *n, MlcOnnxInts *sizes, bool *given)
{
    MlcAttr value = n->num_inputs > 1 ? mlc_value_constant(n->inputs[1]) : NULL;
    if (!value || !mlc_type_is_float(mlc_type_element(mlc_attr_type(value))))
        return mlc_onnx_attribute_or_input_ints(n, "split", 1, sizes, given);
    int64_t count = mlc_type_num_elements(mlc_attr_type(value));
    if (!mlc_onnx_can_list(n, count))
        return false;
    int64_t *numbers = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        double number = mlc_float_attr_as_double(mlc_elements_attr_element(value, (size_t)i));
        if (!(fabs(number) <= MAX_INTEGER) || number != floor(number))
            return mlc_onnx_invalid(n, "output %" PRId64 " has the size %g", i, number);
        numbers[i] = (int64_t)number;
    }
    *sizes = (MlcOnnxInts){numbers, (size_t)count};
    return *given = true;
}

// Sizes along the axis, of which some are known when the model runs: given, or as even as possible.
static bool
open_split_sizes(MlcOnnxNodeImport *n, MlcAttr size, MlcOnnxSizes *sizes)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    int64_t count = (int64_t)n->node->output.count;
    bool given = true;
    MlcOnnxInts numbers;
    if (mlc_onnx_is_sizes(mlc_onnx_input_or_null(n, 1)))
        return mlc_onnx_sizes_of(n, n->inputs[1], sizes);
    if (!read_split(n, &numbers, &given))
        return false;
    if (given) {
        *sizes = mlc_onnx_sizes_of_numbers(n, numbers);
        return true;
    }
    MlcAttr more = mlc_size_combine(MLC_SIZE_ADD, size, mlc_size_number(ctx, count - 1));
    MlcAttr each = mlc_size_combine(MLC_SIZE_FLOORDIV, more, mlc_size_number(ctx, count));
    *sizes =
        (MlcOnnxSizes){MLC_NEW_ARRAY(&n->import->arena, MlcAttr, (size_t)count), (size_t)count};
    for (int64_t i = 0; i < count; i++)
        sizes->items[i] = each;
    MlcAttr others = mlc_size_combine(MLC_SIZE_MUL, each, mlc_size_number(ctx, count - 1));
    sizes->items[count - 1] = mlc_size_combine(MLC_SIZE_SUB, size, others);
    return true;
}

static bool
split_open(MlcOnnxNodeImport *n, int64_t axis)
{
    MlcAttr size = mlc_size_of_dim(mlc_value_type(n->inputs[0]), (size_t)axis);
    MlcAttr start = mlc_size_number(mlc_onnx_context_of(n), 0);
    MlcOnnxSizes sizes;
    size_t count = n->node->output.count;
    if (!size)
        return mlc_onnx_unknown_size(n, axis);
    if (!open_split_sizes(n, size, &sizes))
        return false;
    if (sizes.count != count)
        return mlc_onnx_invalid(n, "%zu sizes for %zu outputs", sizes.count, count);
    for (size_t i = 0; i < count; i++) {
        MlcAttr end = mlc_size_combine(MLC_SIZE_ADD, start, sizes.items[i]);
        if (!end)
            return mlc_onnx_unknown_value(n, 1);
        if (i + 1 == count)
            mlc_onnx_expect_equal(n, end, size);
        n->outputs[i] =
            mlc_onnx_slice_to(n, n->inputs[0], start, i + 1 == count ? size : end, axis);
        if (!n->outputs[i])
            return false;
        start = end;
    }
    return true;
}

// Sizes along the axis: given, or of `size` as evenly as possible, the last one smaller.
static bool
split_sizes(MlcOnnxNodeImport *n, int64_t axis, MlcOnnxInts *sizes)
{
    bool given;
    size_t count = n->node->output.count;
    int64_t size = mlc_type_dim(mlc_value_type(n->inputs[0]), (size_t)axis);
    if (!read_split(n, sizes, &given))
        return false;
    if (given && sizes->count != count)
        return mlc_onnx_invalid(n, "%zu sizes for %zu outputs", sizes->count, count);
    int64_t *even = MLC_NEW_ARRAY(&n->import->arena, int64_t, count), sum = 0;
    int64_t each = (size + (int64_t)count - 1) / (int64_t)count;
    for (size_t i = 0; !given && i < count; i++) {
        even[i] = sum + each <= size ? each : size - sum;
        sum += even[i];
    }
    if (!given)
        *sizes = (MlcOnnxInts){even, count};
    sum = 0;
    for (size_t i = 0; i < count; i++)
        if (sizes->items[i] < 0 || __builtin_add_overflow(sum, sizes->items[i], &sum))
            return mlc_onnx_invalid(n, "output %zu has the size %" PRId64, i, sizes->items[i]);
    return sum == size ||
           mlc_onnx_invalid(n, "sizes add up to %" PRId64 ", expected %" PRId64, sum, size);
}

static bool
import_split(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcOnnxInts sizes = {0};
    int64_t axis = 0, start = 0;
    if (!mlc_onnx_read_int(n, "axis", &axis))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    axis += axis < 0 ? rank : 0;
    if (mlc_type_dim(type, (size_t)axis) == MLC_DYNAMIC ||
        mlc_onnx_is_sizes(mlc_onnx_input_or_null(n, 1)))
        return split_open(n, axis);
    if (!split_sizes(n, axis, &sizes))
        return false;
    for (size_t i = 0; i < sizes.count; i++) {
        int64_t end = start + sizes.items[i];
        n->outputs[i] =
            mlc_onnx_slice(n, n->inputs[0], (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                           (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
        if (!n->outputs[i])
            return false;
        start = end;
    }
    return true;
}

// Before opset 6: as often as one number says, along an axis that is an input too.
static bool
import_tile_axis(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    MlcType type = mlc_value_type(n->inputs[0]);
    double tiles, axis;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    if (!mlc_onnx_constant_float(n, 1, &tiles) || !mlc_onnx_constant_float(n, 2, &axis))
        return false;
    size_t rank = mlc_type_rank(type);
    if (!(axis >= -(double)rank && axis < (double)rank) || axis != floor(axis))
        return mlc_onnx_invalid(n, "axis %g is out of range for rank %zu", axis, rank);
    if (!(tiles >= 0 && tiles <= MAX_INTEGER) || tiles != floor(tiles))
        return mlc_onnx_invalid(n, "%g tiles", tiles);
    int64_t *repeats = MLC_NEW_ARRAY(&n->import->arena, int64_t, rank);
    for (size_t i = 0; i < rank; i++)
        repeats[i] = (double)i == axis + (axis < 0 ? (double)rank : 0) ? (int64_t)tiles : 1;
    mlc_onnx_add_ints(n, &attrs, "repeats", (MlcOnnxInts){repeats, rank});
    return mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_tile_def, n->inputs, 1, &attrs));
}

// A block of channels becomes one of positions, or the other way round: `split` is the shape with
// blocks, `perm` puts them where they go, `joined` is the result's shape.
static bool
move_blocks(MlcOnnxNodeImport *n, const MlcAttr split[6], const int64_t perm[6],
            const MlcAttr joined[4])
{
    MlcAttr from[6], to[4];
    memcpy(from, split, sizeof from);
    memcpy(to, joined, sizeof to);
    MlcValue *value = mlc_onnx_reshape_to(n, n->inputs[0], &(MlcOnnxSizes){from, 6});
    value = value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, 6}) : NULL;
    return mlc_onnx_set_result(n, mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){to, 4}));
}

// The input [N, C, H, W] and its blocks. `is_crd`: a channel's parts lie side by side, where DCR
// has the blocks outside.
typedef struct Blocks {
    MlcOnnxSizes dims;
    int64_t size;
    bool is_crd;
    MlcAttr side; // the size, as one
} Blocks;

static bool
read_blocks(MlcOnnxNodeImport *n, Blocks *blocks)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcStr mode = mlc_str("DCR");
    if (!mlc_onnx_read_int(n, "blocksize", &blocks->size) || !mlc_onnx_read_str(n, "mode", &mode))
        return false;
    blocks->is_crd = mlc_str_equal(mode, mlc_str("CRD"));
    if (!blocks->is_crd && !mlc_str_equal(mode, mlc_str("DCR")))
        return mlc_onnx_invalid(n, "attribute 'mode' is '%.*s'", MLC_STR_FMT(mode));
    if (blocks->size < 1 || blocks->size > INT16_MAX)
        return mlc_onnx_invalid(n, "attribute 'blocksize' is %" PRId64, blocks->size);
    blocks->side = mlc_size_number(mlc_onnx_context_of(n), blocks->size);
    bool ok = mlc_type_has_rank(type) && mlc_type_rank(type) == 4;
    for (size_t i = 1; ok && i < 4; i++)
        ok = mlc_type_dim(type, i) != 0;
    return ok ? mlc_onnx_dims_of(n, n->inputs[0], &blocks->dims)
              : mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
}

static MlcAttr
times(MlcAttr a, MlcAttr b)
{
    return mlc_size_combine(MLC_SIZE_MUL, a, b);
}

// size / by, of which nothing may be left over when the model runs.
static MlcAttr
parts_of(MlcOnnxNodeImport *n, MlcAttr size, MlcAttr by)
{
    MlcAttr parts = mlc_size_combine(MLC_SIZE_FLOORDIV, size, by);
    mlc_onnx_expect_equal(n, size, times(parts, by));
    return parts;
}

static bool
import_depth_to_space(MlcOnnxNodeImport *n)
{
    Blocks blocks = {0};
    int64_t channels;
    if (!read_blocks(n, &blocks))
        return false;
    MlcAttr *s = blocks.dims.items, b = blocks.side;
    int64_t area = blocks.size * blocks.size;
    if (mlc_size_is_number(s[1], &channels) && channels % area != 0)
        return mlc_onnx_invalid(n, "%" PRId64 " channels are no blocks of %" PRId64, channels,
                                area);
    MlcAttr c = parts_of(n, s[1], mlc_size_number(mlc_onnx_context_of(n), area));
    const MlcAttr joined[] = {s[0], c, times(s[2], b), times(s[3], b)};
    return blocks.is_crd ? move_blocks(n, (MlcAttr[]){s[0], c, b, b, s[2], s[3]},
                                       (int64_t[]){0, 1, 4, 2, 5, 3}, joined)
                         : move_blocks(n, (MlcAttr[]){s[0], b, b, c, s[2], s[3]},
                                       (int64_t[]){0, 3, 4, 1, 5, 2}, joined);
}

static bool
import_space_to_depth(MlcOnnxNodeImport *n)
{
    Blocks blocks = {0};
    int64_t size[2] = {0};
    if (!read_blocks(n, &blocks))
        return false;
    MlcAttr *s = blocks.dims.items, b = blocks.side;
    bool is_known = mlc_size_is_number(s[2], &size[0]) && mlc_size_is_number(s[3], &size[1]);
    if (is_known && (size[0] % blocks.size != 0 || size[1] % blocks.size != 0))
        return mlc_onnx_invalid(n, "%" PRId64 " x %" PRId64 " positions are no blocks of %" PRId64,
                                size[0], size[1], blocks.size);
    MlcAttr h = parts_of(n, s[2], b), w = parts_of(n, s[3], b);
    return move_blocks(n, (MlcAttr[]){s[0], s[1], h, b, w, b},
                       blocks.is_crd ? (int64_t[]){0, 1, 3, 5, 2, 4}
                                     : (int64_t[]){0, 3, 5, 1, 2, 4},
                       (MlcAttr[]){s[0], times(s[1], times(b, b)), h, w});
}

// ---- Slice

static bool
is_one_integer(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is_int_or_index(mlc_type_element(type)) && mlc_type_has_rank(type) &&
           mlc_type_has_static_shape(type) && mlc_type_num_elements(type) == 1;
}

// The integer that this is another shape of.
static MlcValue *
integer_behind(MlcValue *value)
{
    for (MlcOp *op; (op = mlc_value_def(value));) {
        if (!mlc_graph_reshape_isa(op) && !mlc_graph_identity_isa(op))
            break;
        value = mlc_op_operand(op, 0);
    }
    return value;
}

// Whether `end` is computed as `start` and a constant, the number of elements between them.
static bool
is_window(MlcValue *start, MlcValue *end, int64_t *count)
{
    if (!is_one_integer(start) || !is_one_integer(end))
        return false;
    MlcOp *sum = mlc_value_def(integer_behind(end));
    for (size_t i = 0; sum && mlc_graph_add_isa(sum) && i < 2; i++) {
        MlcAttr added = mlc_value_constant(mlc_op_operand(sum, i));
        if (added && integer_behind(mlc_op_operand(sum, 1 - i)) == integer_behind(start) &&
            mlc_type_num_elements(mlc_attr_type(added)) == 1 &&
            mlc_onnx_element_int(mlc_elements_attr_element(added, 0), count))
            return *count > 0 && *count < INT32_MAX;
    }
    return false;
}

// So many neighbours from a place that is computed: gathered. A place that counts from the end, or
// leaves fewer elements, is an error when the model runs.
static bool
slice_window(MlcOnnxNodeImport *n, int64_t count)
{
    MlcOnnxInts axes = {0}, steps = {0};
    MlcOnnxAttrs attrs = {0};
    MlcType i64 = mlc_onnx_i64(n);
    const int64_t one = 1;
    if ((mlc_onnx_input_or_null(n, 3) && !mlc_onnx_constant_ints(n, 3, &axes)) ||
        (mlc_onnx_input_or_null(n, 4) && !mlc_onnx_constant_ints(n, 4, &steps)))
        return false;
    if (axes.count > 1 || (steps.count && (steps.count != 1 || steps.items[0] != 1)))
        return mlc_onnx_unknown_value(n, 1);
    mlc_onnx_add_int(n, &attrs, "axis", axes.count ? axes.items[0] : 0);
    MlcValue *start = mlc_onnx_cast(n, n->inputs[1], i64);
    start = start ? mlc_onnx_reshape(n, start, (MlcOnnxInts){&one, 1}, true) : NULL;
    MlcValue *is_below =
        start ? mlc_onnx_compare(n, &mlc_graph_less_def, start, mlc_onnx_build_number(n, i64, 0))
              : NULL;
    start = mlc_onnx_expect(n, start, is_below, 0, "whether the start counts from the end");
    MlcValue *places =
        mlc_onnx_build_two(n, &mlc_graph_add_def, start, mlc_onnx_build_count(n, count, 0, 1));
    MlcValue *operands[] = {n->inputs[0], places};
    return places &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs));
}

// All of an open axis backwards, the only one that is cut: rows are gathered from the end on.
static bool
slice_backwards(MlcOnnxNodeImport *n, bool *is_done)
{
    MlcOnnxInts starts, ends, axes = {0}, steps = {0};
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcType i64 = mlc_onnx_i64(n);
    *is_done = false;
    if (!mlc_onnx_input_or_null(n, 4) || !mlc_type_has_rank(type) ||
        !mlc_value_constant(n->inputs[1]) || !mlc_value_constant(n->inputs[2]))
        return true;
    if (!mlc_onnx_constant_ints(n, 1, &starts) || !mlc_onnx_constant_ints(n, 2, &ends) ||
        !mlc_onnx_constant_ints(n, 4, &steps) ||
        (mlc_onnx_input_or_null(n, 3) && !mlc_onnx_constant_ints(n, 3, &axes)))
        return false;
    if (starts.count != 1 || ends.count != 1 || steps.count != 1 || axes.count > 1 ||
        steps.items[0] != -1 || (starts.items[0] != -1 && starts.items[0] < INT32_MAX) ||
        ends.items[0] > INT32_MIN + 1)
        return true;
    int64_t axis = axes.count ? axes.items[0] : 0;
    axis += axis < 0 ? (int64_t)mlc_type_rank(type) : 0;
    if (axis < 0 || axis >= (int64_t)mlc_type_rank(type) ||
        mlc_type_dim(type, (size_t)axis) != MLC_DYNAMIC)
        return true;
    MlcAttr size = mlc_size_of_dim(type, (size_t)axis);
    if (!size)
        return true;
    *is_done = true;
    MlcValue *last = mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_build_size(n, size),
                                        mlc_onnx_build_number(n, i64, 1));
    MlcValue *places =
        mlc_onnx_build_two(n, &mlc_graph_sub_def, last, mlc_onnx_build_count_to(n, size, 0, 1));
    return mlc_onnx_set_result(n, mlc_onnx_gather_there(n, n->inputs[0], places, (size_t)axis));
}

// Of a diagonal that is computed: elements are chosen by their places.
static bool
import_trilu(MlcOnnxNodeImport *n)
{
    MlcOnnxSizes dims;
    int64_t upper = 1;
    const int64_t none = 0;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcValue *k = mlc_onnx_input_or_null(n, 1);
    if (!k || mlc_value_constant(k))
        return mlc_onnx_import_one_op(n);
    if (!mlc_onnx_dims_of(n, n->inputs[0], &dims) || !mlc_onnx_read_int(n, "upper", &upper))
        return false;
    if (dims.count < 2)
        return mlc_onnx_invalid(n, "the input has rank %zu, expected at least 2", dims.count);
    k = mlc_onnx_reshape(n, k, (MlcOnnxInts){&none, 0}, true);
    MlcValue *row = mlc_onnx_build_count_to(n, dims.items[dims.count - 2], 0, 2);
    MlcValue *column = mlc_onnx_build_count_to(n, dims.items[dims.count - 1], 1, 2);
    MlcValue *diagonal = mlc_onnx_build_two(n, &mlc_graph_sub_def, column, row);
    const MlcOpDef *order = upper ? &mlc_graph_greater_or_equal_def : &mlc_graph_less_or_equal_def;
    MlcValue *is_kept = mlc_onnx_compare(n, order, diagonal, k);
    return mlc_onnx_set_result(
        n, mlc_onnx_select(n, is_kept, n->inputs[0], mlc_onnx_build_number(n, element, 0)));
}

static bool
import_slice(MlcOnnxNodeImport *n)
{
    bool is_done;
    int64_t count;
    for (size_t i = 1; i < 3; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    MlcOnnxSize ends[MLC_SMALL_RANK];
    size_t num_ends;
    if (!slice_backwards(n, &is_done) || is_done)
        return is_done;
    if (mlc_onnx_is_sizes(n->inputs[1]) || mlc_onnx_is_sizes(n->inputs[2]))
        return mlc_onnx_import_one_op(n);
    bool ends_at_found = mlc_value_constant(n->inputs[1]) && !mlc_value_constant(n->inputs[2]) &&
                         mlc_onnx_read_sizes(n, n->inputs[2], ends, &num_ends);
    if (ends_at_found)
        return mlc_onnx_rule_slice(n);
    if (mlc_value_constant(n->inputs[1]) || !is_window(n->inputs[1], n->inputs[2], &count))
        return mlc_onnx_import_one_op(n);
    return !mlc_onnx_want_value(n->import, n->inputs[1]) && slice_window(n, count);
}

static const MlcOnnxOperator rows[] = {
    {"Concat", 1, 3, 1, MLC_ONNX_ANY, MLC_ONNX_OP(concat), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis", .otherwise = &(const int64_t){1})),
     .found = mlc_onnx_rule_concat},
    {"Concat", 4, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(concat), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis", .is_required = true)), .found = mlc_onnx_rule_concat},
    {"DepthToSpace", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_depth_to_space,
     .found = mlc_onnx_rule_batch},
    {"Expand", 8, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(expand), .takes_strings = true,
     .import = mlc_onnx_import_expand, .sizes = &mlc_onnx_sizes_of_expand,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("shape", .input = 1, .is_required = true, .sizes = "sizes")),
     .found = mlc_onnx_rule_expand},
    {"Flatten", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(flatten), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis")), .found = mlc_onnx_rule_flatten},
    {"Gather", 1, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(gather), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis")), .found = mlc_onnx_rule_gather},
    {"GatherElements", 11, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(gather_elements),
     .takes_strings = true, MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis")),
     .found = mlc_onnx_rule_gather_elements},
    {"GatherND", 11, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(gather_nd), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("batch_dims")), .found = mlc_onnx_rule_gather_nd},
    {"Pad", 1, MLC_ONNX_NEWEST, 1, 4, .import = import_pad, .takes_strings = true,
     .sizes = &mlc_onnx_sizes_of_pad},
    {"Reshape", 1, 4, 1, 1, MLC_ONNX_OP(reshape), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("shape", .is_required = true)),
     .found = mlc_onnx_rule_reshape},
    {"Reshape", 5, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(reshape), .takes_strings = true,
     .import = mlc_onnx_import_reshape, .sizes = &mlc_onnx_sizes_of_reshape,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("shape", .input = 1, .is_required = true, .sizes = "sizes"),
                    MLC_ONNX_COPY_BOOL("allowzero", .as = "allow_zero")),
     .found = mlc_onnx_rule_reshape},
    {"Resize", 10, MLC_ONNX_NEWEST, 1, 4, .import = mlc_onnx_import_resize,
     .sizes = &mlc_onnx_sizes_are_input_3, .found = mlc_onnx_rule_batch},
    {"Slice", 1, 9, 1, 1, MLC_ONNX_OP(slice), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("starts", .is_required = true),
                    MLC_ONNX_COPY_INTS("ends", .is_required = true), MLC_ONNX_COPY_INTS("axes")),
     .found = mlc_onnx_rule_slice},
    {"Slice", 10, MLC_ONNX_NEWEST, 3, 5, MLC_ONNX_OP(slice), .takes_strings = true,
     .import = import_slice, .sizes = &mlc_onnx_sizes_of_slice,
     MLC_ONNX_ATTRS(
         MLC_ONNX_COPY_INTS("starts", .input = 1, .is_required = true, .sizes = "start_sizes"),
         MLC_ONNX_COPY_INTS("ends", .input = 2, .is_required = true, .sizes = "end_sizes"),
         MLC_ONNX_COPY_INTS("axes", .input = 3), MLC_ONNX_COPY_INTS("steps", .input = 4)),
     .found = mlc_onnx_rule_slice},
    {"SpaceToDepth", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_space_to_depth,
     .found = mlc_onnx_rule_batch},
    {"Split", 1, MLC_ONNX_NEWEST, 1, 2, .takes_strings = true, .import = import_split,
     .sizes = &mlc_onnx_sizes_are_input_1, .found = mlc_onnx_rule_split},
    {"Squeeze", 1, MLC_ONNX_NEWEST, 1, 2, .takes_strings = true, .import = import_squeeze,
     .found = mlc_onnx_rule_squeeze},
    {"Tile", 1, 5, 3, 3, .import = import_tile_axis},
    {"Tile", 6, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(tile), .takes_strings = true,
     .sizes = &mlc_onnx_sizes_are_input_1,
     MLC_ONNX_ATTRS(
         MLC_ONNX_COPY_INTS("repeats", .input = 1, .is_required = true, .sizes = "sizes"))},
    {"Transpose", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(transpose), .takes_strings = true,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("perm")), .found = mlc_onnx_rule_transpose},
    {"Trilu", 14, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(trilu), .import = import_trilu,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("k", .input = 1), MLC_ONNX_COPY_BOOL("upper"))},
    {"Unsqueeze", 1, MLC_ONNX_NEWEST, 1, 2, .takes_strings = true, .import = import_unsqueeze,
     .found = mlc_onnx_rule_unsqueeze},
    {"Upsample", 1, 6, 1, 1, .import = mlc_onnx_import_upsample},
    {"Upsample", 7, 8, 1, 1, .import = mlc_onnx_import_upsample},
    {"Upsample", 9, 9, 2, 2, .import = mlc_onnx_import_upsample},
};
const MlcOnnxOperators mlc_onnx_shapes = MLC_ONNX_OPERATORS(rows);
