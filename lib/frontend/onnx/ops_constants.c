// ops_constants.c -- ONNX operators: constants, and what the shapes of a static model become.
#include "computed_sizes.h"
#include "found_sizes.h"
#include "strings_of.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

enum { MAX_RANGE = 1 << 24 }; // numbers of a constant range, and their size

static bool
import_constant(MlcOnnxNodeImport *n)
{
    bool ok = true;
    const MlcOnnxAttribute *tensor =
        mlc_onnx_find_attribute(n, "value", MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    const MlcOnnxAttribute *number =
        mlc_onnx_find_attribute(n, "value_float", MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
    const MlcOnnxAttribute *integer =
        mlc_onnx_find_attribute(n, "value_int", MLC_ONNX_ATTRIBUTE_INT, &ok);
    const MlcOnnxAttribute *ints =
        mlc_onnx_find_attribute(n, "value_ints", MLC_ONNX_ATTRIBUTE_INTS, &ok);
    const MlcOnnxAttribute *floats =
        mlc_onnx_find_attribute(n, "value_floats", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    const MlcOnnxAttribute *text =
        mlc_onnx_find_attribute(n, "value_string", MLC_ONNX_ATTRIBUTE_STRING, &ok);
    const MlcOnnxAttribute *texts =
        mlc_onnx_find_attribute(n, "value_strings", MLC_ONNX_ATTRIBUTE_STRINGS, &ok);
    if (!ok)
        return false;
    if (tensor && tensor->t)
        return mlc_onnx_set_result(n, mlc_onnx_build_tensor(n, tensor->t));
    if (text || texts) {
        int64_t count = text ? 1 : (int64_t)texts->strings.count;
        return mlc_onnx_set_result(n, mlc_onnx_build_strings(n->import,
                                                             text ? &text->s : texts->strings.items,
                                                             &count, text ? 0 : 1));
    }
    // The other spellings are tensors too: of rank 0, or 1 for lists.
    int64_t dim = ints ? (int64_t)ints->ints.count : floats ? (int64_t)floats->floats.count : 1;
    MlcStr name = n->node->output.count ? n->node->output.items[0] : mlc_str("");
    MlcOnnxTensor made = {.name = name,
                          .dims = {&dim, ints || floats ? 1u : 0u},
                          .data_type = ints || integer ? MLC_ONNX_INT64 : MLC_ONNX_FLOAT};
    if (integer)
        made.int64_data = (MlcOnnxInts){&integer->i, 1};
    else if (ints)
        made.int64_data = ints->ints;
    else if (number)
        made.float_data = (MlcOnnxFloats){(const char *)&number->f, 1};
    else if (floats)
        made.float_data = floats->floats;
    else
        return mlc_onnx_unsupported(n, "its kind of value");
    return mlc_onnx_set_result(n, mlc_onnx_build_tensor(n, &made));
}

// The sizes of the input, all of them or from `start` to `end`, must be known.
static bool
import_shape(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    int64_t rank = (int64_t)mlc_type_rank(type), start = 0, end = rank;
    if (!mlc_onnx_read_int(n, "start", &start) || !mlc_onnx_read_int(n, "end", &end))
        return false;
    start += start < 0 ? rank : 0;
    end += end < 0 ? rank : 0;
    start = start < 0 ? 0 : start > rank ? rank : start;
    end = end < start ? start : end > rank ? rank : end;
    int64_t count = end - start;
    MlcOnnxSizes sizes = {MLC_NEW_ARRAY(&n->import->arena, MlcAttr, (size_t)count + 1), 0};
    for (int64_t i = start; i < end; i++)
        if (!(sizes.items[sizes.count++] = mlc_size_of_dim(type, (size_t)i)))
            return mlc_onnx_unknown_size(n, i);
    MlcType i64 = mlc_onnx_i64(n);
    return mlc_onnx_set_result(
        n, mlc_onnx_build_sizes(n, &sizes, mlc_tensor_type_get(i64, &count, 1, NULL)));
}

static bool
import_size(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unknown_rank(n);
    MlcAttr count = mlc_size_number(mlc_onnx_context_of(n), 1);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (!(count = mlc_size_combine(MLC_SIZE_MUL, count, mlc_size_of_dim(type, i))))
            return mlc_onnx_unknown_size(n, (int64_t)i);
    return mlc_onnx_set_result(n, mlc_onnx_build_size(n, count));
}

// Of sizes that are known when the model runs: one element, expanded.
static bool
fill_sizes(MlcOnnxNodeImport *n, MlcAttr element)
{
    MlcOnnxSizes sizes;
    if (!mlc_onnx_sizes_of(n, n->inputs[0], &sizes))
        return false;
    MlcType type = mlc_tensor_type_get(mlc_attr_type(element), NULL, 0, NULL);
    MlcValue *one = mlc_onnx_build_value(n, mlc_dense_attr_splat(type, element));
    return mlc_onnx_set_result(n, mlc_onnx_expand_to(n, one, &sizes));
}

static bool
import_constant_of_shape(MlcOnnxNodeImport *n)
{
    bool ok = true;
    MlcOnnxInts shape = {0};
    MlcOnnxSize sizes[MLC_SMALL_RANK];
    int64_t most[MLC_SMALL_RANK];
    size_t num_sizes = 0;
    const MlcOnnxAttribute *given =
        mlc_onnx_find_attribute(n, "value", MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    bool has_texts = mlc_onnx_is_sizes(n->inputs[0]);
    bool is_open = !mlc_value_constant(n->inputs[0]) && !has_texts &&
                   mlc_onnx_read_sizes(n, n->inputs[0], sizes, &num_sizes);
    if (!ok || (!is_open && !has_texts && !mlc_onnx_constant_ints(n, 0, &shape)))
        return false;
    for (size_t i = 0; i < num_sizes; i++)
        most[i] = sizes[i].most;
    if (is_open)
        shape = (MlcOnnxInts){most, num_sizes};
    MlcAttr element =
        mlc_float_attr_get(mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32), 0);
    if (given && given->t) {
        MlcValue *value = mlc_onnx_build_tensor(n, given->t);
        if (!value)
            return false;
        MlcAttr tensor = mlc_value_constant(value);
        if (mlc_type_num_elements(mlc_attr_type(tensor)) != 1)
            return mlc_onnx_invalid(n, "attribute 'value' must have one element");
        element = mlc_elements_attr_element(tensor, 0);
        mlc_op_erase(mlc_value_def(value));
    }
    if (has_texts)
        return fill_sizes(n, element);
    for (size_t i = 0; i < shape.count; i++)
        if (shape.items[i] < 0)
            return mlc_onnx_invalid(n, "the size %" PRId64 " is negative", shape.items[i]);
    MlcType type = mlc_tensor_type_get(mlc_attr_type(element), shape.items, shape.count, NULL);
    if (mlc_type_num_elements(type) < 0)
        return mlc_onnx_invalid(n, "the shape has too many elements");
    mlc_onnx_set_result(n, mlc_onnx_build_value(n, mlc_dense_attr_splat(type, element)));
    for (size_t i = 0; i < num_sizes; i++)
        mlc_onnx_set_found_size(n, n->outputs[0], i, sizes[i].count);
    return true;
}

// 1 on a diagonal of a matrix of the input's shape, else 0.
static bool
import_eye_like(MlcOnnxNodeImport *n)
{
    int64_t k = 0, to = 0;
    MlcOnnxSizes dims;
    MlcType type = mlc_value_type(n->inputs[0]), element = mlc_type_element(type);
    if (!mlc_onnx_read_int(n, "k", &k) || !mlc_onnx_read_int(n, "dtype", &to))
        return false;
    if (to)
        element = mlc_onnx_element_type(mlc_onnx_context_of(n), to);
    bool is_static = mlc_type_has_rank(type) && mlc_type_has_static_shape(type);
    if (!element || (is_static && mlc_type_num_elements(type) > MAX_RANGE))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (!mlc_onnx_dims_of(n, n->inputs[0], &dims))
        return false;
    if (dims.count != 2)
        return mlc_onnx_invalid(n, "an input of type %s", mlc_type_text(type));
    MlcValue *row = mlc_onnx_build_two(
        n, &mlc_graph_add_def, mlc_onnx_build_count_to(n, dims.items[0], 0, 2), mlc_onnx_int(n, k));
    MlcValue *is_one = mlc_onnx_compare(n, &mlc_graph_equal_def, row,
                                        mlc_onnx_build_count_to(n, dims.items[1], 1, 2));
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, is_one, element));
}

// Numbers from 0 up to one that is found.
static bool
import_found_range(MlcOnnxNodeImport *n, const MlcOnnxSize *limit)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (limit->most > MAX_RANGE)
        return mlc_onnx_unsupported(n, "a range of that many numbers");
    MlcValue *places = mlc_onnx_build_places(n, limit->most, 0, 1);
    if (!mlc_onnx_set_result(n, mlc_onnx_cast(n, places, element)))
        return false;
    mlc_onnx_set_found_size(n, n->outputs[0], 0, limit->count);
    return true;
}

// Of sizes that are known when the model runs, by steps that are a number: start + i * delta.
static bool
range_of_sizes(MlcOnnxNodeImport *n)
{
    MlcOnnxSizes ends[3];
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType type = mlc_value_type(n->inputs[0]);
    int64_t delta = 0, least = -1;
    for (size_t i = 0; i < 3; i++)
        if (!mlc_onnx_sizes_of(n, n->inputs[i], &ends[i]) || ends[i].count != 1)
            return mlc_onnx_unknown_value(n, i);
    if (!mlc_size_is_number(ends[2].items[0], &delta) || delta < 1)
        return mlc_onnx_unsupported(n, "a range of that many numbers");
    MlcAttr count = mlc_size_combine(MLC_SIZE_SUB, ends[1].items[0], ends[0].items[0]);
    count = mlc_size_combine(MLC_SIZE_FLOORDIV,
                             mlc_size_combine(MLC_SIZE_ADD, count, mlc_size_number(ctx, delta - 1)),
                             mlc_size_number(ctx, delta));
    if (count && !(mlc_size_at_least(count, &least) && least >= 0))
        count = mlc_size_combine(MLC_SIZE_MAX, count, mlc_size_number(ctx, 0));
    if (!count)
        return mlc_onnx_unsupported(n, "a range of that many numbers");
    MlcValue *value = mlc_onnx_build_iota(n, count, mlc_type_element(type));
    if (delta != 1)
        value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value,
                                   mlc_onnx_build_number(n, mlc_type_element(type), (double)delta));
    if (!mlc_size_is_number(ends[0].items[0], &least) || least != 0)
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value, n->inputs[0]);
    return mlc_onnx_set_result(n, value);
}

// start, start + delta, ... up to limit: constants, but for a limit that is found.
static bool
import_range(MlcOnnxNodeImport *n)
{
    double start, limit, delta;
    MlcOnnxSize ends[3][MLC_SMALL_RANK];
    size_t num_ends = 1;
    for (size_t i = 0; i < 3; i++)
        if (mlc_onnx_is_sizes(n->inputs[i]))
            return range_of_sizes(n);
    bool is_found = !mlc_value_constant(n->inputs[1]);
    for (size_t i = 0; is_found && i < 3; i++)
        is_found = mlc_onnx_read_sizes(n, n->inputs[i], ends[i], &num_ends) && num_ends == 1;
    if (is_found && ends[0][0].most == 0 && ends[1][0].count && ends[2][0].most == 1 &&
        !ends[2][0].count)
        return import_found_range(n, ends[1]);
    if (!mlc_onnx_constant_float(n, 0, &start) || !mlc_onnx_constant_float(n, 1, &limit) ||
        !mlc_onnx_constant_float(n, 2, &delta))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    double count = delta == 0 ? -1 : ceil((limit - start) / delta);
    if (!(fabs(start) <= MAX_RANGE && fabs(limit) <= MAX_RANGE && count <= MAX_RANGE) || delta == 0)
        return mlc_onnx_unsupported(n, "a range of that many numbers");
    int64_t size = count > 0 ? (int64_t)count : 0;
    MlcAttr *items = MLC_NEW_ARRAY(&n->import->arena, MlcAttr, (size_t)size);
    for (int64_t i = 0; i < size; i++) {
        double number = start + (double)i * delta;
        items[i] = mlc_type_is_float(element) ? mlc_float_attr_get(element, number)
                                              : mlc_integer_attr_get(element, (int64_t)number);
    }
    MlcType type = mlc_tensor_type_get(element, &size, 1, NULL);
    return mlc_onnx_set_result(
        n, mlc_onnx_build_value(n, mlc_dense_attr_from_elements(type, items, (size_t)size)));
}

static const MlcOnnxOperator rows[] = {
    {"Constant", 1, MLC_ONNX_NEWEST, 0, 0, .import = import_constant},
    {"ConstantOfShape", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_constant_of_shape,
     .sizes = &mlc_onnx_sizes_are_input_0},
    {"EyeLike", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_eye_like},
    {"Range", 11, MLC_ONNX_NEWEST, 3, 3, .import = import_range, .sizes = &mlc_onnx_sizes_of_range},
    {"Shape", 1, MLC_ONNX_NEWEST, 1, 1, .takes_strings = true, .import = import_shape,
     .found = mlc_onnx_rule_shape},
    {"Size", 1, MLC_ONNX_NEWEST, 1, 1, .takes_strings = true, .import = import_size,
     .found = mlc_onnx_rule_size},
};
const MlcOnnxOperators mlc_onnx_constants = MLC_ONNX_OPERATORS(rows);
