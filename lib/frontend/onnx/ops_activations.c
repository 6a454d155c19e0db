// ops_activations.c -- ONNX operators: activations that are a few element-wise ops.
#include "found_sizes.h"
#include "node.h"

#include <math.h>

static MlcType
element_of(MlcOnnxNodeImport *n)
{
    return mlc_type_element(mlc_value_type(n->inputs[0]));
}

static MlcValue *
number_like(MlcOnnxNodeImport *n, float number)
{
    return mlc_onnx_build_number(n, element_of(n), (double)number);
}

// x * sigmoid(alpha * x)
static MlcValue *
build_swish(MlcOnnxNodeImport *n)
{
    float alpha = 1;
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_read_float(n, "alpha", &alpha))
        return NULL;
    MlcValue *scaled =
        alpha == 1 ? x : mlc_onnx_build_two(n, &mlc_graph_mul_def, x, number_like(n, alpha));
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, x,
                              mlc_onnx_build_one(n, &mlc_graph_sigmoid_def, scaled));
}

static bool
import_swish(MlcOnnxNodeImport *n)
{
    return mlc_onnx_set_result(n, build_swish(n));
}

static bool
import_swiglu(MlcOnnxNodeImport *n)
{
    return mlc_onnx_set_result(
        n, mlc_onnx_build_two(n, &mlc_graph_mul_def, build_swish(n), n->inputs[1]));
}

// x * tanh(log(1 + e^x))
static bool
import_mish(MlcOnnxNodeImport *n)
{
    MlcValue *rise = mlc_onnx_build_one(n, &mlc_graph_softplus_def, n->inputs[0]);
    return mlc_onnx_set_result(
        n, mlc_onnx_build_two(n, &mlc_graph_mul_def, n->inputs[0],
                              mlc_onnx_build_one(n, &mlc_graph_tanh_def, rise)));
}

// x, or alpha * (e^(x / alpha) - 1) where x is negative.
static bool
import_celu(MlcOnnxNodeImport *n)
{
    float alpha = 1;
    MlcOnnxAttrs attrs = {0};
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_read_float(n, "alpha", &alpha))
        return false;
    if (alpha == 0)
        return mlc_onnx_invalid(n, "attribute 'alpha' is 0");
    mlc_onnx_add_float(n, &attrs, "alpha", alpha);
    MlcValue *part = mlc_onnx_build_two(n, &mlc_graph_div_def, x, number_like(n, alpha));
    MlcValue *is_negative = mlc_onnx_compare(n, &mlc_graph_less_def, x, number_like(n, 0));
    // A negative alpha turns x / alpha positive, where elu is no exponential.
    MlcValue *curve =
        alpha > 0 && part ? mlc_onnx_build(n, &mlc_graph_elu_def, &part, 1, &attrs) : NULL;
    if (alpha < 0)
        curve = mlc_onnx_build_two(
            n, &mlc_graph_mul_def, number_like(n, alpha),
            mlc_onnx_build_two(n, &mlc_graph_sub_def,
                               mlc_onnx_build_one(n, &mlc_graph_exp_def, part), number_like(n, 1)));
    return mlc_onnx_set_result(n, mlc_onnx_select(n, is_negative, curve, x));
}

// x where it is above alpha, else 0.
static bool
import_thresholded_relu(MlcOnnxNodeImport *n)
{
    float alpha = 1;
    if (!mlc_onnx_read_float(n, "alpha", &alpha))
        return false;
    MlcValue *above =
        mlc_onnx_compare(n, &mlc_graph_greater_def, n->inputs[0], number_like(n, alpha));
    return mlc_onnx_set_result(n, mlc_onnx_select(n, above, n->inputs[0], number_like(n, 0)));
}

// x + bias below -lambd, x - bias above lambd, 0 between. Integers are compared as floats.
static bool
import_shrink(MlcOnnxNodeImport *n)
{
    float bias = 0, limit = 0.5f;
    MlcType element = element_of(n), wide = element;
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    if (!mlc_onnx_read_float(n, "bias", &bias) || !mlc_onnx_read_float(n, "lambd", &limit))
        return false;
    if (!mlc_type_is_float(element))
        wide = mlc_type_bit_width(element) < 32
                   ? f32
                   : mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcValue *x = mlc_onnx_cast(n, n->inputs[0], wide);
    MlcValue *by = mlc_onnx_build_scalar(n, wide, (double)bias);
    MlcValue *low =
        mlc_onnx_compare(n, &mlc_graph_less_def, x, mlc_onnx_build_scalar(n, wide, -(double)limit));
    MlcValue *high = mlc_onnx_compare(n, &mlc_graph_greater_def, x,
                                      mlc_onnx_build_scalar(n, wide, (double)limit));
    MlcValue *down = mlc_onnx_select(n, high, mlc_onnx_build_two(n, &mlc_graph_sub_def, x, by),
                                     mlc_onnx_build_scalar(n, wide, 0));
    MlcValue *value =
        mlc_onnx_select(n, low, mlc_onnx_build_two(n, &mlc_graph_add_def, x, by), down);
    return mlc_onnx_set_result(n, mlc_onnx_cast(n, value, element));
}

// Infinity of a sign that is asked for.
static bool
import_is_inf(MlcOnnxNodeImport *n)
{
    int64_t positive = 1, negative = 1;
    MlcValue *x = n->inputs[0];
    if (!mlc_onnx_read_int(n, "detect_positive", &positive) ||
        !mlc_onnx_read_int(n, "detect_negative", &negative))
        return false;
    if (!mlc_type_is_float(element_of(n)))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(mlc_value_type(x)));
    if (!positive && !negative) // nothing is less than itself
        return mlc_onnx_set_result(n, mlc_onnx_compare(n, &mlc_graph_less_def, x, x));
    if (positive && negative)
        x = mlc_onnx_build_one(n, &mlc_graph_abs_def, x);
    MlcValue *bound = number_like(n, positive ? INFINITY : -INFINITY);
    return mlc_onnx_set_result(n, mlc_onnx_compare(n, &mlc_graph_equal_def, x, bound));
}

static const MlcOnnxOperator rows[] = {
    {"Celu", 12, MLC_ONNX_NEWEST, 1, 1, .import = import_celu, .found = mlc_onnx_rule_elementwise},
    {"IsInf", 10, MLC_ONNX_NEWEST, 1, 1, .import = import_is_inf,
     .found = mlc_onnx_rule_elementwise},
    {"Mish", 18, MLC_ONNX_NEWEST, 1, 1, .import = import_mish, .found = mlc_onnx_rule_elementwise},
    {"Shrink", 9, MLC_ONNX_NEWEST, 1, 1, .import = import_shrink},
    {"SwiGLU", 28, MLC_ONNX_NEWEST, 2, 2, .import = import_swiglu},
    {"Swish", 24, MLC_ONNX_NEWEST, 1, 1, .import = import_swish,
     .found = mlc_onnx_rule_elementwise},
    {"ThresholdedRelu", 10, MLC_ONNX_NEWEST, 1, 1, .import = import_thresholded_relu,
     .found = mlc_onnx_rule_elementwise},
};
const MlcOnnxOperators mlc_onnx_activations = MLC_ONNX_OPERATORS(rows);
