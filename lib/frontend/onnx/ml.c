// ml.c -- see ml.h.
#include "ml.h"

#include "mlc/dialects/graph_sizes.h"
#include "strings_of.h"

#include <inttypes.h>
#include <math.h>

// ---- lists

bool
mlc_onnx_read_floats(MlcOnnxNodeImport *n, const char *name, MlcOnnxFloats *list)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    if (a)
        *list = a->floats;
    return ok;
}

bool
mlc_onnx_read_strings(MlcOnnxNodeImport *n, const char *name, MlcOnnxStrs *list)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_STRINGS, &ok);
    if (a)
        *list = a->strings;
    return ok;
}

MlcValue *
mlc_onnx_build_listed(MlcOnnxNodeImport *n, MlcType element, MlcOnnxFloats list,
                      const int64_t *shape, size_t rank)
{
    double *numbers = MLC_NEW_ARRAY(&n->import->arena, double, list.count + 1);
    for (size_t i = 0; i < list.count; i++)
        numbers[i] = (double)mlc_onnx_float_at(list, i);
    return mlc_onnx_build_floats(n, element, numbers, shape, rank);
}

// ---- rows

MlcType
mlc_onnx_f32(MlcOnnxNodeImport *n)
{
    return mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
}

MlcType
mlc_onnx_f64(MlcOnnxNodeImport *n)
{
    return mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
}

int64_t
mlc_onnx_num_features(MlcOnnxNodeImport *n, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) == 0)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), -1;
    int64_t size = mlc_type_dim(type, mlc_type_rank(type) - 1);
    return size != MLC_DYNAMIC
               ? size
               : (mlc_onnx_unknown_size(n, (int64_t)mlc_type_rank(type) - 1), (int64_t)-1);
}

MlcValue *
mlc_onnx_open_rows(MlcOnnxNodeImport *n)
{
    MlcValue *value = n->inputs[0];
    MlcType type = mlc_value_type(value), f64 = mlc_onnx_f64(n);
    size_t rank = mlc_type_has_small_rank(type) ? mlc_type_rank(type) : 0;
    if (rank == 0 || rank > 2)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    MlcAttr row[] = {mlc_size_number(mlc_onnx_context_of(n), 1), mlc_size_of_dim(type, rank - 1)};
    if (!row[1])
        return mlc_onnx_unknown_size(n, (int64_t)rank - 1), NULL;
    if (rank == 1)
        value = mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){row, 2});
    return mlc_onnx_cast(n, value, mlc_type_element(type) == f64 ? f64 : mlc_onnx_f32(n));
}

MlcValue *
mlc_onnx_feature_rows(MlcOnnxNodeImport *n, int64_t count)
{
    MlcValue *rows = mlc_onnx_open_rows(n);
    if (!rows || mlc_type_dim(mlc_value_type(rows), 1) != MLC_DYNAMIC)
        return rows;
    MlcAttr shape[] = {mlc_size_of_dim(mlc_value_type(rows), 0),
                       mlc_size_number(mlc_onnx_context_of(n), count)};
    return shape[0] && count > 0 ? mlc_onnx_reshape_to(n, rows, &(MlcOnnxSizes){shape, 2})
                                 : (mlc_onnx_unknown_size(n, 1), NULL);
}

MlcValue *
mlc_onnx_build_with(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, double number)
{
    if (!value)
        return NULL;
    MlcType element = mlc_type_element(mlc_value_type(value));
    return mlc_onnx_build_two(n, op, value, mlc_onnx_build_number(n, element, number));
}

MlcValue *
mlc_onnx_reduce_last(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value)
{
    return mlc_onnx_reduce_axes(n, op, value, (MlcOnnxInts){(int64_t[]){-1}, 1});
}

MlcValue *
mlc_onnx_columns(MlcOnnxNodeImport *n, MlcValue *value, int64_t begin, int64_t end)
{
    return mlc_onnx_slice(n, value, (MlcOnnxInts){&begin, 1}, (MlcOnnxInts){&end, 1},
                          (MlcOnnxInts){(int64_t[]){-1}, 1}, (MlcOnnxInts){0});
}

// ---- scores

bool
mlc_onnx_read_post(MlcOnnxNodeImport *n, MlcOnnxPost *post)
{
    static const char *const names[] = {
        [MLC_ONNX_POST_NONE] = "NONE",       [MLC_ONNX_POST_LOGISTIC] = "LOGISTIC",
        [MLC_ONNX_POST_SOFTMAX] = "SOFTMAX", [MLC_ONNX_POST_SOFTMAX_ZERO] = "SOFTMAX_ZERO",
        [MLC_ONNX_POST_PROBIT] = "PROBIT",
    };
    MlcStr name = mlc_str("NONE");
    if (!mlc_onnx_read_str(n, "post_transform", &name))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlc_str_equal(name, mlc_str(names[i]))) {
            *post = (MlcOnnxPost)i;
            return true;
        }
    return mlc_onnx_invalid(n, "attribute 'post_transform' is '%.*s'", MLC_STR_FMT(name));
}

// A score of about 0 has no share of its own: it is only brought to the scale of the others.
static MlcValue *
softmax_zero(MlcOnnxNodeImport *n, MlcValue *scores)
{
    MlcValue *most = mlc_onnx_reduce_last(n, &mlc_graph_reduce_max_def, scores);
    MlcValue *shifted = mlc_onnx_build_two(n, &mlc_graph_sub_def, scores, most);
    MlcValue *scale =
        mlc_onnx_build_one(n, &mlc_graph_exp_def, mlc_onnx_build_one(n, &mlc_graph_neg_def, most));
    MlcType element = mlc_type_element(mlc_value_type(scores));
    MlcValue *counts = mlc_onnx_compare(n, &mlc_graph_greater_def,
                                        mlc_onnx_build_one(n, &mlc_graph_abs_def, scores),
                                        mlc_onnx_build_number(n, element, 0.0000001));
    MlcValue *share = mlc_onnx_select(n, counts, mlc_onnx_build_one(n, &mlc_graph_exp_def, shifted),
                                      mlc_onnx_build_two(n, &mlc_graph_mul_def, scores, scale));
    MlcValue *sum = mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def, share);
    MlcValue *none =
        sum ? mlc_onnx_compare(n, &mlc_graph_equal_def, sum, mlc_onnx_build_number(n, element, 0))
            : NULL;
    return mlc_onnx_select(n, none, mlc_onnx_build_number(n, element, 0.5),
                           mlc_onnx_build_two(n, &mlc_graph_div_def, share, sum));
}

// sqrt(2) times the inverse of erf at 2 x - 1, by Winitzki's approximation, as ONNX's evaluators
// do.
static MlcValue *
probit(MlcOnnxNodeImport *n, MlcValue *scores)
{
    const double a = 0.147, pi = 3.14159265358979323846;
    const MlcOpDef *add = &mlc_graph_add_def, *sub = &mlc_graph_sub_def, *mul = &mlc_graph_mul_def;
    MlcType element = mlc_type_element(mlc_value_type(scores));
    MlcValue *zero = mlc_onnx_build_number(n, element, 0);
    MlcValue *x = mlc_onnx_build_with(n, sub, mlc_onnx_build_with(n, mul, scores, 2), 1);
    MlcValue *is_negative = mlc_onnx_compare(n, &mlc_graph_less_def, x, zero);
    MlcValue *sign = mlc_onnx_select(n, is_negative, mlc_onnx_build_number(n, element, -1),
                                     mlc_onnx_build_number(n, element, 1));
    MlcValue *rest = mlc_onnx_build_two(
        n, mul, mlc_onnx_build_two(n, sub, mlc_onnx_build_number(n, element, 1), x),
        mlc_onnx_build_with(n, add, x, 1));
    MlcValue *log = mlc_onnx_build_one(n, &mlc_graph_log_def, rest);
    MlcValue *v = mlc_onnx_build_with(n, add, mlc_onnx_build_with(n, mul, log, 0.5), 2 / (pi * a));
    MlcValue *root =
        mlc_onnx_build_one(n, &mlc_graph_sqrt_def,
                           mlc_onnx_build_two(n, sub, mlc_onnx_build_two(n, mul, v, v),
                                              mlc_onnx_build_with(n, mul, log, 1 / a)));
    MlcValue *size =
        mlc_onnx_build_one(n, &mlc_graph_sqrt_def, mlc_onnx_build_two(n, sub, root, v));
    MlcValue *result = mlc_onnx_build_with(n, mul, mlc_onnx_build_two(n, mul, sign, size), sqrt(2));
    MlcValue *is_end = mlc_onnx_compare(n, &mlc_graph_equal_def, rest, zero);
    return mlc_onnx_select(n, is_end, zero, result);
}

MlcValue *
mlc_onnx_post_transform(MlcOnnxNodeImport *n, MlcValue *scores, MlcOnnxPost post)
{
    if (!scores)
        return NULL;
    switch (post) {
    case MLC_ONNX_POST_LOGISTIC:
        return mlc_onnx_build_one(n, &mlc_graph_sigmoid_def, scores);
    case MLC_ONNX_POST_SOFTMAX:
        return mlc_onnx_build_one(n, &mlc_graph_softmax_def, scores);
    case MLC_ONNX_POST_SOFTMAX_ZERO:
        return softmax_zero(n, scores);
    case MLC_ONNX_POST_PROBIT:
        return probit(n, scores);
    case MLC_ONNX_POST_NONE:
        break;
    }
    return scores;
}

MlcValue *
mlc_onnx_binary_scores(MlcOnnxNodeImport *n, MlcValue *score, bool are_positive, MlcOnnxPost post)
{
    if (!score)
        return NULL;
    MlcType element = mlc_type_element(mlc_value_type(score));
    bool is_rest = post == MLC_ONNX_POST_PROBIT || (post != MLC_ONNX_POST_LOGISTIC && are_positive);
    MlcValue *other = is_rest ? mlc_onnx_build_two(n, &mlc_graph_sub_def,
                                                   mlc_onnx_build_number(n, element, 1), score)
                              : mlc_onnx_build_one(n, &mlc_graph_neg_def, score);
    MlcValue *both = mlc_onnx_concat(n, (MlcValue *[]){other, score}, 2, 1);
    bool is_left = post == MLC_ONNX_POST_SOFTMAX || post == MLC_ONNX_POST_SOFTMAX_ZERO;
    return is_left ? both : mlc_onnx_post_transform(n, both, post);
}

// ---- classes

bool
mlc_onnx_read_classes(MlcOnnxNodeImport *n, const char *numbers, const char *strings,
                      MlcOnnxClasses *classes)
{
    if (!mlc_onnx_read_ints(n, numbers, &classes->numbers) ||
        !mlc_onnx_read_strings(n, strings, &classes->names))
        return false;
    if (classes->names.count && classes->numbers.count)
        return mlc_onnx_invalid(n, "attributes '%s' and '%s' are both given", numbers, strings);
    if (!classes->names.count && !classes->numbers.count)
        return mlc_onnx_invalid(n, "attribute '%s' or '%s' is required", numbers, strings);
    classes->count = classes->names.count + classes->numbers.count;
    return true;
}

static MlcValue *
build_some(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, size_t first, const int64_t *shape,
           size_t rank)
{
    if (classes->names.count)
        return mlc_onnx_build_strings(n->import, classes->names.items + first, shape, rank);
    return mlc_onnx_build_ints(n, classes->numbers.items + first, shape, rank);
}

MlcValue *
mlc_onnx_build_classes(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes)
{
    return build_some(n, classes, 0, &(int64_t){(int64_t)classes->count}, 1);
}

MlcValue *
mlc_onnx_build_class(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, size_t i)
{
    return build_some(n, classes, i, NULL, 0);
}

// An op along the last dimension, which goes.
static MlcValue *
reduce_away(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){(int64_t[]){-1}, 1});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return value ? mlc_onnx_build(n, op, &value, 1, &attrs) : NULL;
}

// The place of the largest number of each row, [N]: of equal ones the first. The least of all
// places where the number is that of the row; the last of a row that has NaN.
static MlcValue *
places_of_largest(MlcOnnxNodeImport *n, MlcValue *scores)
{
    MlcType i64 = mlc_onnx_i64(n);
    int64_t count = mlc_type_dim(mlc_value_type(scores), 1);
    MlcValue *most = mlc_onnx_reduce_last(n, &mlc_graph_reduce_max_def, scores);
    MlcValue *is_most = mlc_onnx_compare(n, &mlc_graph_equal_def, scores, most);
    MlcValue *places = mlc_onnx_select(n, is_most, mlc_onnx_build_count(n, count, 1, 2),
                                       mlc_onnx_build_number(n, i64, (double)(count - 1)));
    return reduce_away(n, &mlc_graph_reduce_min_def, places);
}

static bool
are_counted(const MlcOnnxClasses *classes)
{
    for (size_t i = 0; i < classes->numbers.count; i++)
        if (classes->numbers.items[i] != (int64_t)i)
            return false;
    return classes->names.count == 0;
}

static MlcValue *
class_of_places(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, MlcValue *places)
{
    if (!places || are_counted(classes))
        return places;
    MlcValue *table = mlc_onnx_build_classes(n, classes);
    return table ? mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){table, places}, 2, NULL)
                 : NULL;
}

static MlcValue *
class_beyond(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, MlcValue *scores, double limit)
{
    MlcType element = mlc_type_element(mlc_value_type(scores));
    scores = reduce_away(n, &mlc_graph_reduce_max_def, scores); // of one number
    MlcValue *is_second = mlc_onnx_compare(n, &mlc_graph_greater_def, scores,
                                           mlc_onnx_build_number(n, element, limit));
    if (classes->count > 1)
        return mlc_onnx_select(n, is_second, mlc_onnx_build_class(n, classes, 1),
                               mlc_onnx_build_class(n, classes, 0));
    if (classes->names.count)
        return mlc_onnx_unsupported(n, "a single class that is a string"), NULL;
    // The one that counts; what is not of it is 0.
    return mlc_onnx_select(n, is_second, mlc_onnx_build_class(n, classes, 0), mlc_onnx_int(n, 0));
}

bool
mlc_onnx_set_classes(MlcOnnxNodeImport *n, const MlcOnnxClasses *classes, MlcValue *scores,
                     double limit, MlcValue *results)
{
    if (!scores || !results)
        return false;
    int64_t columns = mlc_type_dim(mlc_value_type(scores), 1);
    if (columns != 1 && (size_t)columns != classes->count)
        return mlc_onnx_invalid(n, "%zu classes for %" PRId64 " scores", classes->count, columns);
    if (mlc_onnx_has_output(n, 0))
        n->outputs[0] = columns == 1 ? class_beyond(n, classes, scores, limit)
                                     : class_of_places(n, classes, places_of_largest(n, scores));
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = results;
    return !mlc_onnx_has_output(n, 0) || n->outputs[0];
}
