// ops_elementwise.c -- ONNX operators: element by element.
#include "node.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

static bool
import_gelu(MlcOnnxNodeImport *n)
{
    MlcStr approximate = mlc_str("none");
    if (!mlc_onnx_read_str(n, "approximate", &approximate))
        return false;
    bool is_tanh = mlc_str_equal(approximate, mlc_str("tanh"));
    const MlcOpDef *op = is_tanh ? &mlc_graph_gelu_tanh_def : &mlc_graph_gelu_def;
    return mlc_onnx_set_result(n, mlc_onnx_build_one(n, op, n->inputs[0]));
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
import_chain(MlcOnnxNodeImport *n)
{
    MlcValue *value = n->inputs[0];
    for (size_t i = 1; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        value = mlc_onnx_build(n, n->row->op, (MlcValue *[]){value, n->inputs[i]}, 2, NULL);
        if (!value)
            return false;
    }
    return mlc_onnx_set_result(n, value);
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

// What a float of 8 bits does not hold is its largest number, infinities too, unless `saturate` is
// 0: then what the format has in place of them.
static bool
cast_to(MlcOnnxNodeImport *n, MlcType element)
{
    MlcValue *input = n->inputs[0];
    int64_t saturate = 1;
    if (!mlc_onnx_read_int(n, "saturate", &saturate))
        return false;
    if (mlc_type_is_float(element) && mlc_type_bit_width(element) == 8 && saturate) {
        double most = mlc_float_to_double(mlc_float_largest(mlc_float_type_kind(element), false));
        MlcType from = mlc_type_element(mlc_value_type(input));
        if (!mlc_type_is_float(from) || mlc_type_bit_width(from) == 8) {
            from = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
            input = mlc_onnx_build_typed(n, &mlc_graph_cast_def, from, &input, 1, NULL);
        }
        MlcOnnxAttrs bounds = {0};
        mlc_onnx_add_attr(n, &bounds, "low", mlc_float_attr_get(from, -most));
        mlc_onnx_add_attr(n, &bounds, "high", mlc_float_attr_get(from, most));
        input = mlc_onnx_build(n, &mlc_graph_clip_def, &input, 1, &bounds);
        if (!input)
            return false;
    }
    return mlc_onnx_set_result(
        n, mlc_onnx_build_typed(n, &mlc_graph_cast_def, element, &input, 1, NULL));
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
    return cast_to(n, element);
}

static bool
import_cast_like(MlcOnnxNodeImport *n)
{
    return cast_to(n, mlc_type_element(mlc_value_type(n->inputs[1])));
}

static bool
check_mod(MlcOnnxNodeImport *n)
{
    int64_t fmod = 0;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!mlc_onnx_read_int(n, "fmod", &fmod))
        return false;
    if (fmod || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_integer_type_signedness(element) != MLC_SIGNLESS)
        return mlc_onnx_unsupported(n, "elements of type %s, or fmod", mlc_type_text(element));
    return true;
}

// Of Dropout: then nothing is dropped.
static bool
check_inference(MlcOnnxNodeImport *n)
{
    bool training = false;
    MlcAttr mode = mlc_onnx_input_or_null(n, 2) ? mlc_value_constant(n->inputs[2]) : NULL;
    if (mlc_onnx_input_or_null(n, 2) && !mode)
        return mlc_onnx_unknown_value(n, 2);
    if (mode)
        training = mlc_type_num_elements(mlc_attr_type(mode)) == 1 &&
                   mlc_attr_as_bool(mlc_elements_attr_element(mode, 0));
    return !training || mlc_onnx_unsupported(n, "training mode");
}

static const MlcOnnxOperator rows[] = {
    {"Abs", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(abs)},
    {"Add", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(add)},
    {"And", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(and), .element = MLC_ONNX_TRUTH},
    {"Cast", 6, MLC_ONNX_NEWEST, 1, 1, .import = import_cast},
    {"CastLike", 15, MLC_ONNX_NEWEST, 2, 2, .import = import_cast_like},
    {"Ceil", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(ceil)},
    {"Clip", 11, MLC_ONNX_NEWEST, 1, 3, .import = import_clip},
    {"Clip", 6, 10, 1, 1, .import = import_clip},
    {"Cos", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(cos)},
    {"Div", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(div)},
    {"Dropout", 7, MLC_ONNX_NEWEST, 1, 3, MLC_ONNX_OP(identity), .check = check_inference},
    {"Elu", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(elu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"))},
    {"Equal", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(equal), .element = MLC_ONNX_TRUTH},
    {"Erf", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(erf)},
    {"Exp", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(exp)},
    {"Floor", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(floor)},
    {"Gelu", 20, MLC_ONNX_NEWEST, 1, 1, .import = import_gelu},
    {"Greater", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(greater), .element = MLC_ONNX_TRUTH},
    {"GreaterOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(greater_or_equal),
     .element = MLC_ONNX_TRUTH},
    {"HardSigmoid", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(hard_sigmoid),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("beta"))},
    {"HardSwish", 14, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(hard_swish)},
    {"Identity", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(identity)},
    {"IsNaN", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(is_nan), .element = MLC_ONNX_TRUTH},
    {"LeakyRelu", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(leaky_relu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"))},
    {"Less", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(less), .element = MLC_ONNX_TRUTH},
    {"LessOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(less_or_equal),
     .element = MLC_ONNX_TRUTH},
    {"Log", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(log)},
    {"Max", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(max), .import = import_chain},
    {"Min", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(min), .import = import_chain},
    {"Mod", 10, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(mod), .check = check_mod},
    {"Mul", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(mul)},
    {"Neg", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(neg)},
    {"Not", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(not ), .element = MLC_ONNX_TRUTH},
    {"Or", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(or), .element = MLC_ONNX_TRUTH},
    {"PRelu", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(prelu)},
    {"Pow", 7, MLC_ONNX_NEWEST, 2, 2, .import = import_pow},
    {"Reciprocal", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(reciprocal)},
    {"Relu", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(relu)},
    {"Round", 11, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(round)},
    {"Selu", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(selu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("gamma"))},
    {"Sigmoid", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sigmoid)},
    {"Sign", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sign)},
    {"Sin", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sin)},
    {"Softplus", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(softplus)},
    {"Softsign", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(softsign)},
    {"Sqrt", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sqrt)},
    {"Sub", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(sub)},
    {"Sum", 8, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(add), .import = import_chain},
    {"Tanh", 6, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(tanh)},
    {"Where", 9, MLC_ONNX_NEWEST, 3, 3, MLC_ONNX_OP(where), .element = MLC_ONNX_OF_SECOND},
    {"Xor", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(xor), .element = MLC_ONNX_TRUTH},
};
const MlcOnnxOperators mlc_onnx_elementwise = MLC_ONNX_OPERATORS(rows);
