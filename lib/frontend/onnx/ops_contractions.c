// ops_contractions.c -- ONNX operators: convolution, pooling, products, and the normalisation
// folded into them.
#include "found_sizes.h"
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

// Of each channel, [C]; the input's mean over all other dimensions, or `value`'s.
static MlcValue *
channel_mean(MlcOnnxNodeImport *n, MlcValue *value)
{
    int64_t axes[MLC_SMALL_RANK] = {0};
    MlcOnnxAttrs attrs = {0};
    size_t rank = value ? mlc_type_rank(mlc_value_type(value)) : 2;
    for (size_t i = 2; i < rank; i++)
        axes[i - 1] = (int64_t)i;
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, rank - 1});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return value ? mlc_onnx_build(n, &mlc_graph_reduce_mean_def, &value, 1, &attrs) : NULL;
}

// running * momentum + now * (1 - momentum)
static MlcValue *
run_mean(MlcOnnxNodeImport *n, MlcValue *running, MlcValue *now, float momentum)
{
    MlcType element = mlc_type_element(mlc_value_type(running));
    const MlcOpDef *mul = &mlc_graph_mul_def;
    MlcValue *kept =
        mlc_onnx_build_two(n, mul, running, mlc_onnx_build_scalar(n, element, (double)momentum));
    MlcValue *added = mlc_onnx_build_two(n, mul, mlc_onnx_cast(n, now, element),
                                         mlc_onnx_build_scalar(n, element, 1 - (double)momentum));
    return mlc_onnx_build_two(n, &mlc_graph_add_def, kept, added);
}

// By statistics of the batch itself, which move the running ones.
static bool
import_batch_norm_in_training(MlcOnnxNodeImport *n)
{
    float epsilon = 1e-5f, momentum = 0.9f;
    int64_t column[MLC_SMALL_RANK];
    MlcValue *x = n->inputs[0];
    MlcType type = mlc_value_type(x);
    MlcOnnxAttrs attrs = {0};
    if (!mlc_onnx_read_float(n, "epsilon", &epsilon) ||
        !mlc_onnx_read_float(n, "momentum", &momentum))
        return false;
    if (!mlc_type_has_small_rank(type) || mlc_type_rank(type) < 2)
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    column[0] = -1;
    for (size_t i = 1; i < MLC_SMALL_RANK; i++)
        column[i] = 1;
    MlcValue *mean = channel_mean(n, x);
    MlcValue *spread =
        mean ? mlc_onnx_reshape(n, mean, (MlcOnnxInts){column, mlc_type_rank(type) - 1}, false)
             : NULL;
    MlcValue *centred = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, spread);
    MlcValue *variance =
        channel_mean(n, mlc_onnx_build_two(n, &mlc_graph_mul_def, centred, centred));
    mlc_onnx_add_float(n, &attrs, "epsilon", epsilon);
    MlcValue *operands[] = {x, n->inputs[1], n->inputs[2], mean, variance};
    if (!variance ||
        !mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_batch_norm_def, operands, 5, &attrs)))
        return false;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = run_mean(n, n->inputs[3], mean, momentum);
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = run_mean(n, n->inputs[4], variance, momentum);
    return true;
}

static bool
import_batch_norm(MlcOnnxNodeImport *n)
{
    int64_t training = 0, spatial = 1, is_test = n->import->opset >= 7;
    if (!mlc_onnx_read_int(n, "training_mode", &training) ||
        !mlc_onnx_read_int(n, "spatial", &spatial) || !mlc_onnx_read_int(n, "is_test", &is_test))
        return false;
    if (n->node->output.count == 2)
        return mlc_onnx_invalid(n, "expected 1 or 3 outputs, got 2");
    if (training)
        return import_batch_norm_in_training(n);
    if (!is_test || mlc_onnx_has_output(n, 1))
        return mlc_onnx_unsupported(n, "training mode");
    return spatial ? mlc_onnx_import_one_op(n) : mlc_onnx_unsupported(n, "spatial = 0");
}

static const MlcOnnxOperator rows[] = {
    {"AveragePool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(average_pool),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode"), MLC_ONNX_COPY_BOOL("count_include_pad")),
     .found = mlc_onnx_rule_batch},
    {"BatchNormalization", 1, MLC_ONNX_NEWEST, 5, 5, MLC_ONNX_OP(batch_norm),
     .import = import_batch_norm, MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("epsilon")),
     .found = mlc_onnx_rule_batch},
    {"Conv", 1, MLC_ONNX_NEWEST, 2, 3, MLC_ONNX_OP(conv), .check = check_conv,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_PADS, MLC_ONNX_COPY_INTS("strides"),
                    MLC_ONNX_COPY_INTS("dilations"), MLC_ONNX_COPY_INT("group")),
     .found = mlc_onnx_rule_batch},
    {"ConvTranspose", 1, MLC_ONNX_NEWEST, 2, 3, .import = mlc_onnx_import_conv_transpose,
     .found = mlc_onnx_rule_batch},
    {"Einsum", 12, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = mlc_onnx_import_einsum},
    {"Gemm", 1, MLC_ONNX_NEWEST, 2, 3, MLC_ONNX_OP(gemm),
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_FLOAT("alpha"), MLC_ONNX_COPY_FLOAT("beta"),
                    MLC_ONNX_COPY_BOOL("transA", .as = "trans_a"),
                    MLC_ONNX_COPY_BOOL("transB", .as = "trans_b")),
     .found = mlc_onnx_rule_gemm},
    {"GlobalAveragePool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(global_average_pool),
     .found = mlc_onnx_rule_batch},
    {"GlobalMaxPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(global_max_pool),
     .found = mlc_onnx_rule_batch},
    {"MatMul", 1, MLC_ONNX_NEWEST, 2, 2, MLC_ONNX_OP(matmul), .found = mlc_onnx_rule_rows},
    {"MaxPool", 1, MLC_ONNX_NEWEST, 1, 1, MLC_ONNX_OP(max_pool), .import = mlc_onnx_import_max_pool,
     MLC_ONNX_ATTRS(MLC_ONNX_COPY_INTS("kernel_shape", .is_required = true), MLC_ONNX_COPY_PADS,
                    MLC_ONNX_COPY_INTS("strides"), MLC_ONNX_COPY_INTS("dilations"),
                    MLC_ONNX_COPY_BOOL("ceil_mode")),
     .found = mlc_onnx_rule_batch},
};
const MlcOnnxOperators mlc_onnx_contractions = MLC_ONNX_OPERATORS(rows);
