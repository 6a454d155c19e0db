// ops_elementwise.c -- ONNX operators: element by element.
#include "found_sizes.h"
#include "lists.h"
#include "strings_of.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

static bool
import_identity(MlcOnnxNodeImport *n)
{
    if (!mlc_onnx_list(n->import, n->inputs[0]))
        return mlc_onnx_import_one_op(n);
    n->outputs[0] = n->inputs[0];
    return true;
}

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

static bool
import_mean(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!import_chain(n))
        return false;
    MlcValue *count = mlc_onnx_build_number(n, element, (double)n->num_inputs);
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_div_def, n->outputs[0], count));
}

// Before opset 7 the second input had to be of the first one's shape, or, if `broadcast` says so,
// of that of neighbouring dimensions, from `axis` on; without it, of the last ones.
static bool
import_before_broadcasting(MlcOnnxNodeImport *n)
{
    int64_t broadcast = 0, axis = 0;
    bool ok = true, has_axis = mlc_onnx_find_attribute(n, "axis", MLC_ONNX_ATTRIBUTE_INT, &ok);
    MlcValue *given[] = {n->inputs[0], n->inputs[1]}, **inputs = n->inputs;
    MlcType type = mlc_value_type(given[1]);
    if (!ok || !mlc_onnx_read_int(n, "broadcast", &broadcast))
        return false;
    if (broadcast && has_axis) {
        int64_t shape[MLC_SMALL_RANK];
        if (!mlc_onnx_read_axis(n, "axis", mlc_value_type(given[0]), &axis))
            return false;
        size_t rank = mlc_type_rank(mlc_value_type(given[0]));
        if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
        if ((size_t)axis + mlc_type_rank(type) > rank)
            return mlc_onnx_invalid(n, "axis %" PRId64 " of rank %zu for an input of type %s", axis,
                                    rank, mlc_type_text(type));
        for (size_t i = 0; i < rank - (size_t)axis; i++)
            shape[i] = i < mlc_type_rank(type) ? mlc_type_dim(type, i) : 1;
        given[1] = mlc_onnx_reshape(n, given[1], (MlcOnnxInts){shape, rank - (size_t)axis}, true);
        if (!given[1])
            return false;
    }
    n->inputs = given;
    ok = n->row->op == &mlc_graph_pow_def ? import_pow(n) : mlc_onnx_import_one_op(n);
    n->inputs = inputs;
    return ok;
}

// Before opset 7 a slope of more than one number was one for each channel.
static bool
import_prelu_of_channels(MlcOnnxNodeImport *n)
{
    int64_t shape[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcValue *slope = n->inputs[1];
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    size_t rank = mlc_type_rank(type);
    shape[0] = -1;
    for (size_t i = 1; i + 1 < rank; i++)
        shape[i] = 1;
    if (rank > 1)
        slope = mlc_onnx_reshape(n, slope, (MlcOnnxInts){shape, rank - 1}, false);
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_prelu_def, n->inputs[0], slope));
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
cast_to(MlcOnnxNodeImport *n, MlcType element)
{
    int64_t saturate = 1;
    MlcStr mode = mlc_str("up");
    if (!mlc_onnx_read_int(n, "saturate", &saturate) || !mlc_onnx_read_str(n, "round_mode", &mode))
        return false;
    MlcType from = mlc_type_element(mlc_value_type(n->inputs[0]));
    bool is_narrow = mlc_type_is_float(element) && mlc_type_bit_width(element) <= 8;
    return mlc_onnx_set_result(
        n, is_narrow && from != element
               ? mlc_onnx_cast_to_narrow_float(n, n->inputs[0], element, saturate != 0, mode)
               : mlc_onnx_build_typed(n, &mlc_graph_cast_def, element, n->inputs, 1, NULL));
}

// The type's number; its name before opset 6.
static bool
read_data_type(MlcOnnxNodeImport *n, int64_t *type)
{
    MlcStr name = {0};
    if (n->import->opset >= 6)
        return mlc_onnx_read_int(n, "to", type);
    if (!mlc_onnx_read_str(n, "to", &name))
        return false;
    *type = mlc_onnx_data_type_of(name);
    return *type != 0 || mlc_onnx_invalid(n, "attribute 'to' is '%.*s', which is no data type",
                                          MLC_STR_FMT(name));
}

static bool
import_cast(MlcOnnxNodeImport *n)
{
    int64_t to = 0;
    if (!read_data_type(n, &to))
        return false;
    if (!mlc_onnx_data_type_name(to))
        return mlc_onnx_invalid(n, "attribute 'to' is %" PRId64 ", which is no data type", to);
    MlcType element = mlc_onnx_any_element_type(mlc_onnx_context_of(n), to);
    if (element && (mlc_type_is_string(element) || mlc_onnx_is_strings(n->import, n->inputs[0])))
        return mlc_onnx_cast_strings(n, element);
    if (!element)
        return mlc_onnx_unsupported(n, "a cast to %s", mlc_onnx_data_type_name(to));
    return cast_to(n, element);
}

static bool
import_cast_like(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    if (mlc_type_is_string(element) || mlc_onnx_is_strings(n->import, n->inputs[0]))
        return mlc_onnx_cast_strings(n, element);
    return cast_to(n, element);
}

// What is left by whole multiples of the divisor, with the sign of the dividend (fmod), or of the
// divisor. Of floats the second is the first, with the divisor added where the signs differ.
static bool
import_mod(MlcOnnxNodeImport *n)
{
    int64_t fmod = 0;
    MlcValue *x = n->inputs[0], *y = n->inputs[1];
    MlcType element = mlc_type_element(mlc_value_type(x));
    if (!mlc_onnx_read_int(n, "fmod", &fmod))
        return false;
    if (!mlc_type_is_float(element) && (!fmod || mlc_onnx_is_unsigned(element)))
        return mlc_onnx_import_one_op(n);
    if (!mlc_type_is_float(element)) {
        MlcValue *whole = mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                             mlc_onnx_build_two(n, &mlc_graph_div_def, x, y), y);
        return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_sub_def, x, whole));
    }
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_remainder_def, x, y);
    if (fmod || !rest)
        return mlc_onnx_set_result(n, rest);
    // 0 has the sign of the divisor.
    MlcValue *zero = mlc_onnx_build_scalar(n, element, 0), *sides[] = {rest, y}, *signs[2];
    for (size_t i = 0; i < 2; i++)
        signs[i] = mlc_onnx_compare(n, &mlc_graph_less_def, sides[i], zero);
    MlcValue *differ = mlc_onnx_compare(n, &mlc_graph_xor_def, signs[0], signs[1]);
    MlcValue *turned =
        mlc_onnx_select(n, differ, mlc_onnx_build_two(n, &mlc_graph_add_def, rest, y), rest);
    MlcValue *is_whole = mlc_onnx_compare(n, &mlc_graph_equal_def, rest, zero);
    MlcValue *none = mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                        mlc_onnx_build_one(n, &mlc_graph_sign_def, y), zero);
    return mlc_onnx_set_result(n, mlc_onnx_select(n, is_whole, none, turned));
}

// Nothing is dropped but in training, at a ratio that is not 0: all of the mask is true.
static bool
import_dropout(MlcOnnxNodeImport *n)
{
    int64_t is_test = n->import->opset >= 7;
    bool training = false;
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcAttr mode = mlc_onnx_input_or_null(n, 2) ? mlc_value_constant(n->inputs[2]) : NULL;
    if (!mlc_onnx_read_int(n, "is_test", &is_test))
        return false;
    if (mlc_onnx_input_or_null(n, 2) && !mode)
        return mlc_onnx_unknown_value(n, 2);
    if (mode)
        training = mlc_type_num_elements(mlc_attr_type(mode)) == 1 &&
                   mlc_attr_as_bool(mlc_elements_attr_element(mode, 0));
    double ratio = 1;
    bool is_known = mlc_onnx_input_or_null(n, 1) && mlc_value_constant(n->inputs[1]);
    if (training && is_known && !mlc_onnx_constant_float(n, 1, &ratio))
        return false;
    float default_ratio = 0.5f;
    if (n->import->opset < 12 && !mlc_onnx_read_float(n, "ratio", &default_ratio))
        return false;
    if (!is_test || (training && !mlc_onnx_input_or_null(n, 1)))
        return mlc_onnx_train_dropout(n, (double)default_ratio);
    if (training && !is_known)
        return mlc_onnx_unknown_value(n, 1);
    if (training && ratio != 0)
        return mlc_onnx_train_dropout(n, ratio);
    if (mlc_onnx_has_output(n, 1)) {
        MlcType element = n->import->opset < 10
                              ? mlc_type_element(type)
                              : mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
        if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
        MlcAttr one = mlc_type_is_float(element) ? mlc_float_attr_get(element, 1)
                                                 : mlc_integer_attr_get(element, 1);
        MlcType mask =
            mlc_tensor_type_get(element, mlc_type_shape(type), mlc_type_rank(type), NULL);
        n->outputs[1] = mlc_onnx_build_value(n, mlc_dense_attr_splat(mask, one));
    }
    return mlc_onnx_set_result(n, mlc_onnx_build_one(n, &mlc_graph_identity_def, n->inputs[0]));
}

static const MlcOnnxOperator rows[] = {
    {"Abs", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(abs)},
    {"Acos", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(acos)},
    {"Acosh", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(acosh)},
    {"Add", 1, 6, 2, 2, MLC_ONNX_OP(add), .import = import_before_broadcasting,
     .found = mlc_onnx_rule_elementwise},
    {"Add", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(add)},
    {"And", 1, 6, 2, 2, MLC_ONNX_OP(and), .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"And", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(and), .element = MLC_ONNX_TRUTH},
    {"Asin", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(asin)},
    {"Asinh", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(asinh)},
    {"Atan", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(atan)},
    {"Atanh", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(atanh)},
    {"Cast", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_cast, .takes_strings = true,
     .found = mlc_onnx_rule_elementwise},
    {"CastLike", 15, MLC_ONNX_NEWEST, 2, 2, .import = import_cast_like, .takes_strings = true,
     .found = mlc_onnx_rule_cast_like},
    {"Ceil", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(ceil)},
    {"Clip", 11, MLC_ONNX_NEWEST, 1, 3, .import = import_clip, .found = mlc_onnx_rule_elementwise},
    {"Clip", 1, 10, 1, 1, .import = import_clip, .found = mlc_onnx_rule_elementwise},
    {"Cos", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(cos)},
    {"Cosh", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(cosh)},
    {"Div", 1, 6, 2, 2, MLC_ONNX_OP(div), .import = import_before_broadcasting,
     .found = mlc_onnx_rule_divide},
    {"Div", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(div), .found = mlc_onnx_rule_divide},
    {"Dropout", 1, MLC_ONNX_NEWEST, 1, 3, .import = import_dropout,
     .found = mlc_onnx_rule_elementwise},
    {"Elu", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(elu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"))},
    {"Equal", 1, 6, 2, 2, MLC_ONNX_OP(equal), .takes_strings = true, .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"Equal", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(equal), .takes_strings = true,
     .element = MLC_ONNX_TRUTH},
    {"Erf", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(erf)},
    {"Exp", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(exp)},
    {"Floor", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(floor)},
    {"Gelu", 20, MLC_ONNX_NEWEST, 1, 1, .import = import_gelu, .found = mlc_onnx_rule_elementwise},
    {"Greater", 1, 6, 2, 2, MLC_ONNX_OP(greater), .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"Greater", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(greater), .element = MLC_ONNX_TRUTH},
    {"GreaterOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(greater_or_equal),
     .element = MLC_ONNX_TRUTH},
    {"HardSigmoid", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(hard_sigmoid),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("beta"))},
    {"HardSwish", 14, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(hard_swish)},
    {"Identity", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(identity), .import = import_identity,
     .takes_lists = true, .found = mlc_onnx_rule_elementwise},
    {"IsNaN", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(is_nan), .element = MLC_ONNX_TRUTH},
    {"LeakyRelu", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(leaky_relu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"))},
    {"Less", 1, 6, 2, 2, MLC_ONNX_OP(less), .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"Less", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(less), .element = MLC_ONNX_TRUTH},
    {"LessOrEqual", 12, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(less_or_equal),
     .element = MLC_ONNX_TRUTH},
    {"Log", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(log)},
    {"Max", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(max), .import = import_chain,
     .found = mlc_onnx_rule_elementwise},
    {"Mean", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(add), .import = import_mean,
     .found = mlc_onnx_rule_elementwise},
    {"Min", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(min), .import = import_chain,
     .found = mlc_onnx_rule_elementwise},
    {"Mod", 10, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(mod), .import = import_mod,
     .found = mlc_onnx_rule_divide},
    {"Mul", 1, 6, 2, 2, MLC_ONNX_OP(mul), .import = import_before_broadcasting,
     .found = mlc_onnx_rule_elementwise},
    {"Mul", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(mul)},
    {"Neg", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(neg)},
    {"Not", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(not ), .element = MLC_ONNX_TRUTH},
    {"Or", 1, 6, 2, 2, MLC_ONNX_OP(or), .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"Or", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(or), .element = MLC_ONNX_TRUTH},
    {"PRelu", 1, 6, 2, 2, .import = import_prelu_of_channels, .found = mlc_onnx_rule_elementwise},
    {"PRelu", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(prelu)},
    {"Pow", 1, 6, 2, 2, MLC_ONNX_OP(pow), .import = import_before_broadcasting,
     .found = mlc_onnx_rule_elementwise},
    {"Pow", 7, MLC_ONNX_NEWEST, 2, 2, .import = import_pow, .found = mlc_onnx_rule_elementwise},
    {"Reciprocal", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(reciprocal)},
    {"Relu", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(relu)},
    {"Round", 11, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(round)},
    {"Selu", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(selu),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("gamma"))},
    {"Sigmoid", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sigmoid)},
    {"Sign", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sign)},
    {"Sin", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sin)},
    {"Sinh", 9, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sinh)},
    {"Softplus", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(softplus)},
    {"Softsign", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(softsign)},
    {"Sqrt", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(sqrt)},
    {"Sub", 1, 6, 2, 2, MLC_ONNX_OP(sub), .import = import_before_broadcasting,
     .found = mlc_onnx_rule_elementwise},
    {"Sub", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(sub)},
    {"Sum", 1, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, MLC_ONNX_OP(add), .import = import_chain,
     .found = mlc_onnx_rule_elementwise},
    {"Tan", 7, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(tan)},
    {"Tanh", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(tanh)},
    {"Where", 9, MLC_ONNX_NEWEST, 3, 3, MLC_ONNX_OP(where), .takes_strings = true,
     .element = MLC_ONNX_OF_SECOND},
    {"Xor", 1, 6, 2, 2, MLC_ONNX_OP(xor), .element = MLC_ONNX_TRUTH,
     .import = import_before_broadcasting, .found = mlc_onnx_rule_elementwise},
    {"Xor", 7, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(xor), .element = MLC_ONNX_TRUTH},
};
const MlcOnnxOperators mlc_onnx_elementwise = MLC_ONNX_OPERATORS(rows);
