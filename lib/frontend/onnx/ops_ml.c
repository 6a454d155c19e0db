// ops_ml.c -- ONNX operators of the domain ai.onnx.ml: features chosen, scaled and encoded.
//
// All of them are other ops. What is a number of f32 in the node is computed on in f64 where the
// input is f64.
#include "ml.h"
#include "strings_of.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_KEYS = 1 << 20 };

// ---- element by element

// The last dimension of a value, which may be open.
static bool
find_features(MlcOnnxNodeImport *n, MlcValue *value, int64_t *count)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) == 0)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    *count = mlc_type_dim(type, mlc_type_rank(type) - 1);
    return true;
}

// One number, or one for each feature, in a shape that broadcasts. Of an open number of features
// that is checked when the model runs.
static MlcValue *
per_feature(MlcOnnxNodeImport *n, const char *name, MlcType element, int64_t features)
{
    MlcOnnxFloats list = {0};
    if (!mlc_onnx_read_floats(n, name, &list))
        return NULL;
    if (list.count != 1 && features != MLC_DYNAMIC && list.count != (size_t)features)
        return mlc_onnx_invalid(n, "attribute '%s' has %zu numbers for %" PRId64 " features", name,
                                list.count, features),
               NULL;
    int64_t count = (int64_t)list.count;
    return mlc_onnx_build_listed(n, element, list, &count, 1);
}

static bool
import_scaler(MlcOnnxNodeImport *n)
{
    MlcType f64 = mlc_onnx_f64(n), f32 = mlc_onnx_f32(n);
    int64_t features;
    if (!find_features(n, n->inputs[0], &features))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0])) == f64 ? f64 : f32;
    MlcValue *x = mlc_onnx_cast(n, n->inputs[0], element);
    MlcValue *offset = per_feature(n, "offset", element, features);
    MlcValue *scale = offset ? per_feature(n, "scale", element, features) : NULL;
    x = scale ? mlc_onnx_build_two(n, &mlc_graph_sub_def, x, offset) : NULL;
    x = x ? mlc_onnx_build_two(n, &mlc_graph_mul_def, x, scale) : NULL;
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, x, f32));
}

static bool
import_binarizer(MlcOnnxNodeImport *n)
{
    float threshold = 0;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    bool is_float = mlc_type_is_float(element);
    if (!mlc_onnx_read_float(n, "threshold", &threshold))
        return false;
    // Integers are more than the threshold if they are more than what it is rounded down to.
    if (!is_float && !(fabs((double)threshold) < 0x1p53))
        return mlc_onnx_unsupported(n, "a threshold of %g for integers", (double)threshold);
    double limit = is_float ? (double)threshold : floor((double)threshold);
    MlcValue *is_more = mlc_onnx_compare(n, &mlc_graph_greater_def, n->inputs[0],
                                         mlc_onnx_build_number(n, element, limit));
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, is_more, element));
}

static bool
import_normalizer(MlcOnnxNodeImport *n)
{
    MlcStr norm = mlc_str("MAX");
    int64_t features;
    if (!mlc_onnx_read_str(n, "norm", &norm) || !find_features(n, n->inputs[0], &features))
        return false;
    // In f64, which squares of f32 cannot leave.
    MlcType f64 = mlc_onnx_f64(n);
    MlcValue *x = mlc_onnx_cast(n, n->inputs[0], f64), *size = NULL;
    if (mlc_str_equal(norm, mlc_str("MAX")))
        size = x ? mlc_onnx_reduce_last(n, &mlc_graph_reduce_max_def, x) : NULL;
    else if (mlc_str_equal(norm, mlc_str("L1")))
        size = mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def,
                                    mlc_onnx_build_one(n, &mlc_graph_abs_def, x));
    else if (mlc_str_equal(norm, mlc_str("L2")))
        size = mlc_onnx_build_one(
            n, &mlc_graph_sqrt_def,
            mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def,
                                 mlc_onnx_build_two(n, &mlc_graph_mul_def, x, x)));
    else
        return mlc_onnx_invalid(n, "attribute 'norm' is '%.*s'", MLC_STR_FMT(norm));
    if (!size)
        return false;
    MlcValue *is_none =
        mlc_onnx_compare(n, &mlc_graph_equal_def, size, mlc_onnx_build_number(n, f64, 0));
    size = mlc_onnx_select(n, is_none, mlc_onnx_build_number(n, f64, 1), size);
    return mlc_onnx_set_result(
        n, mlc_onnx_cast(n, mlc_onnx_build_two(n, &mlc_graph_div_def, x, size), mlc_onnx_f32(n)));
}

static MlcValue *
is_nan(MlcOnnxNodeImport *n, MlcValue *x)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    return mlc_onnx_build_typed(n, &mlc_graph_is_nan_def, i1, &x, 1, NULL);
}

// What is missing: NaN, or a number.
static MlcValue *
is_missing(MlcOnnxNodeImport *n, MlcValue *x, double replaced)
{
    if (isnan(replaced))
        return is_nan(n, x);
    MlcType element = mlc_type_element(mlc_value_type(x));
    return mlc_onnx_compare(n, &mlc_graph_equal_def, x,
                            mlc_onnx_build_number(n, element, replaced));
}

static bool
import_imputer(MlcOnnxNodeImport *n)
{
    MlcValue *x = n->inputs[0], *values, *missing;
    MlcType element = mlc_type_element(mlc_value_type(x));
    MlcOnnxInts ints = {0};
    float replaced = 0;
    int64_t replaced_int = 0, features;
    if (!find_features(n, x, &features) ||
        !mlc_onnx_read_float(n, "replaced_value_float", &replaced) ||
        !mlc_onnx_read_int(n, "replaced_value_int64", &replaced_int) ||
        !mlc_onnx_read_ints(n, "imputed_value_int64s", &ints))
        return false;
    if (mlc_type_is_float(element)) {
        values = per_feature(n, "imputed_value_floats", element, features);
        missing = values ? is_missing(n, x, (double)replaced) : NULL;
    } else {
        int64_t count = (int64_t)ints.count;
        if (count != 1 && features != MLC_DYNAMIC && count != features)
            return mlc_onnx_invalid(
                n, "attribute 'imputed_value_int64s' has %zu numbers for %" PRId64 " features",
                ints.count, features);
        values = mlc_onnx_cast(n, mlc_onnx_build_ints(n, ints.items, &count, 1), element);
        MlcValue *number = mlc_onnx_int(n, replaced_int);
        missing = mlc_onnx_compare(n, &mlc_graph_equal_def, x, mlc_onnx_cast(n, number, element));
    }
    return mlc_onnx_set_result(n, mlc_onnx_select(n, missing, values, x));
}

// ---- features chosen and put together

static bool
import_array_feature_extractor(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    MlcType type = mlc_value_type(n->inputs[0]), places = mlc_value_type(n->inputs[1]);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) == 0 || !mlc_type_has_rank(places))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(type),
                                    mlc_type_text(places));
    bool is_empty = mlc_type_has_static_shape(places) && mlc_type_num_elements(places) == 0;
    MlcOnnxInts flat = {(int64_t[]){is_empty ? 0 : -1}, 1};
    MlcValue *x = n->inputs[0], *at = mlc_onnx_reshape(n, n->inputs[1], flat, is_empty);
    if (mlc_type_rank(type) == 1) // one row
        x = mlc_onnx_reshape(n, x, (MlcOnnxInts){(int64_t[]){1, -1}, 2}, false);
    mlc_onnx_add_int(n, &attrs, "axis", -1);
    return mlc_onnx_set_result(
        n, x && at ? mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){x, at}, 2, &attrs)
                   : NULL);
}

// [N, size]: cut, or filled up with zeros.
static MlcValue *
columns_of_size(MlcOnnxNodeImport *n, MlcValue *value, int64_t size)
{
    MlcType type = mlc_value_type(value);
    if (mlc_type_has_small_rank(type) && mlc_type_rank(type) == 1) { // a number of each row
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){(int64_t[]){-1, 1}, 2}, false);
        type = value ? mlc_value_type(value) : NULL;
    }
    if (!type || !mlc_type_has_rank(type) || mlc_type_rank(type) != 2 ||
        mlc_type_dim(type, 1) == MLC_DYNAMIC || size < 0 || size > MAX_KEYS)
        return mlc_onnx_unsupported(n, "%" PRId64 " columns of an input of type %s", size,
                                    type ? mlc_type_text(type) : "none"),
               NULL;
    int64_t columns = mlc_type_dim(type, 1);
    value = mlc_onnx_cast(n, value, mlc_onnx_f32(n));
    if (size < columns)
        return mlc_onnx_columns(n, value, 0, size);
    if (size == columns || !value)
        return value;
    MlcOnnxAttrs attrs = {0};
    const int64_t pads[] = {0, 0, 0, size - columns};
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 4});
    return mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs);
}

static bool
import_feature_vectorizer(MlcOnnxNodeImport *n)
{
    MlcOnnxInts sizes = {0};
    if (!mlc_onnx_read_ints(n, "inputdimensions", &sizes))
        return false;
    if (sizes.count != n->num_inputs)
        return mlc_onnx_invalid(n, "attribute 'inputdimensions' has %zu numbers for %zu inputs",
                                sizes.count, n->num_inputs);
    MlcValue **parts = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, n->num_inputs);
    for (size_t i = 0; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        parts[i] = columns_of_size(n, n->inputs[i], sizes.items[i]);
        if (!parts[i])
            return false;
    }
    return mlc_onnx_set_result(n, mlc_onnx_concat(n, parts, n->num_inputs, -1));
}

// ---- numbers for numbers

// The same numbers, [..., 1].
static MlcValue *
in_columns(MlcOnnxNodeImport *n, MlcValue *x)
{
    MlcType type = mlc_value_type(x);
    int64_t shape[MLC_SMALL_RANK] = {0}; // as many as the input has there
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) >= MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    shape[mlc_type_rank(type)] = 1;
    return mlc_onnx_reshape(n, x, (MlcOnnxInts){shape, mlc_type_rank(type) + 1}, false);
}

static bool
import_one_hot_encoder(MlcOnnxNodeImport *n)
{
    MlcOnnxClasses classes = {0};
    MlcType i64 = mlc_onnx_i64(n), f32 = mlc_onnx_f32(n);
    int64_t zeros = 1;
    bool are_strings = mlc_onnx_is_strings(n->import, n->inputs[0]);
    if (!mlc_onnx_read_classes(n, "cats_int64s", "cats_strings", &classes) ||
        !mlc_onnx_read_int(n, "zeros", &zeros))
        return false;
    if (are_strings != (classes.names.count > 0))
        return mlc_onnx_invalid(n, "'%s' for an input of type %s",
                                are_strings ? "cats_int64s" : "cats_strings",
                                mlc_type_text(mlc_value_type(n->inputs[0])));
    MlcValue *keys = mlc_onnx_build_classes(n, &classes);
    MlcValue *x = are_strings ? n->inputs[0] : mlc_onnx_cast(n, n->inputs[0], i64);
    x = x && keys ? in_columns(n, x) : NULL;
    MlcValue *result = mlc_onnx_cast(n, mlc_onnx_compare(n, &mlc_graph_equal_def, x, keys), f32);
    if (zeros || !result)
        return mlc_onnx_set_result(n, result);
    MlcOnnxAttrs all = {0};
    MlcValue *known = mlc_onnx_reduce_last(n, &mlc_graph_reduce_max_def, result);
    mlc_onnx_add_bool(n, &all, "keepdims", false);
    known = known ? mlc_onnx_build(n, &mlc_graph_reduce_min_def, &known, 1, &all) : NULL;
    return mlc_onnx_set_result(
        n, known ? mlc_onnx_assert(n, result, known, "a category that the encoder does not have")
                 : NULL);
}

// Keys or values: a list of floats, integers or strings, or a tensor of one dimension. `*list` is
// left alone where there is none.
static bool
read_list(MlcOnnxNodeImport *n, const char *what, MlcValue **list)
{
    MlcOnnxFloats floats = {0};
    MlcOnnxInts ints = {0};
    MlcOnnxStrs strings = {0};
    bool ok = true;
    const char *names[4] = {"_floats", "_int64s", "_strings", "_tensor"};
    for (size_t i = 0; i < 4; i++)
        names[i] = mlc_arena_printf(&n->import->arena, "%s%s", what, names[i]).data;
    if (!mlc_onnx_read_floats(n, names[0], &floats) || !mlc_onnx_read_ints(n, names[1], &ints) ||
        !mlc_onnx_read_strings(n, names[2], &strings))
        return false;
    const MlcOnnxAttribute *tensor =
        mlc_onnx_find_attribute(n, names[3], MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    int64_t num_floats = (int64_t)floats.count, num_ints = (int64_t)ints.count;
    int64_t num_strings = (int64_t)strings.count;
    if (num_strings)
        *list = mlc_onnx_build_strings(n->import, strings.items, &num_strings, 1);
    else if (num_floats)
        *list = mlc_onnx_build_listed(n, mlc_onnx_f32(n), floats, &num_floats, 1);
    else if (num_ints)
        *list = mlc_onnx_build_ints(n, ints.items, &num_ints, 1);
    else if (tensor && tensor->t)
        return (*list = mlc_onnx_build_tensor(n, tensor->t)) != NULL;
    return ok;
}

// What stands for numbers that are no key.
static bool
read_default(MlcOnnxNodeImport *n, MlcType element, MlcValue **value)
{
    float number = -0.0f;
    int64_t integer = -1;
    bool ok = true;
    const MlcOnnxAttribute *tensor =
        mlc_onnx_find_attribute(n, "default_tensor", MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    if (!ok || !mlc_onnx_read_float(n, "default_float", &number) ||
        !mlc_onnx_read_int(n, "default_int64", &integer))
        return false;
    if (tensor && tensor->t) {
        *value = mlc_onnx_build_tensor(n, tensor->t);
        if (!*value || mlc_type_num_elements(mlc_value_type(*value)) == 1)
            return *value != NULL;
        return mlc_onnx_invalid(n, "attribute 'default_tensor' must be one number");
    }
    MlcStr text = mlc_str("_Unused");
    if (!mlc_onnx_read_str(n, "default_string", &text))
        return false;
    if (mlc_type_is_string(element))
        return (*value = mlc_onnx_build_strings(n->import, &text, NULL, 0)) != NULL;
    *value = mlc_type_is_float(element) ? mlc_onnx_build_number(n, element, (double)number)
                                        : mlc_onnx_int(n, integer);
    *value = mlc_onnx_cast(n, *value, element);
    return *value != NULL;
}

// For each element the key that it is: as many comparisons as keys. Of equal keys the first counts.
static MlcValue *
encode(MlcOnnxNodeImport *n, MlcValue *keys, MlcValue *values, MlcValue *otherwise)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcValue *x = in_columns(n, n->inputs[0]);
    int64_t count = mlc_type_num_elements(mlc_value_type(keys));
    MlcValue *is_key = mlc_onnx_compare(n, &mlc_graph_equal_def, x, keys);
    if (is_key && mlc_type_is_float(mlc_type_element(mlc_value_type(keys))))
        is_key = mlc_onnx_compare( // NaN is a key as others
            n, &mlc_graph_or_def, is_key,
            mlc_onnx_compare(n, &mlc_graph_and_def, is_nan(n, x), is_nan(n, keys)));
    // The largest of K - k where key k is the element's is that of the first one; 0: none is.
    int64_t *falling = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        falling[i] = count - i;
    MlcValue *rank = mlc_onnx_cast(n, mlc_onnx_build_ints(n, falling, &count, 1), i32);
    MlcValue *found = mlc_onnx_select(n, is_key, rank, mlc_onnx_build_number(n, i32, 0));
    MlcOnnxAttrs last = {0};
    mlc_onnx_add_ints(n, &last, "axes", (MlcOnnxInts){(int64_t[]){-1}, 1});
    mlc_onnx_add_bool(n, &last, "keepdims", false);
    found = found ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &found, 1, &last) : NULL;
    // Values in that order behind the default.
    MlcOnnxInts from_end = {(int64_t[]){-1}, 1}, to = {(int64_t[]){INT64_MIN}, 1};
    values = mlc_onnx_slice(n, values, from_end, to, (MlcOnnxInts){0}, from_end);
    otherwise = mlc_onnx_reshape(n, otherwise, (MlcOnnxInts){(int64_t[]){1}, 1}, true);
    MlcValue *table =
        otherwise && values ? mlc_onnx_concat(n, (MlcValue *[]){otherwise, values}, 2, 0) : NULL;
    return found && table
               ? mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){table, found}, 2, NULL)
               : NULL;
}

static bool
import_label_encoder(MlcOnnxNodeImport *n)
{
    MlcValue *keys = NULL, *values = NULL, *otherwise;
    MlcOnnxStrs classes = {0};
    if (!mlc_onnx_read_strings(n, "classes_strings", &classes))
        return false;
    if (classes.count) { // opset 1: names and their places, whichever goes in
        int64_t count = (int64_t)classes.count;
        keys = mlc_onnx_build_strings(n->import, classes.items, &count, 1);
        values = mlc_onnx_build_count(n, count, 0, 1);
        if (!mlc_onnx_is_strings(n->import, n->inputs[0])) {
            MlcValue *names = keys;
            keys = values;
            values = names;
        }
        if (!keys || !values)
            return false;
    } else if (!read_list(n, "keys", &keys) || !read_list(n, "values", &values)) {
        return false;
    }
    if (!keys || !values)
        return mlc_onnx_invalid(n, "attribute '%s' is required", keys ? "values" : "keys");
    MlcType of_keys = mlc_value_type(keys), of_values = mlc_value_type(values);
    int64_t count = mlc_type_num_elements(of_keys);
    if (mlc_type_rank(of_keys) != 1 || mlc_type_rank(of_values) != 1 ||
        mlc_type_num_elements(of_values) != count)
        return mlc_onnx_invalid(n, "keys of type %s for values of type %s", mlc_type_text(of_keys),
                                mlc_type_text(of_values));
    if (mlc_type_element(of_keys) != mlc_type_element(mlc_value_type(n->inputs[0])))
        return mlc_onnx_invalid(n, "keys of type %s for an input of type %s",
                                mlc_type_text(of_keys),
                                mlc_type_text(mlc_value_type(n->inputs[0])));
    if (count > MAX_KEYS)
        return mlc_onnx_unsupported(n, "%" PRId64 " keys", count);
    return read_default(n, mlc_type_element(of_values), &otherwise) &&
           mlc_onnx_set_result(n, encode(n, keys, values, otherwise));
}

static bool
import_category_mapper(MlcOnnxNodeImport *n)
{
    MlcOnnxStrs names = {0};
    MlcOnnxInts numbers = {0};
    MlcValue *otherwise;
    if (!mlc_onnx_read_strings(n, "cats_strings", &names) ||
        !mlc_onnx_read_ints(n, "cats_int64s", &numbers))
        return false;
    if (names.count != numbers.count || names.count > MAX_KEYS)
        return mlc_onnx_invalid(n, "%zu strings for %zu numbers", names.count, numbers.count);
    int64_t count = (int64_t)names.count;
    MlcValue *keys = mlc_onnx_build_strings(n->import, names.items, &count, 1);
    MlcValue *values = mlc_onnx_build_ints(n, numbers.items, &count, 1);
    if (!mlc_onnx_is_strings(n->import, n->inputs[0])) {
        MlcValue *strings = keys;
        keys = values;
        values = strings;
    }
    return keys && values &&
           read_default(n, mlc_type_element(mlc_value_type(values)), &otherwise) &&
           mlc_onnx_set_result(n, encode(n, keys, values, otherwise));
}

static const MlcOnnxOperator rows[] = {
    {"ArrayFeatureExtractor", 1, MLC_ONNX_NEWEST, 2, 2, .import = import_array_feature_extractor,
     .takes_strings = true},
    {"Binarizer", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_binarizer},
    {"CategoryMapper", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_category_mapper,
     .takes_strings = true},
    {"FeatureVectorizer", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = import_feature_vectorizer},
    {"Imputer", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_imputer},
    {"LabelEncoder", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_label_encoder,
     .takes_strings = true},
    {"Normalizer", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_normalizer},
    {"OneHotEncoder", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_one_hot_encoder,
     .takes_strings = true},
    {"Scaler", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_scaler},
};
const MlcOnnxOperators mlc_onnx_ml_features = MLC_ONNX_OPERATORS(rows);
