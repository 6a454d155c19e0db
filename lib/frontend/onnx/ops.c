// ops.c -- ONNX's operators as graph ops: one function each, in a table by name and opset.
//
// A graph op means what the ONNX operator means in its newest opset; what older opsets say with
// attributes or inputs is brought to that form here, so that nothing below knows opsets. Inputs
// that must be known when compiling (a Reshape's shape, Clip's bounds, axes) are read from
// constants. Result types are found by the ops themselves (MLC_INTERFACE_INFER_SHAPES) as they are
// made.
#include "import.h"

#include "mlc/ir/eval.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

// ---- attributes of nodes

static bool
has_type(const MlcOnnxAttribute *attribute, MlcOnnxAttributeType type)
{
    // Files before IR version 2 give no type: any use is believed.
    return !attribute->has_type || attribute->type == MLC_ONNX_ATTRIBUTE_UNDEFINED ||
           attribute->type == (int64_t)type;
}

// The attribute, or NULL. `*ok` becomes false, after an error, if it has another type.
static const MlcOnnxAttribute *
find_attribute(MlcOnnxNodeImport *n, const char *name, MlcOnnxAttributeType type, bool *ok)
{
    for (size_t i = 0; i < n->node->attribute.count; i++) {
        const MlcOnnxAttribute *attribute = &n->node->attribute.items[i];
        if (!mlc_str_equal(attribute->name, mlc_str(name)))
            continue;
        if (attribute->ref_attr_name.size)
            return *ok = mlc_onnx_unsupported(n, "attribute '%s' is an argument of the function",
                                              name),
                   NULL;
        if (has_type(attribute, type))
            return attribute;
        return *ok = mlc_onnx_invalid(n, "attribute '%s' has type %" PRId64 ", expected %d", name,
                                      attribute->type, (int)type),
               NULL;
    }
    return NULL;
}

static bool
read_int(MlcOnnxNodeImport *n, const char *name, int64_t *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INT, &ok);
    if (a)
        *value = a->i;
    return ok;
}

static bool
read_float(MlcOnnxNodeImport *n, const char *name, float *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
    if (a)
        *value = a->f;
    return ok;
}

static bool
read_str(MlcOnnxNodeImport *n, const char *name, MlcStr *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_STRING, &ok);
    if (a)
        *value = a->s;
    return ok;
}

static bool
read_ints(MlcOnnxNodeImport *n, const char *name, MlcOnnxInts *value)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INTS, &ok);
    if (a)
        *value = a->ints;
    return ok;
}

// ---- building

enum { MAX_ATTRS = 10, MAX_LAYER_NORM_RANK = 16, MAX_FOLDED = 64 };
enum { MAX_RANGE = 1 << 24 }; // numbers of a constant range, and their size

// The attributes of the graph op being made; those never added are left to their defaults.
typedef struct Attrs {
    MlcNamedAttr items[MAX_ATTRS];
    size_t count;
} Attrs;

static MlcContext *
context_of(MlcOnnxNodeImport *n)
{
    return n->import->ctx;
}

static void
add_attr(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, MlcAttr value)
{
    if (attrs->count == MAX_ATTRS)
        mlc_bug("too many attributes");
    attrs->items[attrs->count++] = mlc_named(context_of(n), name, value);
}

static void
add_int(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, int64_t value)
{
    add_attr(n, attrs, name, mlc_i64_attr_get(context_of(n), value));
}

static void
add_bool(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, bool value)
{
    add_attr(n, attrs, name, mlc_bool_attr_get(context_of(n), value));
}

static void
add_float(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, float value)
{
    add_attr(n, attrs, name,
             mlc_float_attr_get(mlc_float_type_get(context_of(n), MLC_FLOAT_F32), (double)value));
}

static void
add_ints(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, MlcOnnxInts value)
{
    add_attr(n, attrs, name, mlc_i64_array_attr_get(context_of(n), value.items, value.count));
}

// Copies of node attributes under the same name, when the node has them.
static bool
copy_int(MlcOnnxNodeImport *n, Attrs *attrs, const char *name)
{
    int64_t value = INT64_MIN;
    if (!read_int(n, name, &value))
        return false;
    if (value != INT64_MIN)
        add_int(n, attrs, name, value);
    return true;
}

static bool
copy_bool(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, const char *as)
{
    int64_t value = -1;
    if (!read_int(n, name, &value))
        return false;
    if (value != -1)
        add_bool(n, attrs, as, value != 0);
    return true;
}

static bool
copy_float(MlcOnnxNodeImport *n, Attrs *attrs, const char *name)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
    if (a)
        add_float(n, attrs, name, a->f);
    return ok;
}

static bool
copy_ints(MlcOnnxNodeImport *n, Attrs *attrs, const char *name)
{
    MlcOnnxInts value = {0};
    if (!read_ints(n, name, &value))
        return false;
    if (value.count)
        add_ints(n, attrs, name, value);
    return true;
}

static MlcValue *
build_constant(MlcOnnxNodeImport *n, MlcAttr value)
{
    MlcType type = mlc_attr_type(value);
    MlcNamedAttr attr = mlc_named(context_of(n), "value", value);
    return mlc_op_result(
        mlc_build_op(&n->import->builder, "graph.constant", &type, 1, NULL, 0, &attr, 1, 0), 0);
}

static bool
is_small_constant(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_value_constant(value) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) <= MAX_FOLDED;
}

// Shapes are computed in the graph by ops on small constants: such an op becomes its value here, so
// that importers of later nodes can read it.
static MlcValue *
fold_small(MlcOnnxNodeImport *n, MlcOp *op)
{
    MlcValue *result = mlc_op_result(op, 0);
    MlcType type = mlc_value_type(result);
    MlcAttr constants[MAX_FOLDED];
    MlcFold fold = {0};
    size_t num_operands = mlc_op_num_operands(op);
    if (num_operands == 0 || num_operands > MAX_FOLDED || !mlc_type_has_rank(type) ||
        !mlc_type_has_static_shape(type) || mlc_type_num_elements(type) > MAX_FOLDED)
        return result;
    for (size_t i = 0; i < num_operands; i++) {
        if (!is_small_constant(mlc_op_operand(op, i)))
            return result;
        constants[i] = mlc_value_constant(mlc_op_operand(op, i));
    }
    if (!mlc_eval_fold(op, constants, &fold) || !fold.attr)
        return result;
    MlcValue *constant = build_constant(n, fold.attr);
    mlc_op_erase(op);
    return constant;
}

// Makes the op with one result of unknown shape, then has it find its shape; element types that it
// does not take are found here too. NULL after an error at the node.
static MlcValue *
build_typed(MlcOnnxNodeImport *n, const char *op_name, MlcType element, MlcValue *const *operands,
            size_t num_operands, const Attrs *attrs)
{
    MlcType type = mlc_unranked_tensor_type_get(element);
    MlcOp *op = mlc_build_op(&n->import->builder, op_name, &type, 1, operands, num_operands,
                             attrs ? attrs->items : NULL, attrs ? attrs->count : 0, 0);
    const MlcInferShapes *infer = mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES);
    if ((infer && !infer->infer(op)) || !mlc_verify(op)) {
        n->import->num_invalid++; // the op's own message names the node as its location
        return NULL;
    }
    return fold_small(n, op);
}

static MlcValue *
build(MlcOnnxNodeImport *n, const char *op_name, MlcValue *const *operands, size_t num_operands,
      const Attrs *attrs)
{
    return build_typed(n, op_name, mlc_type_element(mlc_value_type(operands[0])), operands,
                       num_operands, attrs);
}

static bool
set_result(MlcOnnxNodeImport *n, MlcValue *value)
{
    n->outputs[0] = value;
    return value != NULL;
}

static bool
has_output(const MlcOnnxNodeImport *n, size_t i)
{
    return i < n->node->output.count && n->node->output.items[i].size > 0;
}

static MlcValue *
input_or_null(const MlcOnnxNodeImport *n, size_t i)
{
    return i < n->num_inputs ? n->inputs[i] : NULL;
}

static size_t
count_inputs(const MlcOnnxNodeImport *n)
{
    size_t count = n->num_inputs; // trailing inputs may be spelled as absent
    while (count > 0 && !n->inputs[count - 1])
        count--;
    return count;
}

// Integers of input `i`, which must be a constant.
static bool
constant_ints(MlcOnnxNodeImport *n, size_t i, MlcOnnxInts *ints)
{
    MlcAttr value = mlc_value_constant(n->inputs[i]);
    if (!value)
        return mlc_onnx_unsupported(n, "its input %zu is computed at run time", i);
    int64_t count = mlc_type_num_elements(mlc_attr_type(value));
    if (!mlc_type_is_int_or_index(mlc_type_element(mlc_attr_type(value))) || count < 0 ||
        count > INT_MAX)
        return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    int64_t *items = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)count);
    for (int64_t k = 0; k < count; k++)
        if (!mlc_attr_try_as_int(mlc_elements_attr_element(value, (size_t)k), &items[k]))
            return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    *ints = (MlcOnnxInts){items, (size_t)count};
    return true;
}

// One float of input `i`, which must be a constant of one element.
static bool
constant_float(MlcOnnxNodeImport *n, size_t i, double *number)
{
    MlcAttr value = mlc_value_constant(n->inputs[i]);
    if (!value)
        return mlc_onnx_unsupported(n, "its input %zu is computed at run time", i);
    if (mlc_type_num_elements(mlc_attr_type(value)) != 1)
        return mlc_onnx_invalid(n, "input %zu must be a scalar", i);
    MlcAttr element = mlc_elements_attr_element(value, 0);
    int64_t integer;
    if (mlc_attr_is(element, MLC_ATTR_FLOAT)) {
        *number = mlc_float_attr_as_double(element);
        return true;
    }
    if (!mlc_attr_try_as_int(element, &integer))
        return mlc_onnx_invalid(n, "input %zu must be a number", i);
    *number = (double)integer;
    return true;
}

// Ints from the attribute `name` (older opsets) or from input `i`; `*given` says whether there are
// any.
static bool
attribute_or_input_ints(MlcOnnxNodeImport *n, const char *name, size_t i, MlcOnnxInts *ints,
                        bool *given)
{
    bool ok = true;
    const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_INTS, &ok);
    *given = a || input_or_null(n, i);
    if (a)
        *ints = a->ints;
    else if (input_or_null(n, i))
        return constant_ints(n, i, ints);
    return ok;
}

// ---- element by element

static bool
import_unary(MlcOnnxNodeImport *n, const char *op)
{
    return set_result(n, build(n, op, n->inputs, 1, NULL));
}

static bool
import_binary(MlcOnnxNodeImport *n, const char *op)
{
    return set_result(n, build(n, op, n->inputs, 2, NULL));
}

#define UNARY(op)                                                                                  \
    static bool import_##op(MlcOnnxNodeImport *n)                                                  \
    {                                                                                              \
        return import_unary(n, "graph." #op);                                                      \
    }
#define BINARY(op)                                                                                 \
    static bool import_##op(MlcOnnxNodeImport *n)                                                  \
    {                                                                                              \
        return import_binary(n, "graph." #op);                                                     \
    }
UNARY(abs)
UNARY(ceil)
UNARY(cos)
UNARY(erf)
UNARY(exp)
UNARY(floor)
UNARY(hard_swish)
UNARY(identity)
UNARY(log)
UNARY(neg)
UNARY(reciprocal)
UNARY(relu)
UNARY(round)
UNARY(sigmoid)
UNARY(sign)
UNARY(sin)
UNARY(softplus)
UNARY(softsign)
UNARY(sqrt)
UNARY(tanh)
UNARY(gelu)
UNARY(gelu_tanh)
BINARY(add)
BINARY(div)
BINARY(mul)
BINARY(prelu)
BINARY(sub)

// Comparisons and truth values: results of i1, whatever the operands hold.
static bool
import_truth(MlcOnnxNodeImport *n, const char *op)
{
    MlcType i1 = mlc_integer_type_get(context_of(n), 1, MLC_SIGNLESS);
    return set_result(n, build_typed(n, op, i1, n->inputs, n->num_inputs, NULL));
}

#define TRUTH(op)                                                                                  \
    static bool import_##op(MlcOnnxNodeImport *n)                                                  \
    {                                                                                              \
        return import_truth(n, "graph." #op);                                                      \
    }
TRUTH(and)
TRUTH(equal)
TRUTH(greater)
TRUTH(greater_or_equal)
TRUTH(is_nan)
TRUTH(less)
TRUTH(less_or_equal)
TRUTH(not)
TRUTH(or)
TRUTH(xor)

static bool
import_where(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    return set_result(n, build_typed(n, "graph.where", element, n->inputs, 3, NULL));
}

static bool
import_gelu_by(MlcOnnxNodeImport *n)
{
    MlcStr approximate = mlc_str("none");
    if (!read_str(n, "approximate", &approximate))
        return false;
    return mlc_str_equal(approximate, mlc_str("tanh")) ? import_gelu_tanh(n) : import_gelu(n);
}

// The exponent may be of another type than the base, which the result has.
static bool
import_pow(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcValue *exponent = n->inputs[1];
    if (mlc_type_element(mlc_value_type(exponent)) != element)
        exponent = build_typed(n, "graph.cast", element, &exponent, 1, NULL);
    MlcValue *operands[] = {n->inputs[0], exponent};
    return set_result(n, exponent ? build(n, "graph.pow", operands, 2, NULL) : NULL);
}

// Max, Min and Sum of any number of inputs are chains of the binary op.
static bool
import_chain(MlcOnnxNodeImport *n, const char *op)
{
    MlcValue *value = n->inputs[0];
    for (size_t i = 1; i < n->num_inputs; i++) {
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        value = build(n, op, (MlcValue *[]){value, n->inputs[i]}, 2, NULL);
        if (!value)
            return false;
    }
    return set_result(n, value);
}

static bool
import_max(MlcOnnxNodeImport *n)
{
    return import_chain(n, "graph.max");
}

static bool
import_min(MlcOnnxNodeImport *n)
{
    return import_chain(n, "graph.min");
}

static bool
import_sum(MlcOnnxNodeImport *n)
{
    return import_chain(n, "graph.add");
}

static bool
import_elu(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_float(n, &attrs, "alpha") &&
           set_result(n, build(n, "graph.elu", n->inputs, 1, &attrs));
}

static bool
import_leaky_relu(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_float(n, &attrs, "alpha") &&
           set_result(n, build(n, "graph.leaky_relu", n->inputs, 1, &attrs));
}

static bool
import_selu(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_float(n, &attrs, "alpha") && copy_float(n, &attrs, "gamma") &&
           set_result(n, build(n, "graph.selu", n->inputs, 1, &attrs));
}

static bool
import_hard_sigmoid(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_float(n, &attrs, "alpha") && copy_float(n, &attrs, "beta") &&
           set_result(n, build(n, "graph.hard_sigmoid", n->inputs, 1, &attrs));
}

// A bound of Clip: an attribute before opset 11, then an input. Constant bounds become attributes
// of the op.
static bool
add_bound(MlcOnnxNodeImport *n, Attrs *attrs, const char *name, const char *as, size_t input)
{
    if (n->import->opset < 11) {
        bool ok = true;
        const MlcOnnxAttribute *a = find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
        if (a)
            add_float(n, attrs, as, a->f);
        return ok;
    }
    double bound;
    if (!input_or_null(n, input))
        return true;
    if (!constant_float(n, input, &bound))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    add_attr(n, attrs, as, mlc_float_attr_get(element, bound));
    return true;
}

// Bounds that no attribute can say, of integers or computed at run time: min(max(x, low), high).
static bool
clip_by_operands(MlcOnnxNodeImport *n)
{
    static const char *const ops[] = {"graph.max", "graph.min"};
    MlcValue *value = n->inputs[0];
    for (size_t i = 0; value && i < 2; i++)
        if (input_or_null(n, i + 1))
            value = build(n, ops[i], (MlcValue *[]){value, n->inputs[i + 1]}, 2, NULL);
    return set_result(n, value);
}

static bool
import_clip(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    bool is_plain = mlc_type_is_float(mlc_type_element(mlc_value_type(n->inputs[0])));
    for (size_t i = 1; i < 3; i++)
        is_plain &= !input_or_null(n, i) || mlc_value_constant(n->inputs[i]);
    if (!is_plain && n->import->opset >= 11)
        return clip_by_operands(n);
    return add_bound(n, &attrs, "min", "low", 1) && add_bound(n, &attrs, "max", "high", 2) &&
           set_result(n, build(n, "graph.clip", n->inputs, 1, &attrs));
}

static bool
import_cast(MlcOnnxNodeImport *n)
{
    int64_t to = 0;
    if (!read_int(n, "to", &to))
        return false;
    if (!mlc_onnx_data_type_name(to))
        return mlc_onnx_invalid(n, "attribute 'to' is %" PRId64 ", which is no data type", to);
    MlcType element = mlc_onnx_element_type(context_of(n), to);
    if (!element)
        return mlc_onnx_unsupported(n, "a cast to %s", mlc_onnx_data_type_name(to));
    return set_result(n, build_typed(n, "graph.cast", element, n->inputs, 1, NULL));
}

// To the element type of the second input, whose elements nobody reads.
static bool
import_cast_like(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    return set_result(n, build_typed(n, "graph.cast", element, n->inputs, 1, NULL));
}

static bool
import_mod(MlcOnnxNodeImport *n)
{
    int64_t fmod = 0;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!read_int(n, "fmod", &fmod))
        return false;
    if (fmod || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_integer_type_signedness(element) != MLC_SIGNLESS)
        return mlc_onnx_unsupported(n, "elements of type %s, or fmod", mlc_type_text(element));
    return import_binary(n, "graph.mod");
}

// Dropout when inferring: nothing is dropped.
static bool
import_dropout(MlcOnnxNodeImport *n)
{
    bool training = false;
    MlcAttr mode = input_or_null(n, 2) ? mlc_value_constant(n->inputs[2]) : NULL;
    if (input_or_null(n, 2) && !mode)
        return mlc_onnx_unsupported(n, "its input 2 is computed at run time");
    if (mode)
        training = mlc_type_num_elements(mlc_attr_type(mode)) == 1 &&
                   mlc_attr_as_bool(mlc_elements_attr_element(mode, 0));
    if (training)
        return mlc_onnx_unsupported(n, "training mode");
    return import_identity(n);
}

// ---- convolution, pooling, normalisation

static bool
copy_auto_pad(MlcOnnxNodeImport *n, Attrs *attrs)
{
    MlcStr mode = mlc_str("NOTSET");
    if (!read_str(n, "auto_pad", &mode))
        return false;
    static const struct {
        const char *onnx, *graph;
    } modes[] = {{"NOTSET", NULL},
                 {"VALID", NULL},
                 {"SAME_UPPER", "same_upper"},
                 {"SAME_LOWER", "same_lower"}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!mlc_str_equal(mode, mlc_str(modes[i].onnx)))
            continue;
        if (modes[i].graph)
            add_attr(n, attrs, "auto_pad",
                     mlc_string_attr_get(context_of(n), mlc_str(modes[i].graph)));
        return i != 0 || copy_ints(n, attrs, "pads");
    }
    return mlc_onnx_invalid(n, "attribute 'auto_pad' is '%.*s'", MLC_STR_FMT(mode));
}

// kernel_shape must agree with the weights' shape, which the op reads.
static bool
check_kernel_shape(MlcOnnxNodeImport *n)
{
    MlcOnnxInts kernel = {0};
    if (!read_ints(n, "kernel_shape", &kernel))
        return false;
    MlcType weights = mlc_value_type(n->inputs[1]);
    if (kernel.count == 0 || !mlc_type_has_rank(weights))
        return true;
    if (mlc_type_rank(weights) != kernel.count + 2)
        return mlc_onnx_invalid(n, "kernel_shape has %zu entries, the weights have rank %zu",
                                kernel.count, mlc_type_rank(weights));
    for (size_t i = 0; i < kernel.count; i++) {
        int64_t dim = mlc_type_dim(weights, i + 2);
        if (dim != MLC_DYNAMIC && dim != kernel.items[i])
            return mlc_onnx_invalid(n,
                                    "kernel_shape[%zu] is %" PRId64 ", the weights have %" PRId64,
                                    i, kernel.items[i], dim);
    }
    return true;
}

static bool
import_conv(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return check_kernel_shape(n) && copy_auto_pad(n, &attrs) && copy_ints(n, &attrs, "strides") &&
           copy_ints(n, &attrs, "dilations") && copy_int(n, &attrs, "group") &&
           set_result(n, build(n, "graph.conv", n->inputs, count_inputs(n), &attrs));
}

static bool
copy_pooling(MlcOnnxNodeImport *n, Attrs *attrs)
{
    MlcOnnxInts kernel = {0};
    if (!read_ints(n, "kernel_shape", &kernel))
        return false;
    if (kernel.count == 0)
        return mlc_onnx_invalid(n, "attribute 'kernel_shape' is required");
    add_ints(n, attrs, "kernel_shape", kernel);
    return copy_auto_pad(n, attrs) && copy_ints(n, attrs, "strides") &&
           copy_ints(n, attrs, "dilations") && copy_bool(n, attrs, "ceil_mode", "ceil_mode");
}

static bool
import_max_pool(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    if (has_output(n, 1))
        return mlc_onnx_unsupported(n, "its output of indices");
    return copy_pooling(n, &attrs) &&
           set_result(n, build(n, "graph.max_pool", n->inputs, 1, &attrs));
}

static bool
import_average_pool(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_pooling(n, &attrs) &&
           copy_bool(n, &attrs, "count_include_pad", "count_include_pad") &&
           set_result(n, build(n, "graph.average_pool", n->inputs, 1, &attrs));
}

UNARY(global_average_pool)
UNARY(global_max_pool)

static bool
import_batch_norm(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    int64_t training = 0, spatial = 1;
    if (!read_int(n, "training_mode", &training) || !read_int(n, "spatial", &spatial))
        return false;
    if (training || has_output(n, 1))
        return mlc_onnx_unsupported(n, "training mode");
    if (!spatial)
        return mlc_onnx_unsupported(n, "spatial = 0");
    return copy_float(n, &attrs, "epsilon") &&
           set_result(n, build(n, "graph.batch_norm", n->inputs, 5, &attrs));
}

// ---- products

BINARY(matmul)

static bool
import_gemm(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_float(n, &attrs, "alpha") && copy_float(n, &attrs, "beta") &&
           copy_bool(n, &attrs, "transA", "trans_a") && copy_bool(n, &attrs, "transB", "trans_b") &&
           set_result(n, build(n, "graph.gemm", n->inputs, count_inputs(n), &attrs));
}

// ---- shapes

static MlcValue *
reshape(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts shape, bool allow_zero)
{
    Attrs attrs = {0};
    add_ints(n, &attrs, "shape", shape);
    if (allow_zero)
        add_bool(n, &attrs, "allow_zero", true);
    return build(n, "graph.reshape", &value, 1, &attrs);
}

static bool
import_reshape(MlcOnnxNodeImport *n)
{
    MlcOnnxInts shape = {0};
    int64_t allow_zero = 0;
    return constant_ints(n, 1, &shape) && read_int(n, "allowzero", &allow_zero) &&
           set_result(n, reshape(n, n->inputs[0], shape, allow_zero != 0));
}

static bool
import_flatten(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_int(n, &attrs, "axis") &&
           set_result(n, build(n, "graph.flatten", n->inputs, 1, &attrs));
}

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

// Squeeze and Unsqueeze: a reshape whose only unknown size is inferred.
static bool
reshape_to_dims(MlcOnnxNodeImport *n, int64_t *dims, size_t rank)
{
    size_t num_unknown = 0;
    for (size_t i = 0; i < rank; i++)
        if (dims[i] == MLC_DYNAMIC) {
            dims[i] = -1;
            num_unknown++;
        }
    if (num_unknown > 1)
        return mlc_onnx_unsupported(n, "more than one size of its input is unknown");
    return set_result(n, reshape(n, n->inputs[0], (MlcOnnxInts){dims, rank}, true));
}

static bool
import_squeeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!attribute_or_input_ints(n, "axes", 1, &axes, &given))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unsupported(n, "the rank of its input is unknown");
    size_t rank = mlc_type_rank(type), kept = 0;
    bool *marked = MLC_NEW_ARRAY(&n->import->arena, bool, rank);
    int64_t *dims = MLC_NEW_ARRAY(&n->import->arena, int64_t, rank);
    if (!mark_axes(n, axes, rank, marked))
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t dim = mlc_type_dim(type, i);
        if (marked[i] && dim != 1 && dim != MLC_DYNAMIC)
            return mlc_onnx_invalid(n, "axis %zu has size %" PRId64 ", not 1", i, dim);
        if (!(given ? marked[i] : dim == 1))
            dims[kept++] = dim;
    }
    return reshape_to_dims(n, dims, kept);
}

static bool
import_unsqueeze(MlcOnnxNodeImport *n)
{
    MlcOnnxInts axes = {0};
    bool given;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!attribute_or_input_ints(n, "axes", 1, &axes, &given))
        return false;
    if (!given)
        return mlc_onnx_invalid(n, "axes are required");
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unsupported(n, "the rank of its input is unknown");
    size_t rank = mlc_type_rank(type) + axes.count, next = 0;
    bool *marked = MLC_NEW_ARRAY(&n->import->arena, bool, rank);
    int64_t *dims = MLC_NEW_ARRAY(&n->import->arena, int64_t, rank);
    if (!mark_axes(n, axes, rank, marked))
        return false;
    for (size_t i = 0; i < rank; i++)
        dims[i] = marked[i] ? 1 : mlc_type_dim(type, next++);
    return reshape_to_dims(n, dims, rank);
}

static bool
import_transpose(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    return copy_ints(n, &attrs, "perm") &&
           set_result(n, build(n, "graph.transpose", n->inputs, 1, &attrs));
}

static bool
import_concat(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    int64_t axis = n->import->opset < 4 ? 1 : INT64_MIN;
    if (!read_int(n, "axis", &axis))
        return false;
    if (axis == INT64_MIN)
        return mlc_onnx_invalid(n, "attribute 'axis' is required");
    for (size_t i = 0; i < n->num_inputs; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
    add_int(n, &attrs, "axis", axis);
    return set_result(n, build(n, "graph.concat", n->inputs, n->num_inputs, &attrs));
}

static bool
import_pad(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    MlcOnnxInts pads = {0};
    MlcStr mode = mlc_str("constant");
    double value = 0;
    float old_value = 0;
    bool given;
    if (!read_str(n, "mode", &mode) || !attribute_or_input_ints(n, "pads", 1, &pads, &given))
        return false;
    if (!given)
        return mlc_onnx_invalid(n, "pads are required");
    if (!mlc_str_equal(mode, mlc_str("constant")))
        return mlc_onnx_unsupported(n, "mode '%.*s'", MLC_STR_FMT(mode));
    if (input_or_null(n, 3))
        return mlc_onnx_unsupported(n, "axes");
    if (!read_float(n, "value", &old_value) ||
        (input_or_null(n, 2) && !constant_float(n, 2, &value)))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "elements of type %s", mlc_type_text(element));
    add_ints(n, &attrs, "pads", pads);
    add_attr(n, &attrs, "value",
             mlc_float_attr_get(element, input_or_null(n, 2) ? value : (double)old_value));
    return set_result(n, build(n, "graph.pad", n->inputs, 1, &attrs));
}

static bool
slice_axes(MlcOnnxNodeImport *n, MlcOnnxInts starts, MlcOnnxInts ends, MlcOnnxInts axes,
           MlcOnnxInts steps, MlcValue **result)
{
    Attrs attrs = {0};
    add_ints(n, &attrs, "starts", starts);
    add_ints(n, &attrs, "ends", ends);
    if (axes.count)
        add_ints(n, &attrs, "axes", axes);
    if (steps.count)
        add_ints(n, &attrs, "steps", steps);
    *result = build(n, "graph.slice", n->inputs, 1, &attrs);
    return *result != NULL;
}

static bool
import_slice(MlcOnnxNodeImport *n)
{
    MlcOnnxInts starts = {0}, ends = {0}, axes = {0}, steps = {0};
    bool old = n->import->opset < 10;
    bool ok = old ? read_ints(n, "starts", &starts) && read_ints(n, "ends", &ends) &&
                        read_ints(n, "axes", &axes)
                  : constant_ints(n, 1, &starts) && constant_ints(n, 2, &ends) &&
                        (!input_or_null(n, 3) || constant_ints(n, 3, &axes)) &&
                        (!input_or_null(n, 4) || constant_ints(n, 4, &steps));
    return ok && slice_axes(n, starts, ends, axes, steps, &n->outputs[0]);
}

// Sizes along the axis: given, or of `size` as evenly as possible, the last one smaller.
static bool
split_sizes(MlcOnnxNodeImport *n, int64_t size, MlcOnnxInts *sizes)
{
    bool given;
    size_t count = n->node->output.count;
    if (!attribute_or_input_ints(n, "split", 1, sizes, &given))
        return false;
    if (given && sizes->count != count)
        return mlc_onnx_invalid(n, "%zu sizes for %zu outputs", sizes->count, count);
    if (!given && size == MLC_DYNAMIC)
        return mlc_onnx_unsupported(n, "the size of its input is unknown");
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
    return size == MLC_DYNAMIC || sum == size ||
           mlc_onnx_invalid(n, "sizes add up to %" PRId64 ", expected %" PRId64, sum, size);
}

static bool
import_split(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    MlcOnnxInts sizes = {0};
    int64_t axis = 0, start = 0;
    if (!read_int(n, "axis", &axis))
        return false;
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unsupported(n, "the rank of its input is unknown");
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    axis += axis < 0 ? rank : 0;
    if (!split_sizes(n, mlc_type_dim(type, (size_t)axis), &sizes))
        return false;
    for (size_t i = 0; i < sizes.count; i++) {
        int64_t end = start + sizes.items[i];
        if (!slice_axes(n, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&end, 1},
                        (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0}, &n->outputs[i]))
            return false;
        start = end;
    }
    return true;
}

static bool
import_expand(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    MlcOnnxInts shape = {0};
    if (!constant_ints(n, 1, &shape))
        return false;
    add_ints(n, &attrs, "shape", shape);
    return set_result(n, build(n, "graph.expand", n->inputs, 1, &attrs));
}

static bool
import_tile(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    MlcOnnxInts repeats = {0};
    if (!constant_ints(n, 1, &repeats))
        return false;
    add_ints(n, &attrs, "repeats", repeats);
    return set_result(n, build(n, "graph.tile", n->inputs, 1, &attrs));
}

static bool
import_trilu(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    MlcOnnxInts k = {0};
    if (input_or_null(n, 1) && !constant_ints(n, 1, &k))
        return false;
    if (input_or_null(n, 1) && k.count != 1)
        return mlc_onnx_invalid(n, "input 1 must be a scalar");
    if (k.count)
        add_int(n, &attrs, "k", k.items[0]);
    return copy_bool(n, &attrs, "upper", "upper") &&
           set_result(n, build(n, "graph.trilu", n->inputs, 1, &attrs));
}

// ---- elements found by indices

static bool
import_indexed(MlcOnnxNodeImport *n, const char *op, const char *attribute)
{
    Attrs attrs = {0};
    return copy_int(n, &attrs, attribute) && set_result(n, build(n, op, n->inputs, 2, &attrs));
}

static bool
import_gather(MlcOnnxNodeImport *n)
{
    return import_indexed(n, "graph.gather", "axis");
}

static bool
import_gather_elements(MlcOnnxNodeImport *n)
{
    return import_indexed(n, "graph.gather_elements", "axis");
}

static bool
import_gather_nd(MlcOnnxNodeImport *n)
{
    return import_indexed(n, "graph.gather_nd", "batch_dims");
}

// ---- reductions

// NULL where an operand is NULL: an error was reported there.
static MlcValue *
build_two(MlcOnnxNodeImport *n, const char *op, MlcValue *lhs, MlcValue *rhs)
{
    return lhs && rhs ? build(n, op, (MlcValue *[]){lhs, rhs}, 2, NULL) : NULL;
}

static MlcValue *
build_one(MlcOnnxNodeImport *n, const char *op, MlcValue *value)
{
    return value ? build(n, op, &value, 1, NULL) : NULL;
}

static bool
import_reduction(MlcOnnxNodeImport *n, const char *op)
{
    Attrs attrs = {0};
    MlcOnnxInts axes = {0};
    bool given;
    int64_t noop = 0;
    if (!attribute_or_input_ints(n, "axes", 1, &axes, &given) ||
        !read_int(n, "noop_with_empty_axes", &noop))
        return false;
    if (axes.count == 0 && noop)
        return import_identity(n);
    if (axes.count)
        add_ints(n, &attrs, "axes", axes);
    return copy_bool(n, &attrs, "keepdims", "keepdims") &&
           set_result(n, build(n, op, n->inputs, 1, &attrs));
}

static bool
import_reduce_max(MlcOnnxNodeImport *n)
{
    return import_reduction(n, "graph.reduce_max");
}

static bool
import_reduce_mean(MlcOnnxNodeImport *n)
{
    return import_reduction(n, "graph.reduce_mean");
}

static bool
import_reduce_sum(MlcOnnxNodeImport *n)
{
    return import_reduction(n, "graph.reduce_sum");
}

static bool
import_reduce_min(MlcOnnxNodeImport *n)
{
    return import_reduction(n, "graph.reduce_min");
}

// A reduction of what `before` makes of the input (squares, where it is NULL and `squares` is set),
// and `after` of its result.
typedef struct ComposedReduction {
    const char *before, *after;
    bool squares;
} ComposedReduction;

static bool
import_composed_reduction(MlcOnnxNodeImport *n, ComposedReduction parts)
{
    MlcValue *x = n->inputs[0];
    MlcValue *given[] = {x, input_or_null(n, 1)}, **inputs = n->inputs;
    if (parts.before)
        x = build_one(n, parts.before, x);
    else if (parts.squares)
        x = build_two(n, "graph.mul", x, x);
    if (!x)
        return false;
    given[0] = x;
    n->inputs = given; // the axes as they are
    bool ok = import_reduction(n, "graph.reduce_sum");
    n->inputs = inputs;
    return ok && (!parts.after || set_result(n, build_one(n, parts.after, n->outputs[0])));
}

static bool
import_reduce_l1(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.before = "graph.abs"});
}

static bool
import_reduce_l2(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n,
                                     (ComposedReduction){.squares = true, .after = "graph.sqrt"});
}

static bool
import_reduce_sum_square(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.squares = true});
}

static bool
import_reduce_log_sum(MlcOnnxNodeImport *n)
{
    return import_composed_reduction(n, (ComposedReduction){.after = "graph.log"});
}

static bool
import_softmax(MlcOnnxNodeImport *n)
{
    Attrs attrs = {0};
    int64_t axis = -1;
    if (!read_int(n, "axis", &axis))
        return false;
    add_int(n, &attrs, "axis", axis);
    return set_result(n, build(n, "graph.softmax", n->inputs, 1, &attrs));
}

static MlcValue *
reduce_axes(MlcOnnxNodeImport *n, const char *op, MlcValue *value, MlcOnnxInts axes)
{
    Attrs attrs = {0};
    add_ints(n, &attrs, "axes", axes);
    return value ? build(n, op, &value, 1, &attrs) : NULL;
}

// x - max - log(sum(e^(x - max)))
static bool
import_log_softmax(MlcOnnxNodeImport *n)
{
    int64_t axis = -1;
    if (!read_int(n, "axis", &axis))
        return false;
    MlcOnnxInts axes = {&axis, 1};
    MlcValue *largest = reduce_axes(n, "graph.reduce_max", n->inputs[0], axes);
    MlcValue *shifted = build_two(n, "graph.sub", n->inputs[0], largest);
    MlcValue *sum = reduce_axes(n, "graph.reduce_sum", build_one(n, "graph.exp", shifted), axes);
    return set_result(n, build_two(n, "graph.sub", shifted, build_one(n, "graph.log", sum)));
}

static MlcValue *
build_scalar(MlcOnnxNodeImport *n, MlcType element, double number)
{
    MlcType type = mlc_tensor_type_get(element, NULL, 0, NULL);
    return build_constant(n, mlc_dense_attr_splat(type, mlc_float_attr_get(element, number)));
}

// (x - mean) / sqrt(variance + epsilon) * scale + bias, statistics over the axes from `axis` on
static bool
import_layer_norm(MlcOnnxNodeImport *n)
{
    int64_t axis = -1, axes[MAX_LAYER_NORM_RANK];
    float epsilon = 1e-5f;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!read_int(n, "axis", &axis) || !read_float(n, "epsilon", &epsilon))
        return false;
    if (has_output(n, 1) || has_output(n, 2))
        return mlc_onnx_unsupported(n, "its statistics as outputs");
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) > MAX_LAYER_NORM_RANK ||
        !mlc_type_is_float(mlc_type_element(type)))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    size_t count = 0;
    for (int64_t i = axis < 0 ? axis + rank : axis; i < rank; i++)
        axes[count++] = i;
    MlcOnnxInts list = {axes, count};
    MlcValue *mean = reduce_axes(n, "graph.reduce_mean", n->inputs[0], list);
    MlcValue *centred = build_two(n, "graph.sub", n->inputs[0], mean);
    MlcValue *squares = build_two(n, "graph.mul", centred, centred);
    MlcValue *variance = reduce_axes(n, "graph.reduce_mean", squares, list);
    MlcValue *shifted = build_two(n, "graph.add", variance,
                                  build_scalar(n, mlc_type_element(type), (double)epsilon));
    MlcValue *value = build_two(n, "graph.div", centred, build_one(n, "graph.sqrt", shifted));
    value = build_two(n, "graph.mul", value, n->inputs[1]);
    if (input_or_null(n, 2))
        value = build_two(n, "graph.add", value, n->inputs[2]);
    return set_result(n, value);
}

// Before opset 13 the softmax ran over all axes from `axis` on, as if flattened to two.
static bool
import_softmax_flattened(MlcOnnxNodeImport *n)
{
    int64_t axis = 1;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!read_int(n, "axis", &axis))
        return false;
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "this opset's softmax of an unknown shape");
    int64_t rank = (int64_t)mlc_type_rank(type);
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    Attrs flatten = {0}, last = {0};
    add_int(n, &flatten, "axis", axis < 0 ? axis + rank : axis);
    add_int(n, &last, "axis", -1);
    MlcValue *value = build(n, "graph.flatten", n->inputs, 1, &flatten);
    value = value ? build(n, "graph.softmax", &value, 1, &last) : NULL;
    return set_result(
        n,
        value ? reshape(n, value, (MlcOnnxInts){mlc_type_shape(type), (size_t)rank}, true) : NULL);
}

// ---- constants

static bool
import_constant(MlcOnnxNodeImport *n)
{
    bool ok = true;
    const MlcOnnxAttribute *tensor = find_attribute(n, "value", MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    const MlcOnnxAttribute *number =
        find_attribute(n, "value_float", MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
    const MlcOnnxAttribute *integer = find_attribute(n, "value_int", MLC_ONNX_ATTRIBUTE_INT, &ok);
    const MlcOnnxAttribute *ints = find_attribute(n, "value_ints", MLC_ONNX_ATTRIBUTE_INTS, &ok);
    const MlcOnnxAttribute *floats =
        find_attribute(n, "value_floats", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    if (!ok)
        return false;
    if (tensor && tensor->t)
        return set_result(n, mlc_onnx_build_constant(n->import, tensor->t));
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
    return set_result(n, mlc_onnx_build_constant(n->import, &made));
}

static bool
build_ints(MlcOnnxNodeImport *n, const int64_t *items, size_t count, const int64_t *shape,
           size_t rank)
{
    MlcType i64 = mlc_integer_type_get(context_of(n), 64, MLC_SIGNLESS);
    MlcType type = mlc_tensor_type_get(i64, shape, rank, NULL);
    MlcAttr value = mlc_dense_attr_get(type, items, count * sizeof *items, false);
    return set_result(n, build_constant(n, value));
}

// The sizes of the input, all of them or from `start` to `end`, must be known.
static bool
import_shape(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_rank(type))
        return mlc_onnx_unsupported(n, "the rank of its input is unknown");
    int64_t rank = (int64_t)mlc_type_rank(type), start = 0, end = rank;
    if (!read_int(n, "start", &start) || !read_int(n, "end", &end))
        return false;
    start += start < 0 ? rank : 0;
    end += end < 0 ? rank : 0;
    start = start < 0 ? 0 : start > rank ? rank : start;
    end = end < start ? start : end > rank ? rank : end;
    for (int64_t i = start; i < end; i++)
        if (mlc_type_dim(type, (size_t)i) == MLC_DYNAMIC)
            return mlc_onnx_unsupported(n, "size %" PRId64 " of its input is unknown", i);
    int64_t count = end - start;
    return build_ints(n, mlc_type_shape(type) + start, (size_t)count, &count, 1);
}

static bool
import_size(MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "the shape of its input is unknown");
    int64_t count = mlc_type_num_elements(type);
    return build_ints(n, &count, 1, NULL, 0);
}

static bool
import_constant_of_shape(MlcOnnxNodeImport *n)
{
    bool ok = true;
    MlcOnnxInts shape = {0};
    const MlcOnnxAttribute *given = find_attribute(n, "value", MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    if (!ok || !constant_ints(n, 0, &shape))
        return false;
    MlcAttr element = mlc_float_attr_get(mlc_float_type_get(context_of(n), MLC_FLOAT_F32), 0);
    if (given && given->t) {
        MlcValue *value = mlc_onnx_build_constant(n->import, given->t);
        if (!value)
            return false;
        MlcAttr tensor = mlc_value_constant(value);
        if (mlc_type_num_elements(mlc_attr_type(tensor)) != 1)
            return mlc_onnx_invalid(n, "attribute 'value' must have one element");
        element = mlc_elements_attr_element(tensor, 0);
        mlc_op_erase(mlc_value_def(value));
    }
    for (size_t i = 0; i < shape.count; i++)
        if (shape.items[i] < 0)
            return mlc_onnx_invalid(n, "the size %" PRId64 " is negative", shape.items[i]);
    MlcType type = mlc_tensor_type_get(mlc_attr_type(element), shape.items, shape.count, NULL);
    if (mlc_type_num_elements(type) < 0)
        return mlc_onnx_invalid(n, "the shape has too many elements");
    return set_result(n, build_constant(n, mlc_dense_attr_splat(type, element)));
}

// start, start + delta, ... up to limit, all three constants.
static bool
import_range(MlcOnnxNodeImport *n)
{
    double start, limit, delta;
    if (!constant_float(n, 0, &start) || !constant_float(n, 1, &limit) ||
        !constant_float(n, 2, &delta))
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
    return set_result(n,
                      build_constant(n, mlc_dense_attr_from_elements(type, items, (size_t)size)));
}

// ---- the table, by name; rows of one name cover disjoint opsets

enum { NEWEST = INT16_MAX, ANY = UINT8_MAX };

static const MlcOnnxOperator operators[] = {
    {"Abs", 6, NEWEST, 1, 1, import_abs},
    {"Add", 7, NEWEST, 2, 2, import_add},
    {"And", 7, NEWEST, 2, 2, import_and},
    {"AveragePool", 1, NEWEST, 1, 1, import_average_pool},
    {"BatchNormalization", 7, NEWEST, 5, 5, import_batch_norm},
    {"Cast", 6, NEWEST, 1, 1, import_cast},
    {"CastLike", 15, NEWEST, 2, 2, import_cast_like},
    {"Ceil", 6, NEWEST, 1, 1, import_ceil},
    {"Clip", 6, 10, 1, 1, import_clip},
    {"Clip", 11, NEWEST, 1, 3, import_clip},
    {"Concat", 1, NEWEST, 1, ANY, import_concat},
    {"Constant", 1, NEWEST, 0, 0, import_constant},
    {"ConstantOfShape", 9, NEWEST, 1, 1, import_constant_of_shape},
    {"Conv", 1, NEWEST, 2, 3, import_conv},
    {"Cos", 7, NEWEST, 1, 1, import_cos},
    {"Div", 7, NEWEST, 2, 2, import_div},
    {"Dropout", 7, NEWEST, 1, 3, import_dropout},
    {"Elu", 6, NEWEST, 1, 1, import_elu},
    {"Equal", 7, NEWEST, 2, 2, import_equal},
    {"Erf", 9, NEWEST, 1, 1, import_erf},
    {"Exp", 6, NEWEST, 1, 1, import_exp},
    {"Expand", 8, NEWEST, 2, 2, import_expand},
    {"Flatten", 1, NEWEST, 1, 1, import_flatten},
    {"Floor", 6, NEWEST, 1, 1, import_floor},
    {"Gather", 1, NEWEST, 2, 2, import_gather},
    {"GatherElements", 11, NEWEST, 2, 2, import_gather_elements},
    {"GatherND", 11, NEWEST, 2, 2, import_gather_nd},
    {"Gelu", 20, NEWEST, 1, 1, import_gelu_by},
    {"Gemm", 7, NEWEST, 2, 3, import_gemm},
    {"GlobalAveragePool", 1, NEWEST, 1, 1, import_global_average_pool},
    {"GlobalMaxPool", 1, NEWEST, 1, 1, import_global_max_pool},
    {"Greater", 7, NEWEST, 2, 2, import_greater},
    {"GreaterOrEqual", 12, NEWEST, 2, 2, import_greater_or_equal},
    {"HardSigmoid", 6, NEWEST, 1, 1, import_hard_sigmoid},
    {"HardSwish", 14, NEWEST, 1, 1, import_hard_swish},
    {"Identity", 1, NEWEST, 1, 1, import_identity},
    {"IsNaN", 9, NEWEST, 1, 1, import_is_nan},
    {"LayerNormalization", 17, NEWEST, 2, 3, import_layer_norm},
    {"LeakyRelu", 6, NEWEST, 1, 1, import_leaky_relu},
    {"Less", 7, NEWEST, 2, 2, import_less},
    {"LessOrEqual", 12, NEWEST, 2, 2, import_less_or_equal},
    {"Log", 6, NEWEST, 1, 1, import_log},
    {"LogSoftmax", 13, NEWEST, 1, 1, import_log_softmax},
    {"MatMul", 1, NEWEST, 2, 2, import_matmul},
    {"Max", 8, NEWEST, 1, ANY, import_max},
    {"MaxPool", 1, NEWEST, 1, 1, import_max_pool},
    {"Min", 8, NEWEST, 1, ANY, import_min},
    {"Mod", 10, NEWEST, 2, 2, import_mod},
    {"Mul", 7, NEWEST, 2, 2, import_mul},
    {"Neg", 6, NEWEST, 1, 1, import_neg},
    {"Not", 1, NEWEST, 1, 1, import_not},
    {"Or", 7, NEWEST, 2, 2, import_or},
    {"PRelu", 7, NEWEST, 2, 2, import_prelu},
    {"Pad", 2, NEWEST, 1, 4, import_pad},
    {"Pow", 7, NEWEST, 2, 2, import_pow},
    {"Range", 11, NEWEST, 3, 3, import_range},
    {"Reciprocal", 6, NEWEST, 1, 1, import_reciprocal},
    {"ReduceL1", 1, NEWEST, 1, 2, import_reduce_l1},
    {"ReduceL2", 1, NEWEST, 1, 2, import_reduce_l2},
    {"ReduceLogSum", 1, NEWEST, 1, 2, import_reduce_log_sum},
    {"ReduceMax", 1, NEWEST, 1, 2, import_reduce_max},
    {"ReduceMean", 1, NEWEST, 1, 2, import_reduce_mean},
    {"ReduceMin", 1, NEWEST, 1, 2, import_reduce_min},
    {"ReduceSum", 1, NEWEST, 1, 2, import_reduce_sum},
    {"ReduceSumSquare", 1, NEWEST, 1, 2, import_reduce_sum_square},
    {"Relu", 6, NEWEST, 1, 1, import_relu},
    {"Reshape", 5, NEWEST, 2, 2, import_reshape},
    {"Round", 11, NEWEST, 1, 1, import_round},
    {"Selu", 6, NEWEST, 1, 1, import_selu},
    {"Shape", 1, NEWEST, 1, 1, import_shape},
    {"Sigmoid", 6, NEWEST, 1, 1, import_sigmoid},
    {"Sign", 9, NEWEST, 1, 1, import_sign},
    {"Sin", 7, NEWEST, 1, 1, import_sin},
    {"Size", 1, NEWEST, 1, 1, import_size},
    {"Slice", 1, 9, 1, 1, import_slice},
    {"Slice", 10, NEWEST, 3, 5, import_slice},
    {"Softmax", 1, 12, 1, 1, import_softmax_flattened},
    {"Softmax", 13, NEWEST, 1, 1, import_softmax},
    {"Softplus", 1, NEWEST, 1, 1, import_softplus},
    {"Softsign", 1, NEWEST, 1, 1, import_softsign},
    {"Split", 2, NEWEST, 1, 2, import_split},
    {"Sqrt", 6, NEWEST, 1, 1, import_sqrt},
    {"Squeeze", 1, NEWEST, 1, 2, import_squeeze},
    {"Sub", 7, NEWEST, 2, 2, import_sub},
    {"Sum", 8, NEWEST, 1, ANY, import_sum},
    {"Tanh", 6, NEWEST, 1, 1, import_tanh},
    {"Tile", 6, NEWEST, 2, 2, import_tile},
    {"Transpose", 1, NEWEST, 1, 1, import_transpose},
    {"Trilu", 14, NEWEST, 1, 2, import_trilu},
    {"Unsqueeze", 1, NEWEST, 1, 2, import_unsqueeze},
    {"Where", 9, NEWEST, 3, 3, import_where},
    {"Xor", 7, NEWEST, 2, 2, import_xor},
};

const MlcOnnxOperator *
mlc_onnx_find_operator(MlcStr name, int64_t opset)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (mlc_str_equal(name, mlc_str(operators[i].name)) && opset >= operators[i].since &&
            opset <= operators[i].until)
            return &operators[i];
    return NULL;
}

bool
mlc_onnx_knows_operator(MlcStr name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (mlc_str_equal(name, mlc_str(operators[i].name)))
            return true;
    return false;
}
