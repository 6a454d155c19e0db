// graph_fold_batch_norm.c -- batch normalisation with known statistics becomes part of the weights
// before it.
//
// y = (x - mean) * s + bias with s = scale / sqrt(variance + epsilon), per channel:
//   conv(x, w, b), one user:   w' = w * s (per output channel),  b' = (b - mean) * s + bias
//   anything else:             x * s + (bias - mean * s), two elementwise ops that fuse
// Computed in double and rounded once. The new weights do not round as the model's two steps did:
// allowed as contraction is.
#include "graph_constants.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph.h"
#include "mlc/pass.h"

#include <math.h>

typedef struct Norm {
    size_t channels;
    double *factor; // s
    double *offset; // bias - mean * s
} Norm;

static bool
read_norm(MlcPass *pass, MlcOp *bn, Norm *norm)
{
    double *p[4]; // scale, bias, mean, variance
    MlcArena *arena = mlc_pass_scratch(pass);
    double epsilon = mlc_float_attr_as_double(mlc_op_attr(bn, "epsilon"));
    MlcType type = mlc_value_type(mlc_op_operand(bn, 1));
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) != 1 || !mlc_type_has_static_shape(type))
        return false;
    norm->channels = (size_t)mlc_type_dim(type, 0);
    for (size_t i = 0; i < 4; i++) {
        MlcAttr constant = mlc_value_constant(mlc_op_operand(bn, i + 1));
        p[i] = MLC_NEW_ARRAY(arena, double, norm->channels);
        if (!constant || !mlc_constant_read(constant, p[i], norm->channels)) {
            mlc_op_remark(bn, "not folded: operand %zu is computed at run time", i + 1);
            return false;
        }
    }
    norm->factor = p[0];
    norm->offset = p[1];
    for (size_t c = 0; c < norm->channels; c++) {
        norm->factor[c] = p[0][c] / sqrt(p[3][c] + epsilon);
        norm->offset[c] = p[1][c] - p[2][c] * norm->factor[c];
    }
    return true;
}

// Multiplies every output channel of the filter; channels are its first dimension, or its last.
static MlcAttr
scale_filter(MlcAttr filter, const Norm *norm, bool channels_last)
{
    size_t count = (size_t)mlc_type_num_elements(mlc_attr_type(filter));
    double *numbers = mlc_calloc(count, sizeof *numbers);
    size_t per_channel = norm->channels ? count / norm->channels : 0;
    MlcAttr scaled = NULL;
    if (mlc_constant_read(filter, numbers, count)) {
        for (size_t i = 0; i < count; i++)
            numbers[i] *= norm->factor[channels_last ? i % norm->channels : i / per_channel];
        scaled = mlc_constant_make(mlc_attr_type(filter), numbers, count, mlc_constant_key(filter));
    }
    mlc_free(numbers);
    return scaled;
}

static bool
fold_into_conv(MlcPass *pass, MlcOp *bn, const Norm *norm)
{
    MlcOp *conv = mlc_value_def(mlc_op_operand(bn, 0));
    if (!mlc_graph_conv_isa(conv) || !mlc_value_has_one_use(mlc_op_result(conv, 0)) ||
        mlc_graph_layout(conv) != mlc_graph_layout(bn) ||
        mlc_value_type(mlc_op_result(conv, 0)) != mlc_value_type(mlc_op_result(bn, 0)))
        return false;
    MlcAttr filter = mlc_value_constant(mlc_op_operand(conv, 1));
    if (!filter || mlc_type_num_elements(mlc_attr_type(filter)) < 0)
        return false;
    double *bias = MLC_NEW_ARRAY(mlc_pass_scratch(pass), double, norm->channels);
    if (mlc_op_num_operands(conv) > 2) {
        MlcAttr old = mlc_value_constant(mlc_op_operand(conv, 2));
        if (!old || !mlc_constant_read(old, bias, norm->channels))
            return false;
    }
    MlcAttr scaled = scale_filter(filter, norm, mlc_graph_layout(conv) == MLC_GRAPH_LAYOUT_NHWC);
    if (!scaled)
        return false;
    for (size_t c = 0; c < norm->channels; c++)
        bias[c] = bias[c] * norm->factor[c] + norm->offset[c];
    int64_t dim = (int64_t)norm->channels;
    MlcType sums = mlc_type_element(mlc_value_type(mlc_op_result(conv, 0)));
    MlcType bias_type = mlc_tensor_type_get(sums, &dim, 1, NULL);
    MlcStr key = mlc_constant_key(mlc_value_constant(mlc_op_operand(bn, 2)));
    MlcValue *operands[] = {
        mlc_op_operand(conv, 0), mlc_constant_build(conv, scaled),
        mlc_constant_build(conv, mlc_constant_make(bias_type, bias, norm->channels, key))};
    mlc_op_set_operands(conv, operands, 3);
    MlcValue *result = mlc_op_result(conv, 0);
    mlc_op_replace(bn, &result, 1);
    return true;
}

static bool
make_scale_and_shift(MlcOp *bn, const Norm *norm)
{
    MlcType type = mlc_value_type(mlc_op_result(bn, 0));
    if (!mlc_type_has_small_rank(type))
        return false;
    // [C, 1, ...] broadcasts against [N, C, ...], [C] against [N, ..., C].
    int64_t dims[MLC_SMALL_RANK] = {(int64_t)norm->channels};
    size_t rank = mlc_graph_layout(bn) == MLC_GRAPH_LAYOUT_NHWC ? 1 : mlc_type_rank(type) - 1;
    for (size_t i = 1; i < rank; i++)
        dims[i] = 1;
    MlcType channel = mlc_tensor_type_get(mlc_type_element(type), dims, rank, NULL);
    MlcStr key = mlc_constant_key(mlc_value_constant(mlc_op_operand(bn, 1)));
    MlcValue *factor =
        mlc_constant_build(bn, mlc_constant_make(channel, norm->factor, norm->channels, key));
    MlcValue *offset =
        mlc_constant_build(bn, mlc_constant_make(channel, norm->offset, norm->channels, key));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(bn));
    mlc_builder_before(&b, bn);
    MlcValue *scaled = mlc_graph_mul_as(&b, type, mlc_op_operand(bn, 0), factor);
    MlcValue *result = mlc_graph_add_as(&b, type, scaled, offset);
    mlc_op_replace(bn, &result, 1);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_POSTORDER (op, root) {
        Norm norm;
        if (!mlc_graph_batch_norm_isa(op) || !read_norm(pass, op, &norm))
            continue;
        if (fold_into_conv(pass, op, &norm))
            mlc_pass_count(pass, "folded-into-weights", 1);
        else if (make_scale_and_shift(op, &norm))
            mlc_pass_count(pass, "scale-and-shift", 1);
    }
    return true;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_fold_batch_norm, .flag = "graph-fold-batch-norm",
         .summary = "Fold batch normalisation into weights, or into a scale and a shift",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
