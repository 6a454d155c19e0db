// ops_elementwise.c -- ONNX operators: element by element.
#include "node.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

MLC_ONNX_UNARY(abs)
MLC_ONNX_UNARY(ceil)
MLC_ONNX_UNARY(cos)
MLC_ONNX_UNARY(erf)
MLC_ONNX_UNARY(exp)
MLC_ONNX_UNARY(floor)
MLC_ONNX_UNARY(hard_swish)
MLC_ONNX_UNARY(identity)
MLC_ONNX_UNARY(log)
MLC_ONNX_UNARY(neg)
MLC_ONNX_UNARY(reciprocal)
MLC_ONNX_UNARY(relu)
MLC_ONNX_UNARY(round)
MLC_ONNX_UNARY(sigmoid)
MLC_ONNX_UNARY(sign)
MLC_ONNX_UNARY(sin)
MLC_ONNX_UNARY(softplus)
MLC_ONNX_UNARY(softsign)
MLC_ONNX_UNARY(sqrt)
MLC_ONNX_UNARY(tanh)
MLC_ONNX_UNARY(gelu)
MLC_ONNX_UNARY(gelu_tanh)
MLC_ONNX_BINARY(add)
MLC_ONNX_BINARY(div)
MLC_ONNX_BINARY(mul)
MLC_ONNX_BINARY(prelu)
MLC_ONNX_BINARY(sub)

// An op whose elements are of a type that not all operands have.
static bool
import_typed(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcType element, size_t num_inputs)
{
    return mlc_onnx_set_result(n,
                               mlc_onnx_build_typed(n, op, element, n->inputs, num_inputs, NULL));
}

// Comparisons and truth values: results of i1, whatever the operands hold.
static bool
import_truth(MlcOnnxNodeImport *n, const MlcOpDef *op)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    return import_typed(n, op, i1, n->num_inputs);
}

#define TRUTH(op)                                                                                  \
    static bool import_##op(MlcOnnxNodeImport *n)                                                  \
    {                                                                                              \
        return import_truth(n, &mlc_graph_##op##_def);                                             \
    }
TRUTH(and)
TRUTH(equal)
TRUTH(greater)
TRUTH(greater_or_equal)
TRUTH(is_nan)
TRUTH(less)
TRUTH(less_or_equal)
TRUTH(not )
TRUTH(or)
TRUTH(xor)

static bool
import_where(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    return import_typed(n, &mlc_graph_where_def, element, 3);
}

static bool
import_gelu_by(MlcOnnxNodeImport *n)
{
    MlcStr approximate = mlc_str("none");
    if (!mlc_onnx_read_str(n, "approximate", &approximate))
        return false;
    return mlc_str_equal(approximate, mlc_str("tanh")) ? import_gelu_tanh(n) : import_gelu(n);
}

// The exponent may be of another type than the base, which the result has. Integers go by way of
// f64, which holds what they are used for.
static bool
import_pow(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0])), computed = element;
    MlcValue *operands[] = {n->inputs[0], n->inputs[1]}, *power;
    if (!mlc_type_is_float(element))
        computed = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    for (size_t i = 0; i < 2; i++)
        if (mlc_type_element(mlc_value_type(operands[i])) != computed) {
            operands[i] =
                mlc_onnx_build_typed(n, &mlc_graph_cast_def, computed, &operands[i], 1, NULL);
            if (!operands[i])
                return false;
        }
    power = mlc_onnx_build(n, &mlc_graph_pow_def, operands, 2, NULL);
    if (power && computed != element)
        power = mlc_onnx_build_typed(n, &mlc_graph_cast_def, element, &power, 1, NULL);
    return mlc_onnx_set_result(n, power);
}

// Max, Min and Sum of any number of inputs are chains of the binary op.
static bool
import_chain(MlcOnnxNodeImport *n, const MlcOpDef *op)
{
    MlcValue *value = n->inputs[0];
    for (size_t i = 1; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        value = mlc_onnx_build(n, op, (MlcValue *[]){value, n->inputs[i]}, 2, NULL);
        if (!value)
            return false;
    }
    return mlc_onnx_set_result(n, value);
}

static bool
import_max(MlcOnnxNodeImport *n)
{
    return import_chain(n, &mlc_graph_max_def);
}

static bool
import_min(MlcOnnxNodeImport *n)
{
    return import_chain(n, &mlc_graph_min_def);
}

static bool
import_sum(MlcOnnxNodeImport *n)
{
    return import_chain(n, &mlc_graph_add_def);
}

// An op of one operand with two attributes, or one (`second` NULL).
static bool
import_with_floats(MlcOnnxNodeImport *n, const MlcOpDef *op, const char *first, const char *second)
{
    MlcOnnxAttrs attrs = {0};
    return mlc_onnx_copy_float(n, &attrs, first) &&
           (!second || mlc_onnx_copy_float(n, &attrs, second)) &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, op, n->inputs, 1, &attrs));
}

static bool
import_elu(MlcOnnxNodeImport *n)
{
    return import_with_floats(n, &mlc_graph_elu_def, "alpha", NULL);
}

static bool
import_leaky_relu(MlcOnnxNodeImport *n)
{
    return import_with_floats(n, &mlc_graph_leaky_relu_def, "alpha", NULL);
}

static bool
import_selu(MlcOnnxNodeImport *n)
{
    return import_with_floats(n, &mlc_graph_selu_def, "alpha", "gamma");
}

static bool
import_hard_sigmoid(MlcOnnxNodeImport *n)
{
    return import_with_floats(n, &mlc_graph_hard_sigmoid_def, "alpha", "beta");
}

// A bound of Clip: an attribute before opset 11, then an input. Constant bounds become attributes
// of the op.
static bool
add_bound(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, const char *as, size_t input)
{
    if (n->import->opset < 11) {
        bool ok = true;
        const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
        if (a)
            mlc_onnx_add_float(n, attrs, as, a->f);
        return ok;
    }
    double bound;
    if (!mlc_onnx_input_or_null(n, input))
        return true;
    if (!mlc_onnx_constant_float(n, input, &bound))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    mlc_onnx_add_attr(n, attrs, as, mlc_float_attr_get(element, bound));
    return true;
}

// Bounds that no attribute can say, of integers or computed at run time: min(max(x, low), high).
static bool
clip_by_operands(MlcOnnxNodeImport *n)
{
    static const MlcOpDef *const ops[] = {&mlc_graph_max_def, &mlc_graph_min_def};
    MlcValue *value = n->inputs[0];
    for (size_t i = 0; value && i < 2; i++)
        if (mlc_onnx_input_or_null(n, i + 1))
            value = mlc_onnx_build(n, ops[i], (MlcValue *[]){value, n->inputs[i + 1]}, 2, NULL);
    return mlc_onnx_set_result(n, value);
}

static bool
import_clip(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    bool is_plain = mlc_type_is_float(mlc_type_element(mlc_value_type(n->inputs[0])));
    for (size_t i = 1; i < 3; i++)
        is_plain &= !mlc_onnx_input_or_null(n, i) || mlc_value_constant(n->inputs[i]);
    if (!is_plain && n->import->opset >= 11)
        return clip_by_operands(n);
    return add_bound(n, &attrs, "min", "low", 1) && add_bound(n, &attrs, "max", "high", 2) &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_clip_def, n->inputs, 1, &attrs));
}

static bool
import_cast(MlcOnnxNodeImport *n)
{
    int64_t to = 0;
    if (!mlc_onnx_read_int(n, "to", &to))
        return false;
    if (!mlc_onnx_data_type_name(to))
        return mlc_onnx_invalid(n, "attribute 'to' is %" PRId64 ", which is no data type", to);
    MlcType element = mlc_onnx_element_type(mlc_onnx_context_of(n), to);
    if (!element)
        return mlc_onnx_unsupported(n, "a cast to %s", mlc_onnx_data_type_name(to));
    return import_typed(n, &mlc_graph_cast_def, element, 1);
}

// To the element type of the second input, whose elements nobody reads.
static bool
import_cast_like(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    return import_typed(n, &mlc_graph_cast_def, element, 1);
}

static bool
import_mod(MlcOnnxNodeImport *n)
{
    int64_t fmod = 0;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!mlc_onnx_read_int(n, "fmod", &fmod))
        return false;
    if (fmod || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_integer_type_signedness(element) != MLC_SIGNLESS)
        return mlc_onnx_unsupported(n, "elements of type %s, or fmod", mlc_type_text(element));
    return mlc_onnx_import_binary(n, &mlc_graph_mod_def);
}

// Dropout when inferring: nothing is dropped.
static bool
import_dropout(MlcOnnxNodeImport *n)
{
    bool training = false;
    MlcAttr mode = mlc_onnx_input_or_null(n, 2) ? mlc_value_constant(n->inputs[2]) : NULL;
    if (mlc_onnx_input_or_null(n, 2) && !mode)
        return mlc_onnx_unknown_value(n, 2);
    if (mode)
        training = mlc_type_num_elements(mlc_attr_type(mode)) == 1 &&
                   mlc_attr_as_bool(mlc_elements_attr_element(mode, 0));
    if (training)
        return mlc_onnx_unsupported(n, "training mode");
    return import_identity(n);
}

static const MlcOnnxOperator rows[] = {
    {"Abs", 6, MLC_ONNX_NEWEST, 1, 1, import_abs},
    {"Add", 7, MLC_ONNX_NEWEST, 2, 2, import_add},
    {"And", 7, MLC_ONNX_NEWEST, 2, 2, import_and},
    {"Cast", 6, MLC_ONNX_NEWEST, 1, 1, import_cast},
    {"CastLike", 15, MLC_ONNX_NEWEST, 2, 2, import_cast_like},
    {"Ceil", 6, MLC_ONNX_NEWEST, 1, 1, import_ceil},
    {"Clip", 11, MLC_ONNX_NEWEST, 1, 3, import_clip},
    {"Clip", 6, 10, 1, 1, import_clip},
    {"Cos", 7, MLC_ONNX_NEWEST, 1, 1, import_cos},
    {"Div", 7, MLC_ONNX_NEWEST, 2, 2, import_div},
    {"Dropout", 7, MLC_ONNX_NEWEST, 1, 3, import_dropout},
    {"Elu", 6, MLC_ONNX_NEWEST, 1, 1, import_elu},
    {"Equal", 7, MLC_ONNX_NEWEST, 2, 2, import_equal},
    {"Erf", 9, MLC_ONNX_NEWEST, 1, 1, import_erf},
    {"Exp", 6, MLC_ONNX_NEWEST, 1, 1, import_exp},
    {"Floor", 6, MLC_ONNX_NEWEST, 1, 1, import_floor},
    {"Gelu", 20, MLC_ONNX_NEWEST, 1, 1, import_gelu_by},
    {"Greater", 7, MLC_ONNX_NEWEST, 2, 2, import_greater},
    {"GreaterOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, import_greater_or_equal},
    {"HardSigmoid", 6, MLC_ONNX_NEWEST, 1, 1, import_hard_sigmoid},
    {"HardSwish", 14, MLC_ONNX_NEWEST, 1, 1, import_hard_swish},
    {"Identity", 1, MLC_ONNX_NEWEST, 1, 1, import_identity},
    {"IsNaN", 9, MLC_ONNX_NEWEST, 1, 1, import_is_nan},
    {"LeakyRelu", 6, MLC_ONNX_NEWEST, 1, 1, import_leaky_relu},
    {"Less", 7, MLC_ONNX_NEWEST, 2, 2, import_less},
    {"LessOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, import_less_or_equal},
    {"Log", 6, MLC_ONNX_NEWEST, 1, 1, import_log},
    {"Max", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, import_max},
    {"Min", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, import_min},
    {"Mod", 10, MLC_ONNX_NEWEST, 2, 2, import_mod},
    {"Mul", 7, MLC_ONNX_NEWEST, 2, 2, import_mul},
    {"Neg", 6, MLC_ONNX_NEWEST, 1, 1, import_neg},
    {"Not", 1, MLC_ONNX_NEWEST, 1, 1, import_not},
    {"Or", 7, MLC_ONNX_NEWEST, 2, 2, import_or},
    {"PRelu", 7, MLC_ONNX_NEWEST, 2, 2, import_prelu},
    {"Pow", 7, MLC_ONNX_NEWEST, 2, 2, import_pow},
    {"Reciprocal", 6, MLC_ONNX_NEWEST, 1, 1, import_reciprocal},
    {"Relu", 6, MLC_ONNX_NEWEST, 1, 1, import_relu},
    {"Round", 11, MLC_ONNX_NEWEST, 1, 1, import_round},
    {"Selu", 6, MLC_ONNX_NEWEST, 1, 1, import_selu},
    {"Sigmoid", 6, MLC_ONNX_NEWEST, 1, 1, import_sigmoid},
    {"Sign", 9, MLC_ONNX_NEWEST, 1, 1, import_sign},
    {"Sin", 7, MLC_ONNX_NEWEST, 1, 1, import_sin},
    {"Softplus", 1, MLC_ONNX_NEWEST, 1, 1, import_softplus},
    {"Softsign", 1, MLC_ONNX_NEWEST, 1, 1, import_softsign},
    {"Sqrt", 6, MLC_ONNX_NEWEST, 1, 1, import_sqrt},
    {"Sub", 7, MLC_ONNX_NEWEST, 2, 2, import_sub},
    {"Sum", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, import_sum},
    {"Tanh", 6, MLC_ONNX_NEWEST, 1, 1, import_tanh},
    {"Where", 9, MLC_ONNX_NEWEST, 3, 3, import_where},
    {"Xor", 7, MLC_ONNX_NEWEST, 2, 2, import_xor},
};
const MlcOnnxOperators mlc_onnx_elementwise = MLC_ONNX_OPERATORS(rows);
