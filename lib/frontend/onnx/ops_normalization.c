// ops_normalization.c -- ONNX operators: softmax, and normalisation by statistics of the input.
#include "found_sizes.h"
#include "node.h"

#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

// x - max - log(sum(e^(x - max)))
MlcValue *
mlc_onnx_log_softmax(MlcOnnxNodeImport *n, MlcValue *value, int64_t axis)
{
    MlcOnnxInts axes = {&axis, 1};
    MlcValue *largest = mlc_onnx_reduce_axes(n, &mlc_graph_reduce_max_def, value, axes);
    MlcValue *shifted = mlc_onnx_build_two(n, &mlc_graph_sub_def, value, largest);
    MlcValue *sum = mlc_onnx_reduce_axes(n, &mlc_graph_reduce_sum_def,
                                         mlc_onnx_build_one(n, &mlc_graph_exp_def, shifted), axes);
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, shifted,
                              mlc_onnx_build_one(n, &mlc_graph_log_def, sum));
}

static bool
import_log_softmax(MlcOnnxNodeImport *n)
{
    int64_t axis = -1;
    return mlc_onnx_read_int(n, "axis", &axis) &&
           mlc_onnx_set_result(n, mlc_onnx_log_softmax(n, n->inputs[0], axis));
}

// The axes from `first` on, of a float tensor of known rank; else false after an error.
typedef struct Axes {
    int64_t items[MLC_SMALL_RANK];
    size_t count;
    MlcType type; // of the tensor
} Axes;

static bool
axes_from(MlcOnnxNodeImport *n, MlcValue *x, int64_t first, Axes *axes)
{
    MlcType type = mlc_value_type(x);
    if (!mlc_type_has_small_rank(type) || !mlc_type_is_float(mlc_type_element(type)))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (first < -rank || first >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, first,
                                rank);
    *axes = (Axes){.type = type};
    for (int64_t i = first < 0 ? first + rank : first; i < rank; i++)
        axes->items[axes->count++] = i;
    return true;
}

static MlcValue *
build_mean(MlcOnnxNodeImport *n, MlcValue *value, const Axes *axes)
{
    return mlc_onnx_reduce_axes(n, &mlc_graph_reduce_mean_def, value,
                                (MlcOnnxInts){axes->items, axes->count});
}

// sqrt(mean of value^2 + epsilon); NULL is handed on.
static MlcValue *
build_rms(MlcOnnxNodeImport *n, MlcValue *value, const Axes *axes, double epsilon)
{
    MlcType element = mlc_type_element(axes->type);
    MlcValue *squares = mlc_onnx_build_two(n, &mlc_graph_mul_def, value, value);
    MlcValue *shifted = mlc_onnx_build_two(n, &mlc_graph_add_def, build_mean(n, squares, axes),
                                           mlc_onnx_build_scalar(n, element, epsilon));
    return mlc_onnx_build_one(n, &mlc_graph_sqrt_def, shifted);
}

static MlcValue *
divide_by_rms(MlcOnnxNodeImport *n, MlcValue *value, const Axes *axes, double epsilon)
{
    return mlc_onnx_build_two(n, &mlc_graph_div_def, value, build_rms(n, value, axes, epsilon));
}

static MlcValue *
subtract_mean(MlcOnnxNodeImport *n, MlcValue *value, const Axes *axes)
{
    return mlc_onnx_build_two(n, &mlc_graph_sub_def, value, build_mean(n, value, axes));
}

// (x - mean) / sqrt(variance + epsilon) * scale + bias, statistics over the axes from `axis` on;
// they are results too, in a type of their own.
static bool
import_layer_norm(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, stash = MLC_ONNX_FLOAT;
    float epsilon = 1e-5f;
    Axes axes;
    if (!mlc_onnx_read_int(n, "axis", &axis) || !mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !mlc_onnx_read_int(n, "stash_type", &stash) || !axes_from(n, n->inputs[0], axis, &axes))
        return false;
    MlcType kept = mlc_onnx_element_type(mlc_onnx_context_of(n), stash);
    if (!kept || !mlc_type_is_float(kept))
        return mlc_onnx_unsupported(n, "stash_type = %" PRId64, stash);
    MlcValue *mean = build_mean(n, n->inputs[0], &axes);
    MlcValue *centred = mlc_onnx_build_two(n, &mlc_graph_sub_def, n->inputs[0], mean);
    MlcValue *deviation = build_rms(n, centred, &axes, (double)epsilon);
    MlcValue *value = mlc_onnx_build_two(n, &mlc_graph_div_def, centred, deviation);
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value, n->inputs[1]);
    if (mlc_onnx_input_or_null(n, 2))
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value, n->inputs[2]);
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = mlc_onnx_cast(n, mean, kept);
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] =
            mlc_onnx_cast(n, mlc_onnx_build_one(n, &mlc_graph_reciprocal_def, deviation), kept);
    return mlc_onnx_set_result(n, value);
}

// x / sqrt(mean of x^2 + epsilon) * scale; SimplifiedLayerNormalization, onnxruntime's, has the
// inverse of the root as a result too
static bool
import_rms_norm(MlcOnnxNodeImport *n)
{
    int64_t axis = -1;
    float epsilon = 1e-5f;
    Axes axes;
    if (!mlc_onnx_read_int(n, "axis", &axis) || !mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !axes_from(n, n->inputs[0], axis, &axes))
        return false;
    MlcValue *root = build_rms(n, n->inputs[0], &axes, (double)epsilon);
    MlcValue *value = mlc_onnx_build_two(n, &mlc_graph_div_def, n->inputs[0], root);
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = mlc_onnx_build_one(n, &mlc_graph_reciprocal_def, root);
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_mul_def, value, n->inputs[1]));
}

// ---- of a sum, as onnxruntime's optimiser writes it (com.microsoft)

// input + skip, and the bias in `i`, which a skip may lack a batch for; it is output 3 too.
static MlcValue *
build_skip_sum(MlcOnnxNodeImport *n, size_t i)
{
    MlcValue *bias = mlc_onnx_input_or_null(n, i);
    MlcValue *sum = mlc_onnx_build_two(n, &mlc_graph_add_def, n->inputs[0], n->inputs[1]);
    if (bias)
        sum = mlc_onnx_build_two(n, &mlc_graph_add_def, sum, bias);
    if (mlc_onnx_has_output(n, 3))
        n->outputs[3] = sum;
    return sum;
}

// (value - mean) / sqrt(variance + epsilon) * gamma + beta over the last dimension; without beta
// where it is NULL.
static MlcValue *
normalize_last(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *gamma, MlcValue *beta)
{
    float epsilon = 1e-12f;
    Axes axes;
    if (!value || !mlc_onnx_read_float(n, "epsilon", &epsilon) || !axes_from(n, value, -1, &axes))
        return NULL;
    value = divide_by_rms(n, subtract_mean(n, value, &axes), &axes, (double)epsilon);
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value, gamma);
    return beta ? mlc_onnx_build_two(n, &mlc_graph_add_def, value, beta) : value;
}

static bool
import_skip_layer_norm(MlcOnnxNodeImport *n)
{
    MlcValue *sum = build_skip_sum(n, 4);
    return mlc_onnx_set_result(n,
                               normalize_last(n, sum, n->inputs[2], mlc_onnx_input_or_null(n, 3)));
}

static bool
import_skip_rms_norm(MlcOnnxNodeImport *n)
{
    float epsilon = 1e-12f;
    MlcValue *sum = build_skip_sum(n, 3);
    Axes axes;
    if (!sum || !mlc_onnx_read_float(n, "epsilon", &epsilon) || !axes_from(n, sum, -1, &axes))
        return false;
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                                     divide_by_rms(n, sum, &axes, (double)epsilon),
                                                     n->inputs[2]));
}

// Rows of the table in input `i`, by ids or else by their own places.
static MlcValue *
look_up(MlcOnnxNodeImport *n, size_t i, MlcValue *ids)
{
    MlcValue *operands[] = {n->inputs[i], ids};
    return n->inputs[i] && ids ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, NULL) : NULL;
}

// How many ids of each sentence count, as i32.
static MlcValue *
count_mask(MlcOnnxNodeImport *n, MlcValue *mask, int64_t batch)
{
    MlcType i32 = mlc_integer_type_get(mlc_onnx_context_of(n), 32, MLC_SIGNLESS);
    MlcOnnxAttrs attrs = {0};
    int64_t axis = 1;
    if (!mask) {
        MlcType type = mlc_tensor_type_get(i32, &batch, 1, NULL);
        return mlc_onnx_build_value(n, mlc_dense_attr_splat(type, mlc_integer_attr_get(i32, 0)));
    }
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){&axis, 1});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    mask = mlc_onnx_cast(n, mask, i32);
    return mask ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &mask, 1, &attrs) : NULL;
}

// Layer normalisation of the sum of embeddings of words, positions and segments.
static bool
import_embed_layer_norm(MlcOnnxNodeImport *n)
{
    MlcValue *ids = n->inputs[0], *segments = mlc_onnx_input_or_null(n, 1);
    MlcValue *positions = mlc_onnx_input_or_null(n, 8);
    MlcType type = mlc_value_type(ids);
    for (size_t i = 2; i < 7; i++)
        if (!mlc_onnx_input_or_null(n, i) && i != 4)
            return mlc_onnx_invalid(n, "input %zu is required", i);
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (mlc_type_rank(type) != 2)
        return mlc_onnx_invalid(n, "ids of type %s", mlc_type_text(type));
    if (!positions)
        positions = mlc_onnx_build_count(n, mlc_type_dim(type, 1), 1, 2);
    MlcValue *sum =
        mlc_onnx_build_two(n, &mlc_graph_add_def, look_up(n, 2, ids), look_up(n, 3, positions));
    if (segments && n->inputs[4])
        sum = mlc_onnx_build_two(n, &mlc_graph_add_def, sum, look_up(n, 4, segments));
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = count_mask(n, mlc_onnx_input_or_null(n, 7), mlc_type_dim(type, 0));
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = sum;
    return mlc_onnx_set_result(n, normalize_last(n, sum, n->inputs[5], n->inputs[6]));
}

static const MlcOnnxOperator fused_rows[] = {
    {"EmbedLayerNormalization", 1, MLC_ONNX_NEWEST, 1, 9, .one_type = 0x7c,
     .import = import_embed_layer_norm},
    {"SkipLayerNormalization", 1, MLC_ONNX_NEWEST, 3, 5, .one_type = MLC_ONNX_ALL,
     .import = import_skip_layer_norm},
    {"SkipSimplifiedLayerNormalization", 1, MLC_ONNX_NEWEST, 3, 4, .one_type = MLC_ONNX_ALL,
     .import = import_skip_rms_norm},
};
const MlcOnnxOperators mlc_onnx_fused_norms = MLC_ONNX_OPERATORS(fused_rows);

// ---- of channels and groups

// value * scale + bias, one of each for every index of dimension 1; `rank` is value's.
static MlcValue *
scale_channels(MlcOnnxNodeImport *n, MlcValue *value, size_t rank)
{
    int64_t shape[MLC_SMALL_RANK];
    MlcOnnxInts column = {shape, rank - 1};
    shape[0] = -1;
    for (size_t i = 1; i < rank; i++)
        shape[i] = 1;
    MlcValue *scale = value ? mlc_onnx_reshape(n, n->inputs[1], column, false) : NULL;
    value = mlc_onnx_build_two(n, &mlc_graph_mul_def, value, scale);
    MlcValue *bias = value ? mlc_onnx_reshape(n, n->inputs[2], column, false) : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_add_def, value, bias);
}

// Layer normalisation of each sample's channels by themselves.
static bool
import_instance_norm(MlcOnnxNodeImport *n)
{
    float epsilon = 1e-5f;
    Axes axes;
    if (!mlc_onnx_read_float(n, "epsilon", &epsilon) || !axes_from(n, n->inputs[0], 2, &axes))
        return false;
    MlcValue *value =
        divide_by_rms(n, subtract_mean(n, n->inputs[0], &axes), &axes, (double)epsilon);
    return mlc_onnx_set_result(n, scale_channels(n, value, mlc_type_rank(axes.type)));
}

// Layer normalisation of groups of channels: [N, C, ...] as [N, groups, -1]. What opset 18 meant by
// it is deprecated.
static bool
import_group_norm(MlcOnnxNodeImport *n)
{
    int64_t groups = 0;
    float epsilon = 1e-5f;
    MlcType type = mlc_value_type(n->inputs[0]);
    Axes axes;
    if (!mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !mlc_onnx_read_int(n, "num_groups", &groups))
        return false;
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) < 2 || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (groups < 1 || mlc_type_dim(type, 1) % groups != 0)
        return mlc_onnx_invalid(n, "%" PRId64 " channels cannot make %" PRId64 " groups",
                                mlc_type_dim(type, 1), groups);
    MlcOnnxInts whole = {mlc_type_shape(type), mlc_type_rank(type)};
    MlcValue *value = mlc_onnx_reshape(
        n, n->inputs[0], (MlcOnnxInts){(int64_t[]){mlc_type_dim(type, 0), groups, -1}, 3}, false);
    if (!value || !axes_from(n, value, 2, &axes))
        return false;
    value = divide_by_rms(n, subtract_mean(n, value, &axes), &axes, (double)epsilon);
    value = value ? mlc_onnx_reshape(n, value, whole, true) : NULL;
    return mlc_onnx_set_result(n, scale_channels(n, value, whole.count));
}

// (x - mean) / (deviation + 1e-9), as the operator's function body in ONNX has it
static bool
import_mean_variance_norm(MlcOnnxNodeImport *n)
{
    static const int64_t usual[] = {0, 2, 3};
    MlcOnnxInts list = {usual, 3};
    Axes axes;
    if (!mlc_onnx_read_ints(n, "axes", &list) || !axes_from(n, n->inputs[0], 0, &axes))
        return false;
    if (list.count > MLC_SMALL_RANK)
        return mlc_onnx_invalid(n, "%zu axes", list.count);
    axes.count = list.count;
    if (list.count)
        memcpy(axes.items, list.items, list.count * sizeof *list.items);
    MlcValue *centred = subtract_mean(n, n->inputs[0], &axes);
    MlcValue *squares = mlc_onnx_build_two(n, &mlc_graph_mul_def, centred, centred);
    MlcValue *deviation = mlc_onnx_build_one(n, &mlc_graph_sqrt_def, build_mean(n, squares, &axes));
    MlcValue *least = mlc_onnx_build_scalar(n, mlc_type_element(axes.type), 1e-9);
    return mlc_onnx_set_result(
        n, mlc_onnx_build_two(n, &mlc_graph_div_def, centred,
                              mlc_onnx_build_two(n, &mlc_graph_add_def, deviation, least)));
}

// Before opset 13 the softmax ran over all axes from `axis` on, as if flattened to two.
static bool
import_softmax_flattened(MlcOnnxNodeImport *n)
{
    int64_t axis = 1;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_onnx_read_int(n, "axis", &axis))
        return false;
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "this opset's softmax of an unknown shape");
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    MlcOnnxAttrs flatten = {0}, last = {0};
    mlc_onnx_add_int(n, &flatten, "axis", axis < 0 ? axis + rank : axis);
    mlc_onnx_add_int(n, &last, "axis", -1);
    MlcValue *value = mlc_onnx_build(n, &mlc_graph_flatten_def, n->inputs, 1, &flatten);
    if (value)
        value = n->row->op ? mlc_onnx_build(n, n->row->op, &value, 1, &last)
                           : mlc_onnx_log_softmax(n, value, -1);
    return mlc_onnx_set_result(
        n, value
               ? mlc_onnx_reshape(n, value, (MlcOnnxInts){mlc_type_shape(type), (size_t)rank}, true)
               : NULL);
}

// x / norm along an axis; 0 where the norm is 0.
static bool
import_lp_norm(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, p = 2;
    MlcValue *x = n->inputs[0];
    MlcType element = mlc_type_element(mlc_value_type(x));
    if (!mlc_onnx_read_int(n, "p", &p) || !mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis))
        return false;
    if (p != 1 && p != 2)
        return mlc_onnx_invalid(n, "attribute 'p' is %" PRId64, p);
    MlcValue *powers = p == 1 ? mlc_onnx_build_one(n, &mlc_graph_abs_def, x)
                              : mlc_onnx_build_two(n, &mlc_graph_mul_def, x, x);
    MlcValue *norm =
        mlc_onnx_reduce_axes(n, &mlc_graph_reduce_sum_def, powers, (MlcOnnxInts){&axis, 1});
    if (p == 2)
        norm = mlc_onnx_build_one(n, &mlc_graph_sqrt_def, norm);
    MlcValue *zero = mlc_onnx_build_scalar(n, element, 0);
    MlcValue *is_zero = mlc_onnx_compare(n, &mlc_graph_equal_def, norm, zero);
    return mlc_onnx_set_result(
        n, mlc_onnx_select(n, is_zero, zero, mlc_onnx_build_two(n, &mlc_graph_div_def, x, norm)));
}

// The order of a norm; a float before opset 2.
static bool
read_order(MlcOnnxNodeImport *n, double *p)
{
    int64_t whole = 2;
    float number = 2;
    if (n->import->opset < 2 ? !mlc_onnx_read_float(n, "p", &number)
                             : !mlc_onnx_read_int(n, "p", &whole))
        return false;
    *p = n->import->opset < 2 ? (double)number : (double)whole;
    return (*p >= 1 && *p < HUGE_VAL) || mlc_onnx_invalid(n, "attribute 'p' is %g", *p);
}

// |x|^p, and back.
static MlcValue *
powers_of(MlcOnnxNodeImport *n, MlcValue *x, double p)
{
    MlcType element = mlc_type_element(mlc_value_type(x));
    if (p == 2)
        return mlc_onnx_build_two(n, &mlc_graph_mul_def, x, x);
    x = mlc_onnx_build_one(n, &mlc_graph_abs_def, x);
    return p == 1
               ? x
               : mlc_onnx_build_two(n, &mlc_graph_pow_def, x, mlc_onnx_build_scalar(n, element, p));
}

static MlcValue *
root_of(MlcOnnxNodeImport *n, MlcValue *sum, double p)
{
    if (!sum || p == 1)
        return sum;
    MlcType element = mlc_type_element(mlc_value_type(sum));
    return p == 2 ? mlc_onnx_build_one(n, &mlc_graph_sqrt_def, sum)
                  : mlc_onnx_build_two(n, &mlc_graph_pow_def, sum,
                                       mlc_onnx_build_scalar(n, element, 1 / p));
}

// The norm of each channel's image, (sum of |x|^p)^(1 / p)
static bool
import_global_lp_pool(MlcOnnxNodeImport *n)
{
    double p;
    Axes axes;
    if (!read_order(n, &p) || !axes_from(n, n->inputs[0], 2, &axes))
        return false;
    MlcValue *sum =
        mlc_onnx_reduce_axes(n, &mlc_graph_reduce_sum_def, powers_of(n, n->inputs[0], p),
                             (MlcOnnxInts){axes.items, axes.count});
    return mlc_onnx_set_result(n, root_of(n, sum, p));
}

// Means of windows times the elements that each counts. Those that hang over behind the padding
// (ceil_mode) count fewer.
static MlcValue *
sums_of_means(MlcOnnxNodeImport *n, MlcValue *means, bool is_ceil)
{
    MlcOp *op = mlc_value_def(means);
    MlcType type = mlc_value_type(means), element = mlc_type_element(type);
    MlcGraphWindow w;
    double all = 1;
    if (!is_ceil) {
        MlcOnnxInts kernel = {0};
        if (!mlc_onnx_read_ints(n, "kernel_shape", &kernel))
            return NULL;
        for (size_t i = 0; i < kernel.count; i++)
            all *= (double)kernel.items[i];
        return mlc_onnx_build_two(n, &mlc_graph_mul_def, means,
                                  mlc_onnx_build_scalar(n, element, all));
    }
    bool is_known =
        mlc_graph_average_pool_isa(op) && mlc_type_has_small_rank(type) && mlc_graph_window(op, &w);
    for (size_t i = 0; is_known && i < w.rank; i++)
        is_known = mlc_type_dim(type, i + 2) != MLC_DYNAMIC;
    if (!is_known)
        return mlc_onnx_unsupported(n, "ceil_mode = 1 for an input of type %s",
                                    mlc_type_text(mlc_value_type(n->inputs[0]))),
               NULL;
    for (size_t i = 0; i < w.rank; i++) {
        int64_t shape[MLC_SMALL_RANK] = {1, 1}, size = mlc_type_dim(type, i + 2);
        if (!mlc_onnx_can_list(n, size))
            return NULL;
        double *counts = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size + 1);
        for (size_t k = 2; k < w.rank + 2; k++)
            shape[k] = k == i + 2 ? size : 1;
        for (int64_t k = 0; k < size; k++)
            counts[k] = (double)mlc_graph_window_count(op, &w, i, k);
        means = mlc_onnx_build_two(n, &mlc_graph_mul_def, means,
                                   mlc_onnx_build_floats(n, element, counts, shape, w.rank + 2));
    }
    return means;
}

// The norm of each window, of |x|^p: padding counts as zeros, so the mean that counts it is the sum
// by the number of elements.
static bool
import_lp_pool(MlcOnnxNodeImport *n)
{
    int64_t is_ceil = 0;
    double p;
    MlcValue *x = n->inputs[0], **inputs = n->inputs;
    if (!read_order(n, &p) || !mlc_onnx_read_int(n, "ceil_mode", &is_ceil))
        return false;
    x = powers_of(n, x, p);
    if (!x)
        return false;
    n->inputs = &x;
    bool ok = mlc_onnx_import_one_op(n);
    n->inputs = inputs;
    MlcValue *sum = ok ? sums_of_means(n, n->outputs[0], is_ceil != 0) : NULL;
    return mlc_onnx_set_result(n, root_of(n, sum, p));
}

// x / (bias + alpha / size * (sum of the squares of neighbouring channels))^beta; what hangs over
// at the sides is 0.
static bool
import_lrn(MlcOnnxNodeImport *n)
{
    enum { MAX_NEIGHBOURS = 256 };
    float alpha = 1e-4f, beta = 0.75f, bias = 1;
    int64_t size = 0, axis = 1, pads[2 * MLC_SMALL_RANK] = {0};
    MlcValue *x = n->inputs[0], *sum = NULL;
    MlcType type = mlc_value_type(x), element = mlc_type_element(type);
    MlcOnnxAttrs attrs = {0};
    if (!mlc_onnx_read_float(n, "alpha", &alpha) || !mlc_onnx_read_float(n, "beta", &beta) ||
        !mlc_onnx_read_float(n, "bias", &bias) || !mlc_onnx_read_int(n, "size", &size))
        return false;
    if (size < 1)
        return mlc_onnx_invalid(n, "attribute 'size' is %" PRId64, size);
    if (size > MAX_NEIGHBOURS || !mlc_type_has_small_rank(type) || mlc_type_rank(type) < 2 ||
        mlc_type_dim(type, 1) == MLC_DYNAMIC)
        return mlc_onnx_unsupported(n, "%" PRId64 " neighbours in an input of type %s", size,
                                    mlc_type_text(type));
    pads[1] = (size - 1) / 2;
    pads[1 + mlc_type_rank(type)] = size - 1 - pads[1];
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * mlc_type_rank(type)});
    MlcValue *squares = mlc_onnx_build_two(n, &mlc_graph_mul_def, x, x);
    squares = squares ? mlc_onnx_build(n, &mlc_graph_pad_def, &squares, 1, &attrs) : NULL;
    for (int64_t i = 0; squares && i < size; i++) {
        int64_t end = i + mlc_type_dim(type, 1);
        MlcValue *one = mlc_onnx_slice(n, squares, (MlcOnnxInts){&i, 1}, (MlcOnnxInts){&end, 1},
                                       (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
        sum = sum ? mlc_onnx_build_two(n, &mlc_graph_add_def, sum, one) : one;
        if (!sum)
            return false;
    }
    MlcValue *factor = mlc_onnx_build_scalar(n, element, (double)alpha / (double)size);
    MlcValue *base = mlc_onnx_build_two(n, &mlc_graph_add_def,
                                        mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, factor),
                                        mlc_onnx_build_scalar(n, element, (double)bias));
    MlcValue *power = mlc_onnx_build_two(n, &mlc_graph_pow_def, base,
                                         mlc_onnx_build_scalar(n, element, (double)beta));
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_div_def, x, power));
}

static const MlcOnnxOperator rows[] = {
    {"GlobalLpPool", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_global_lp_pool},
    {"GroupNormalization", 21, MLC_ONNX_NEWEST, 3, 3, .import = import_group_norm},
    {"InstanceNormalization", 1, MLC_ONNX_NEWEST, 3, 3, .import = import_instance_norm,
     .found = mlc_onnx_rule_batch},
    {"LayerNormalization", 17, MLC_ONNX_NEWEST, 2, 3, .import = import_layer_norm},
    {"LRN", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_lrn, .found = mlc_onnx_rule_batch},
    {"LogSoftmax", 1, 12, 1, 1, .import = import_softmax_flattened,
     .found = mlc_onnx_rule_beside_axis},
    {"LogSoftmax", 13, MLC_ONNX_NEWEST, 1, 1, .import = import_log_softmax,
     .found = mlc_onnx_rule_beside_axis},
    {"LpNormalization", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_lp_norm},
    {"LpPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(average_pool), .import = import_lp_pool,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode"),
                    MLC_ONNX_COPY_BOOL("count_include_pad", .otherwise = &(const int64_t){1}))},
    {"MeanVarianceNormalization", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_mean_variance_norm},
    {"RMSNormalization", 23, MLC_ONNX_NEWEST, 2, 2, .import = import_rms_norm},
    {"SimplifiedLayerNormalization", 1, MLC_ONNX_NEWEST, 2, 2, .import = import_rms_norm},
    {"Softmax", 1, 12, 1, 1, MLC_ONNX_OP(softmax), .import = import_softmax_flattened,
     .found = mlc_onnx_rule_beside_axis},
    {"Softmax", 13, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(softmax),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis")), .found = mlc_onnx_rule_beside_axis},
};
const MlcOnnxOperators mlc_onnx_normalization = MLC_ONNX_OPERATORS(rows);
