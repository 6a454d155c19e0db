// ops_ml_linear.c -- ONNX operators of the domain ai.onnx.ml: linear models.
//
// Scores are products with constant matrices. Where ONNX's text leaves open what two classes with
// one score get, it is what onnxruntime gives.
#include "ml.h"

#include <inttypes.h>

MlcValue *
mlc_onnx_linear_scores(MlcOnnxNodeImport *n, MlcValue *rows, MlcOnnxFloats coefficients,
                       int64_t count, MlcOnnxFloats added)
{
    MlcType type = mlc_value_type(rows), element = mlc_type_element(type);
    int64_t features = mlc_type_dim(type, 1);
    size_t product;
    MlcOnnxAttrs attrs = {0};
    if (count < 1 || !mlc_mul_size((size_t)count, (size_t)features, &product) ||
        product != coefficients.count)
        return mlc_onnx_invalid(n,
                                "%zu coefficients for %" PRId64 " scores of %" PRId64 " features",
                                coefficients.count, count, features),
               NULL;
    if (added.count && added.count != (size_t)count)
        return mlc_onnx_invalid(n, "%zu intercepts for %" PRId64 " scores", added.count, count),
               NULL;
    MlcValue *operands[] = {
        rows, mlc_onnx_build_listed(n, element, coefficients, (int64_t[]){count, features}, 2),
        added.count ? mlc_onnx_build_listed(n, element, added, &count, 1) : NULL};
    mlc_onnx_add_bool(n, &attrs, "trans_b", true);
    return operands[1]
               ? mlc_onnx_build(n, &mlc_graph_gemm_def, operands, added.count ? 3 : 2, &attrs)
               : NULL;
}

// Of as many rows of coefficients; 0: it cannot be told.
static int64_t
features_of(MlcOnnxFloats coefficients, int64_t rows)
{
    int64_t count = (int64_t)coefficients.count;
    return rows > 0 && count % rows == 0 ? count / rows : 0;
}

static bool
import_linear_regressor(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, intercepts = {0};
    int64_t targets = 1;
    MlcOnnxPost post;
    if (!mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "intercepts", &intercepts) ||
        !mlc_onnx_read_int(n, "targets", &targets) || !mlc_onnx_read_post(n, &post))
        return false;
    MlcValue *rows = mlc_onnx_feature_rows(n, features_of(coefficients, targets));
    if (!rows)
        return false;
    MlcValue *scores = mlc_onnx_linear_scores(n, rows, coefficients, targets, intercepts);
    scores = mlc_onnx_cast(n, scores, mlc_onnx_f32(n));
    return mlc_onnx_set_result(n, mlc_onnx_post_transform(n, scores, post));
}

static bool
import_linear_classifier(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, intercepts = {0};
    MlcOnnxClasses classes = {0};
    MlcOnnxPost post;
    if (!mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "intercepts", &intercepts) || !mlc_onnx_read_post(n, &post) ||
        !mlc_onnx_read_classes(n, "classlabels_ints", "classlabels_strings", &classes))
        return false;
    MlcValue *rows = mlc_onnx_feature_rows(n, features_of(coefficients, (int64_t)intercepts.count));
    if (!rows)
        return false;
    int64_t features = mlc_type_dim(mlc_value_type(rows), 1);
    int64_t count = features > 0 ? (int64_t)coefficients.count / features : 0;
    MlcValue *scores = mlc_onnx_linear_scores(n, rows, coefficients, count, intercepts);
    scores = mlc_onnx_cast(n, scores, mlc_onnx_f32(n));
    MlcValue *results = count == 1 && classes.count == 2
                            ? mlc_onnx_binary_scores(n, scores, true, post)
                            : mlc_onnx_post_transform(n, scores, post);
    return mlc_onnx_set_classes(n, &classes, scores, 0, results);
}

static const MlcOnnxOperator rows[] = {
    {"LinearClassifier", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_linear_classifier},
    {"LinearRegressor", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_linear_regressor},
};
const MlcOnnxOperators mlc_onnx_ml_linear = MLC_ONNX_OPERATORS(rows);
