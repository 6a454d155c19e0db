// ops_contractions.c -- ONNX operators: convolution, pooling, products, and the normalisation
// folded into them.
#include "node.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

// kernel_shape must agree with the weights' shape, which the op reads.
bool
mlc_onnx_check_kernel_shape(MlcOnnxNodeImport *n, MlcType weights)
{
    MlcOnnxInts kernel = {0};
    if (!mlc_onnx_read_ints(n, "kernel_shape", &kernel))
        return false;
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
check_conv(MlcOnnxNodeImport *n)
{
    return mlc_onnx_check_kernel_shape(n, mlc_value_type(n->inputs[1]));
}

static bool
check_max_pool(MlcOnnxNodeImport *n)
{
    return !mlc_onnx_has_output(n, 1) || mlc_onnx_unsupported(n, "its output of indices");
}

static bool
check_batch_norm(MlcOnnxNodeImport *n)
{
    int64_t training = 0, spatial = 1;
    if (!mlc_onnx_read_int(n, "training_mode", &training) ||
        !mlc_onnx_read_int(n, "spatial", &spatial))
        return false;
    if (training || mlc_onnx_has_output(n, 1))
        return mlc_onnx_unsupported(n, "training mode");
    return spatial || mlc_onnx_unsupported(n, "spatial = 0");
}

static const MlcOnnxOperator rows[] = {
    {"AveragePool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(average_pool),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode"), MLC_ONNX_COPY_BOOL("count_include_pad"))},
    {"BatchNormalization", 7, MLC_ONNX_NEWEST, 5, 5, MLC_ONNX_OP(batch_norm),
     .check = check_batch_norm, MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("epsilon"))},
    {"Conv", 1, MLC_ONNX_NEWEST, 2, 3, MLC_ONNX_OP(conv), .check = check_conv,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_PADS, MLC_ONNX_COPY_INTS("strides"),
                    MLC_ONNX_COPY_INTS("dilations"), MLC_ONNX_COPY_INT("group"))},
    {"ConvTranspose", 1, MLC_ONNX_NEWEST, 2, 3, .import = mlc_onnx_import_conv_transpose},
    {"Einsum", 12, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = mlc_onnx_import_einsum},
    {"Gemm", 7, MLC_ONNX_NEWEST, 2, 3, MLC_ONNX_OP(gemm),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("beta"),
                    MLC_ONNX_COPY_BOOL("transA", .as = "trans_a"),
                    MLC_ONNX_COPY_BOOL("transB", .as = "trans_b"))},
    {"GlobalAveragePool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(global_average_pool)},
    {"GlobalMaxPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(global_max_pool)},
    {"MatMul", 1, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(matmul)},
    {"MaxPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(max_pool), .check = check_max_pool,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode"))},
};
const MlcOnnxOperators mlc_onnx_contractions = MLC_ONNX_OPERATORS(rows);
