// ops_fused.c -- operators of com.microsoft that onnxruntime's optimiser makes of several of
// ONNX's: products and convolutions with what follows them, activations, normalisation of a sum.
//
// They are taken apart again, so that they fuse as in a model that was never optimised. What each
// means is in onnxruntime's own description of its operators.
#include "node.h"

#include <inttypes.h>

// ---- activations

static MlcType
element_of(MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

// An activation by its name, as an attribute says it, with the numbers that it has.
typedef struct Activation {
    MlcStr name;
    float numbers[2];
    size_t count; // of those that the node gives
} Activation;

// The activation of the value; NULL after an error.
static MlcValue *
activate(MlcOnnxNodeImport *n, const Activation *activation, MlcValue *value)
{
    static const struct {
        const char *name;
        const MlcOpDef *op;
        const char *numbers[2];
    } all[] = {
        {"Clip", &mlc_graph_clip_def, {"low", "high"}},
        {"Elu", &mlc_graph_elu_def, {"alpha"}},
        {"Gelu", &mlc_graph_gelu_def, {0}},
        {"HardSigmoid", &mlc_graph_hard_sigmoid_def, {"alpha", "beta"}},
        {"HardSwish", &mlc_graph_hard_swish_def, {0}},
        {"LeakyRelu", &mlc_graph_leaky_relu_def, {"alpha"}},
        {"Relu", &mlc_graph_relu_def, {0}},
        {"Selu", &mlc_graph_selu_def, {"alpha", "gamma"}},
        {"Sigmoid", &mlc_graph_sigmoid_def, {0}},
        {"Softplus", &mlc_graph_softplus_def, {0}},
        {"Softsign", &mlc_graph_softsign_def, {0}},
        {"Tanh", &mlc_graph_tanh_def, {0}},
    };
    if (!value || activation->name.size == 0)
        return value;
    if (mlc_str_equal(activation->name, mlc_str("ThresholdedRelu"))) {
        MlcValue *limit = mlc_onnx_build_scalar(
            n, element_of(value), activation->count ? (double)activation->numbers[0] : 1);
        MlcValue *above = mlc_onnx_compare(n, &mlc_graph_greater_def, value, limit);
        return mlc_onnx_select(n, above, value, mlc_onnx_build_scalar(n, element_of(value), 0));
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        MlcOnnxAttrs attrs = {0};
        if (!mlc_str_equal(activation->name, mlc_str(all[i].name)))
            continue;
        for (size_t k = 0; k < 2 && k < activation->count && all[i].numbers[k]; k++)
            mlc_onnx_add_float(n, &attrs, all[i].numbers[k], activation->numbers[k]);
        return mlc_onnx_build(n, all[i].op, &value, 1, &attrs);
    }
    return mlc_onnx_unsupported(n, "activation '%.*s'", MLC_STR_FMT(activation->name)), NULL;
}

// x * sigmoid(alpha * x)
static bool
import_quick_gelu(MlcOnnxNodeImport *n)
{
    float alpha = 1.702f;
    MlcValue *x = n->inputs[0], *scaled = x;
    if (!mlc_onnx_read_float(n, "alpha", &alpha))
        return false;
    if (alpha != 1)
        scaled = mlc_onnx_build_two(n, &mlc_graph_mul_def, x,
                                    mlc_onnx_build_scalar(n, element_of(x), (double)alpha));
    MlcValue *share = mlc_onnx_build_one(n, &mlc_graph_sigmoid_def, scaled);
    return mlc_onnx_set_result(n, mlc_onnx_build_two(n, &mlc_graph_mul_def, x, share));
}

// The row's op of the sum of input and bias, where there is one.
static bool
import_of_sum(MlcOnnxNodeImport *n)
{
    MlcValue *x = n->inputs[0], *bias = mlc_onnx_input_or_null(n, 1);
    if (bias)
        x = mlc_onnx_build_two(n, &mlc_graph_add_def, x, bias);
    return mlc_onnx_set_result(n, mlc_onnx_build_one(n, n->row->op, x));
}

// ---- products

// Matrices of the input, transposed where attributes ask for it: `batch` moves the first dimension
// behind all but the last.
static MlcValue *
read_matrices(MlcOnnxNodeImport *n, size_t i, const char *batch, const char *last)
{
    int64_t moves_batch = 0, swaps = 0, perm[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(n->inputs[i]);
    if (!mlc_onnx_read_int(n, batch, &moves_batch) || !mlc_onnx_read_int(n, last, &swaps))
        return NULL;
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    size_t rank = mlc_type_rank(type);
    if (rank < 2 || (!moves_batch && !swaps)) // a vector has nothing to swap
        return n->inputs[i];
    for (size_t k = 0; k < rank; k++)
        perm[k] = (int64_t)k;
    for (size_t k = 0; moves_batch && k + 1 < rank; k++)
        perm[k] = k + 2 < rank ? (int64_t)k + 1 : 0;
    if (swaps) {
        int64_t row = perm[rank - 2];
        perm[rank - 2] = perm[rank - 1];
        perm[rank - 1] = row;
    }
    return mlc_onnx_transpose(n, n->inputs[i], (MlcOnnxInts){perm, rank});
}

static MlcValue *
build_product(MlcOnnxNodeImport *n)
{
    float alpha = 1;
    if (!mlc_onnx_read_float(n, "alpha", &alpha))
        return NULL;
    MlcValue *a = read_matrices(n, 0, "transBatchA", "transA");
    MlcValue *b = a ? read_matrices(n, 1, "transBatchB", "transB") : NULL;
    MlcValue *product = mlc_onnx_build_two(n, &mlc_graph_matmul_def, a, b);
    if (!product || alpha == 1)
        return product;
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, product,
                              mlc_onnx_build_scalar(n, element_of(product), (double)alpha));
}

static bool
import_matmul(MlcOnnxNodeImport *n)
{
    return mlc_onnx_set_result(n, build_product(n));
}

// An activation whose numbers are attributes of their own.
static bool
read_activation(MlcOnnxNodeImport *n, Activation *activation)
{
    static const char *const names[] = {"activation_alpha", "activation_beta"};
    bool ok = mlc_onnx_read_str(n, "activation", &activation->name);
    bool is_selu = mlc_str_equal(activation->name, mlc_str("Selu"));
    for (size_t i = 0; ok && i < 2; i++) {
        const char *name = is_selu && i == 1 ? "activation_gamma" : names[i];
        const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_FLOAT, &ok);
        if (ok && a && activation->count == i)
            activation->numbers[activation->count++] = a->f;
    }
    return ok;
}

static bool
import_fused_gemm(MlcOnnxNodeImport *n)
{
    Activation activation = {0};
    if (!read_activation(n, &activation) || !mlc_onnx_import_one_op(n))
        return false;
    return mlc_onnx_set_result(n, activate(n, &activation, n->outputs[0]));
}

static bool
import_matmul_gelu(MlcOnnxNodeImport *n)
{
    MlcValue *x = build_product(n), *bias = mlc_onnx_input_or_null(n, 2);
    if (bias)
        x = mlc_onnx_build_two(n, &mlc_graph_add_def, x, bias);
    return mlc_onnx_set_result(n, mlc_onnx_build_one(n, &mlc_graph_gelu_tanh_def, x));
}

// ---- convolutions

// An activation whose numbers are a list.
static bool
read_listed_activation(MlcOnnxNodeImport *n, Activation *activation)
{
    bool ok = mlc_onnx_read_str(n, "activation", &activation->name);
    const MlcOnnxAttribute *a =
        ok ? mlc_onnx_find_attribute(n, "activation_params", MLC_ONNX_ATTRIBUTE_FLOATS, &ok) : NULL;
    for (size_t i = 0; a && i < a->floats.count && i < 2; i++)
        activation->numbers[activation->count++] = mlc_onnx_float_at(a->floats, i);
    return ok;
}

// The convolution, what is added to it, and the activation.
static MlcValue *
build_fused_conv(MlcOnnxNodeImport *n, MlcValue *x, MlcValue *added)
{
    Activation activation = {0};
    MlcOnnxAttrs attrs = {0};
    MlcValue *bias = mlc_onnx_input_or_null(n, 2), *operands[] = {x, n->inputs[1], bias};
    if (!x || !read_listed_activation(n, &activation) || !mlc_onnx_copy_attrs(n, &attrs) ||
        !mlc_onnx_check_kernel_shape(n, mlc_value_type(n->inputs[1])))
        return NULL;
    MlcValue *value = mlc_onnx_build(n, &mlc_graph_conv_def, operands, bias ? 3 : 2, &attrs);
    if (value && added)
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value, added);
    return activate(n, &activation, value);
}

static bool
import_fused_conv(MlcOnnxNodeImport *n)
{
    return mlc_onnx_set_result(n, build_fused_conv(n, n->inputs[0], mlc_onnx_input_or_null(n, 3)));
}

// Channels from the last dimension to dimension 1, or back.
static MlcValue *
move_channels(MlcOnnxNodeImport *n, MlcValue *value, bool to_last)
{
    int64_t perm[MLC_SMALL_RANK] = {0};
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!value)
        return NULL;
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) < 3)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type)), NULL;
    size_t rank = mlc_type_rank(type);
    for (size_t i = 1; i < rank; i++)
        perm[i] =
            to_last ? (int64_t)(i + 1 < rank ? i + 1 : 1) : (int64_t)(i > 1 ? i - 1 : rank - 1);
    return mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, rank});
}

static bool
import_channels_last_conv(MlcOnnxNodeImport *n)
{
    MlcValue *added = mlc_onnx_input_or_null(n, 3), *x = move_channels(n, n->inputs[0], false);
    if (added && !(added = move_channels(n, added, false)))
        return false;
    return mlc_onnx_set_result(n, move_channels(n, build_fused_conv(n, x, added), true));
}

static bool
import_channels_last_pool(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    MlcValue *x = move_channels(n, n->inputs[0], false);
    if (!x || !mlc_onnx_copy_attrs(n, &attrs))
        return false;
    return mlc_onnx_set_result(
        n, move_channels(n, mlc_onnx_build(n, n->row->op, &x, 1, &attrs), true));
}

// ---- operators that are ONNX's own by now

static bool
import_as_onnx(MlcOnnxNodeImport *n)
{
    int64_t opset = n->import->opset;
    n->import->opset = MLC_ONNX_NEWEST;
    n->row = mlc_onnx_find_operator(n->node->op_type, MLC_ONNX_NEWEST);
    bool ok = mlc_onnx_import_row(n);
    n->import->opset = opset;
    return ok;
}

#define CONV_ATTRS                                                                                 \
    MLC_ONNX_ATTRS(MLC_ONNX_COPY_PADS, MLC_ONNX_COPY_INTS("strides"),                              \
                   MLC_ONNX_COPY_INTS("dilations"), MLC_ONNX_COPY_INT("group"))
static const MlcOnnxOperator rows[] = {
    {"BiasGelu", 1, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(gelu), .one_type = MLC_ONNX_ALL,
     .import = import_of_sum},
    {"FastGelu", 1, MLC_ONNX_NEWEST, 1, 2, MLC_ONNX_OP(gelu_tanh), .one_type = MLC_ONNX_ALL,
     .import = import_of_sum},
    {"FusedConv", 1, MLC_ONNX_NEWEST, 2, 4, .one_type = MLC_ONNX_ALL, .import = import_fused_conv,
     CONV_ATTRS},
    {"FusedGemm", 1, MLC_ONNX_NEWEST, 2, 3, MLC_ONNX_OP(gemm), .one_type = MLC_ONNX_ALL,
     .import = import_fused_gemm,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("beta"),
                    MLC_ONNX_COPY_BOOL("transA", .as = "trans_a"),
                    MLC_ONNX_COPY_BOOL("transB", .as = "trans_b"))},
    {"FusedMatMul", 1, MLC_ONNX_NEWEST, 2, 2, .one_type = MLC_ONNX_ALL, .import = import_matmul},
    {"GatherND", 1, MLC_ONNX_NEWEST, 2, 2, .takes_strings = true, .import = import_as_onnx},
    {"Gelu", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(gelu)},
    {"GemmFastGelu", 1, MLC_ONNX_NEWEST, 2, 3, .one_type = MLC_ONNX_ALL,
     .import = import_matmul_gelu},
    {"NhwcConv", 1, MLC_ONNX_NEWEST, 2, 3, .one_type = MLC_ONNX_ALL,
     .import = import_channels_last_conv, CONV_ATTRS},
    {"NhwcFusedConv", 1, MLC_ONNX_NEWEST, 2, 4, .one_type = MLC_ONNX_ALL,
     .import = import_channels_last_conv, CONV_ATTRS},
    {"NhwcMaxPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(max_pool),
     .import = import_channels_last_pool,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode"))},
    {"QuickGelu", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_quick_gelu},
    {"TransposeMatMul", 1, MLC_ONNX_NEWEST, 2, 2, .one_type = MLC_ONNX_ALL,
     .import = import_matmul},
    {"Trilu", 1, MLC_ONNX_NEWEST, 1, 2, .import = import_as_onnx},
};
const MlcOnnxOperators mlc_onnx_fused = MLC_ONNX_OPERATORS(rows);
