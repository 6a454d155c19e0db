// ops_ml_linear.c -- ONNX operators of the domain ai.onnx.ml: linear models and support vectors.
//
// Scores are products with constant matrices. Where ONNX's text leaves open what two classes with
// one score get, it is what onnxruntime gives.
#include "ml.h"

#include <inttypes.h>

// Scores of rows [N, F]: with coefficients [C, F] as the node lists them, and C numbers added.
static MlcValue *
linear_scores(MlcOnnxNodeImport *n, MlcValue *rows, MlcOnnxFloats coefficients, int64_t count,
              MlcOnnxFloats added)
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

static bool
import_linear_regressor(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, intercepts = {0};
    int64_t targets = 1;
    MlcOnnxPost post;
    MlcValue *rows = mlc_onnx_feature_rows(n);
    if (!rows || !mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "intercepts", &intercepts) ||
        !mlc_onnx_read_int(n, "targets", &targets) || !mlc_onnx_read_post(n, &post))
        return false;
    MlcValue *scores = linear_scores(n, rows, coefficients, targets, intercepts);
    scores = mlc_onnx_cast(n, scores, mlc_onnx_f32(n));
    return mlc_onnx_set_result(n, mlc_onnx_post_transform(n, scores, post));
}

static bool
import_linear_classifier(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, intercepts = {0};
    MlcOnnxClasses classes = {0};
    MlcOnnxPost post;
    MlcValue *rows = mlc_onnx_feature_rows(n);
    if (!rows || !mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "intercepts", &intercepts) || !mlc_onnx_read_post(n, &post) ||
        !mlc_onnx_read_classes(n, "classlabels_ints", "classlabels_strings", &classes))
        return false;
    int64_t features = mlc_type_dim(mlc_value_type(rows), 1);
    int64_t count = features > 0 ? (int64_t)coefficients.count / features : 0;
    MlcValue *scores = linear_scores(n, rows, coefficients, count, intercepts);
    scores = mlc_onnx_cast(n, scores, mlc_onnx_f32(n));
    MlcValue *results = count == 1 && classes.count == 2
                            ? mlc_onnx_binary_scores(n, scores, true, post)
                            : mlc_onnx_post_transform(n, scores, post);
    return mlc_onnx_set_classes(n, &classes, scores, 0, results);
}

// ---- support vectors

typedef struct Kernel {
    enum { KERNEL_LINEAR, KERNEL_POLY, KERNEL_RBF, KERNEL_SIGMOID } kind;
    double gamma, offset, degree;
} Kernel;

static bool
read_kernel(MlcOnnxNodeImport *n, Kernel *kernel)
{
    static const char *const names[] = {"LINEAR", "POLY", "RBF", "SIGMOID"};
    MlcStr name = mlc_str("LINEAR");
    MlcOnnxFloats params = {0};
    if (!mlc_onnx_read_str(n, "kernel_type", &name) ||
        !mlc_onnx_read_floats(n, "kernel_params", &params))
        return false;
    size_t kind = 0;
    while (kind < 4 && !mlc_str_equal(name, mlc_str(names[kind])))
        kind++;
    if (kind == 4)
        return mlc_onnx_invalid(n, "attribute 'kernel_type' is '%.*s'", MLC_STR_FMT(name));
    if (params.count != 0 && params.count != 3)
        return mlc_onnx_invalid(n, "attribute 'kernel_params' has %zu numbers, expected 3",
                                params.count);
    *kernel = (Kernel){.kind = (int)kind};
    if (params.count == 3) {
        kernel->gamma = (double)mlc_onnx_float_at(params, 0);
        kernel->offset = (double)mlc_onnx_float_at(params, 1);
        kernel->degree = (double)mlc_onnx_float_at(params, 2);
    }
    return true;
}

// The kernel of rows [N, F] with each vector, [N, S]. Distances are |x|^2 + |v|^2 - 2 x v in f64,
// so that they are products of matrices: what cancels is below f32 while rows are shorter than 1e4
// times the distance.
static MlcValue *
kernel_values(MlcOnnxNodeImport *n, const Kernel *kernel, MlcValue *rows, MlcOnnxFloats vectors,
              int64_t count)
{
    MlcType f64 = mlc_onnx_f64(n), element = mlc_type_element(mlc_value_type(rows));
    int64_t features = mlc_type_dim(mlc_value_type(rows), 1);
    MlcOnnxFloats none = {0};
    if (kernel->kind != KERNEL_RBF) {
        MlcValue *dot = linear_scores(n, rows, vectors, count, none);
        if (kernel->kind == KERNEL_LINEAR)
            return dot;
        dot = mlc_onnx_build_with(n, &mlc_graph_mul_def, dot, kernel->gamma);
        dot = mlc_onnx_build_with(n, &mlc_graph_add_def, dot, kernel->offset);
        return kernel->kind == KERNEL_POLY
                   ? mlc_onnx_build_with(n, &mlc_graph_pow_def, dot, kernel->degree)
                   : mlc_onnx_build_one(n, &mlc_graph_tanh_def, dot);
    }
    MlcValue *wide = mlc_onnx_cast(n, rows, f64);
    MlcValue *dot = linear_scores(n, wide, vectors, count, none);
    if (!dot)
        return NULL;
    double *squares = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        squares[i] = 0;
        for (int64_t k = 0; k < features; k++) {
            double v = (double)mlc_onnx_float_at(vectors, (size_t)(i * features + k));
            squares[i] += v * v;
        }
    }
    MlcValue *own = mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def,
                                         mlc_onnx_build_two(n, &mlc_graph_mul_def, wide, wide));
    MlcValue *both = mlc_onnx_build_two(n, &mlc_graph_add_def, own,
                                        mlc_onnx_build_floats(n, f64, squares, &count, 1));
    MlcValue *distance = mlc_onnx_build_two(n, &mlc_graph_sub_def, both,
                                            mlc_onnx_build_with(n, &mlc_graph_mul_def, dot, 2));
    distance = mlc_onnx_build_with(n, &mlc_graph_max_def, distance, 0);
    distance = mlc_onnx_build_with(n, &mlc_graph_mul_def, distance, -kernel->gamma);
    return mlc_onnx_build_one(n, &mlc_graph_exp_def, mlc_onnx_cast(n, distance, element));
}

static bool
import_svm_regressor(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, vectors = {0}, rho = {0};
    int64_t supports = 0, one_class = 0;
    Kernel kernel = {0};
    MlcOnnxPost post;
    MlcValue *rows = mlc_onnx_feature_rows(n);
    if (!rows || !mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "support_vectors", &vectors) ||
        !mlc_onnx_read_floats(n, "rho", &rho) || !mlc_onnx_read_int(n, "n_supports", &supports) ||
        !mlc_onnx_read_int(n, "one_class", &one_class) || !read_kernel(n, &kernel) ||
        !mlc_onnx_read_post(n, &post))
        return false;
    if (rho.count != 1)
        return mlc_onnx_invalid(n, "attribute 'rho' has %zu numbers, expected 1", rho.count);
    MlcValue *values = supports > 0 ? kernel_values(n, &kernel, rows, vectors, supports) : rows;
    MlcValue *scores = values ? linear_scores(n, values, coefficients, 1, rho) : NULL;
    scores = mlc_onnx_cast(n, scores, mlc_onnx_f32(n));
    if (scores && one_class) {
        MlcType f32 = mlc_onnx_f32(n);
        MlcValue *is_in =
            mlc_onnx_compare(n, &mlc_graph_greater_def, scores, mlc_onnx_build_number(n, f32, 0));
        scores = mlc_onnx_select(n, is_in, mlc_onnx_build_number(n, f32, 1),
                                 mlc_onnx_build_number(n, f32, -1));
    }
    return mlc_onnx_set_result(n, mlc_onnx_post_transform(n, scores, post));
}

static const MlcOnnxOperator rows[] = {
    {"LinearClassifier", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_linear_classifier},
    {"LinearRegressor", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_linear_regressor},
    {"SVMRegressor", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_svm_regressor},
};
const MlcOnnxOperators mlc_onnx_ml_linear = MLC_ONNX_OPERATORS(rows);
