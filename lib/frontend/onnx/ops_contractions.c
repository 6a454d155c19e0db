// ops_contractions.c -- ONNX operators: convolution, pooling, products, and the normalisation
// folded into them.
#include "node.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

// ---- convolution, pooling, normalisation

static bool
copy_auto_pad(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs)
{
    MlcStr mode = mlc_str("NOTSET");
    if (!mlc_onnx_read_str(n, "auto_pad", &mode))
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
            mlc_onnx_add_attr(n, attrs, "auto_pad",
                              mlc_string_attr_get(mlc_onnx_context_of(n), mlc_str(modes[i].graph)));
        return i != 0 || mlc_onnx_copy_ints(n, attrs, "pads");
    }
    return mlc_onnx_invalid(n, "attribute 'auto_pad' is '%.*s'", MLC_STR_FMT(mode));
}

// kernel_shape must agree with the weights' shape, which the op reads.
static bool
check_kernel_shape(MlcOnnxNodeImport *n)
{
    MlcOnnxInts kernel = {0};
    if (!mlc_onnx_read_ints(n, "kernel_shape", &kernel))
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
    MlcOnnxAttrs attrs = {0};
    return check_kernel_shape(n) && copy_auto_pad(n, &attrs) &&
           mlc_onnx_copy_ints(n, &attrs, "strides") && mlc_onnx_copy_ints(n, &attrs, "dilations") &&
           mlc_onnx_copy_int(n, &attrs, "group") &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_conv_def, n->inputs,
                                                 mlc_onnx_count_inputs(n), &attrs));
}

static bool
copy_pooling(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs)
{
    MlcOnnxInts kernel = {0};
    if (!mlc_onnx_read_ints(n, "kernel_shape", &kernel))
        return false;
    if (kernel.count == 0)
        return mlc_onnx_invalid(n, "attribute 'kernel_shape' is required");
    mlc_onnx_add_ints(n, attrs, "kernel_shape", kernel);
    return copy_auto_pad(n, attrs) && mlc_onnx_copy_ints(n, attrs, "strides") &&
           mlc_onnx_copy_ints(n, attrs, "dilations") &&
           mlc_onnx_copy_bool(n, attrs, "ceil_mode", "ceil_mode");
}

static bool
import_max_pool(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    if (mlc_onnx_has_output(n, 1))
        return mlc_onnx_unsupported(n, "its output of indices");
    return copy_pooling(n, &attrs) &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_max_pool_def, n->inputs, 1, &attrs));
}

static bool
import_average_pool(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    return copy_pooling(n, &attrs) &&
           mlc_onnx_copy_bool(n, &attrs, "count_include_pad", "count_include_pad") &&
           mlc_onnx_set_result(
               n, mlc_onnx_build(n, &mlc_graph_average_pool_def, n->inputs, 1, &attrs));
}

MLC_ONNX_UNARY(global_average_pool)
MLC_ONNX_UNARY(global_max_pool)

static bool
import_batch_norm(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    int64_t training = 0, spatial = 1;
    if (!mlc_onnx_read_int(n, "training_mode", &training) ||
        !mlc_onnx_read_int(n, "spatial", &spatial))
        return false;
    if (training || mlc_onnx_has_output(n, 1))
        return mlc_onnx_unsupported(n, "training mode");
    if (!spatial)
        return mlc_onnx_unsupported(n, "spatial = 0");
    return mlc_onnx_copy_float(n, &attrs, "epsilon") &&
           mlc_onnx_set_result(n,
                               mlc_onnx_build(n, &mlc_graph_batch_norm_def, n->inputs, 5, &attrs));
}

// ---- products

MLC_ONNX_BINARY(matmul)

static bool
import_gemm(MlcOnnxNodeImport *n)
{
    MlcOnnxAttrs attrs = {0};
    return mlc_onnx_copy_float(n, &attrs, "alpha") && mlc_onnx_copy_float(n, &attrs, "beta") &&
           mlc_onnx_copy_bool(n, &attrs, "transA", "trans_a") &&
           mlc_onnx_copy_bool(n, &attrs, "transB", "trans_b") &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_gemm_def, n->inputs,
                                                 mlc_onnx_count_inputs(n), &attrs));
}

static const MlcOnnxOperator rows[] = {
    {"AveragePool", 1, MLC_ONNX_NEWEST, 1, 1, import_average_pool},
    {"BatchNormalization", 7, MLC_ONNX_NEWEST, 5, 5, import_batch_norm},
    {"Conv", 1, MLC_ONNX_NEWEST, 2, 3, import_conv},
    {"ConvTranspose", 1, MLC_ONNX_NEWEST, 2, 3, mlc_onnx_import_conv_transpose},
    {"Einsum", 12, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, mlc_onnx_import_einsum},
    {"Gemm", 7, MLC_ONNX_NEWEST, 2, 3, import_gemm},
    {"GlobalAveragePool", 1, MLC_ONNX_NEWEST, 1, 1, import_global_average_pool},
    {"GlobalMaxPool", 1, MLC_ONNX_NEWEST, 1, 1, import_global_max_pool},
    {"MatMul", 1, MLC_ONNX_NEWEST, 2, 2, import_matmul},
    {"MaxPool", 1, MLC_ONNX_NEWEST, 1, 1, import_max_pool},
};
const MlcOnnxOperators mlc_onnx_contractions = MLC_ONNX_OPERATORS(rows);
