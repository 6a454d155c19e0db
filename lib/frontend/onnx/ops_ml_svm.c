// ops_ml_svm.c -- ONNX operators of the domain ai.onnx.ml: support vectors.
//
// Values of the kernel are a product of matrices, and so are the scores: the coefficients of all
// pairs of classes are one matrix [vectors, pairs], zero where a vector is of neither class.
#include "ml.h"

#include <inttypes.h>

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

// The kernel of rows [N, F] with each vector, [N, S]. All in f64: coefficients of either sign add
// up to little (with a linear kernel, f32 left two digits of a model of 1,200 vectors), and
// distances are |x|^2 + |v|^2 - 2 x v, so that they are products of matrices.
static MlcValue *
kernel_values(MlcOnnxNodeImport *n, const Kernel *kernel, MlcValue *rows, MlcOnnxFloats vectors,
              int64_t count)
{
    MlcType f64 = mlc_onnx_f64(n);
    int64_t features = mlc_type_dim(mlc_value_type(rows), 1);
    MlcValue *dot = mlc_onnx_linear_scores(n, rows, vectors, count, (MlcOnnxFloats){0});
    if (!dot || kernel->kind == KERNEL_LINEAR)
        return dot;
    if (kernel->kind != KERNEL_RBF) {
        dot = mlc_onnx_build_with(n, &mlc_graph_mul_def, dot, kernel->gamma);
        dot = mlc_onnx_build_with(n, &mlc_graph_add_def, dot, kernel->offset);
        if (kernel->kind == KERNEL_POLY)
            return mlc_onnx_build_with(n, &mlc_graph_pow_def, dot, kernel->degree);
        dot = mlc_onnx_cast(n, dot, mlc_onnx_f32(n)); // of which there is a tanh
        return mlc_onnx_cast(n, mlc_onnx_build_one(n, &mlc_graph_tanh_def, dot), f64);
    }
    double *squares = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        squares[i] = 0;
        for (int64_t k = 0; k < features; k++) {
            double v = (double)mlc_onnx_float_at(vectors, (size_t)(i * features + k));
            squares[i] += v * v;
        }
    }
    MlcValue *own = mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def,
                                         mlc_onnx_build_two(n, &mlc_graph_mul_def, rows, rows));
    MlcValue *both = mlc_onnx_build_two(n, &mlc_graph_add_def, own,
                                        mlc_onnx_build_floats(n, f64, squares, &count, 1));
    MlcValue *distance = mlc_onnx_build_two(n, &mlc_graph_sub_def, both,
                                            mlc_onnx_build_with(n, &mlc_graph_mul_def, dot, 2));
    distance = mlc_onnx_build_with(n, &mlc_graph_max_def, distance, 0);
    distance = mlc_onnx_build_with(n, &mlc_graph_mul_def, distance, -kernel->gamma);
    return mlc_onnx_build_one(n, &mlc_graph_exp_def, distance);
}

static bool
import_svm_regressor(MlcOnnxNodeImport *n)
{
    MlcOnnxFloats coefficients = {0}, vectors = {0}, rho = {0};
    int64_t supports = 0, one_class = 0;
    Kernel kernel = {0};
    MlcOnnxPost post;
    if (!mlc_onnx_read_floats(n, "coefficients", &coefficients) ||
        !mlc_onnx_read_floats(n, "support_vectors", &vectors) ||
        !mlc_onnx_read_floats(n, "rho", &rho) || !mlc_onnx_read_int(n, "n_supports", &supports) ||
        !mlc_onnx_read_int(n, "one_class", &one_class) || !read_kernel(n, &kernel) ||
        !mlc_onnx_read_post(n, &post))
        return false;
    if (rho.count != 1)
        return mlc_onnx_invalid(n, "attribute 'rho' has %zu numbers, expected 1", rho.count);
    int64_t features =
        supports > 0 ? (int64_t)vectors.count / supports : (int64_t)coefficients.count;
    MlcValue *rows = mlc_onnx_cast(n, mlc_onnx_feature_rows(n, features), mlc_onnx_f64(n));
    if (!rows)
        return false;
    MlcValue *values = supports > 0 ? kernel_values(n, &kernel, rows, vectors, supports) : rows;
    MlcValue *scores = values ? mlc_onnx_linear_scores(n, values, coefficients, 1, rho) : NULL;
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

// ---- classes by pairs

typedef struct Pairs {
    int64_t classes, count; // of pairs (i, j), i < j, in the order of i, then j
} Pairs;

static int64_t
pair_of(const Pairs *pairs, int64_t i, int64_t j)
{
    return i * (2 * pairs->classes - i - 1) / 2 + j - i - 1;
}

// [vectors, pairs] of coefficients [classes - 1, vectors]: vectors of class i count for the pair
// with j by row j - 1, those of class j by row i.
static MlcValue *
pair_weights(MlcOnnxNodeImport *n, const Pairs *pairs, MlcOnnxInts sizes, MlcOnnxFloats rows,
             int64_t vectors, MlcType element)
{
    double *weights = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(vectors * pairs->count));
    for (int64_t of = 0, v = 0; of < pairs->classes; of++)
        for (int64_t end = v + sizes.items[of]; v < end; v++)
            for (int64_t other = 0; other < pairs->classes; other++) {
                if (other == of)
                    continue;
                int64_t row = other > of ? other - 1 : other;
                int64_t pair = of < other ? pair_of(pairs, of, other) : pair_of(pairs, other, of);
                weights[v * pairs->count + pair] =
                    (double)mlc_onnx_float_at(rows, (size_t)(row * vectors + v));
            }
    return mlc_onnx_build_floats(n, element, weights, (int64_t[]){vectors, pairs->count}, 2);
}

// How many pairs each class wins, [N, classes]: class i the pair (i, j) where its score is more
// than 0, else j.
static MlcValue *
count_votes(MlcOnnxNodeImport *n, const Pairs *pairs, MlcValue *scores)
{
    MlcType f32 = mlc_onnx_f32(n);
    double *sign =
        MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(pairs->count * pairs->classes));
    double *lost = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)pairs->classes);
    for (int64_t i = 0; i < pairs->classes; i++)
        for (int64_t j = i + 1; j < pairs->classes; j++) {
            int64_t pair = pair_of(pairs, i, j);
            sign[pair * pairs->classes + i] = 1;
            sign[pair * pairs->classes + j] = -1;
            lost[j]++;
        }
    MlcType element = mlc_type_element(mlc_value_type(scores));
    MlcValue *wins = mlc_onnx_cast(
        n,
        mlc_onnx_compare(n, &mlc_graph_greater_def, scores, mlc_onnx_build_number(n, element, 0)),
        f32);
    MlcValue *matrix =
        mlc_onnx_build_floats(n, f32, sign, (int64_t[]){pairs->count, pairs->classes}, 2);
    return mlc_onnx_build_two(n, &mlc_graph_add_def,
                              mlc_onnx_build_two(n, &mlc_graph_matmul_def, wins, matrix),
                              mlc_onnx_build_floats(n, f32, lost, &pairs->classes, 1));
}

// ---- probabilities of classes

// Columns of a matrix [N, columns], by constant places.
static MlcValue *
take_columns(MlcOnnxNodeImport *n, MlcValue *value, const int64_t *places, int64_t count)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", 1);
    MlcValue *at = mlc_onnx_build_ints(n, places, &count, 1);
    return value ? mlc_onnx_build(n, &mlc_graph_gather_def, (MlcValue *[]){value, at}, 2, &attrs)
                 : NULL;
}

// R [N, classes, classes], or its transpose: how likely class i is next to j, by a sigmoid of the
// pair's score; 0 for i = j.
static MlcValue *
pairwise(MlcOnnxNodeImport *n, const Pairs *pairs, MlcValue *both, bool is_transposed)
{
    int64_t c = pairs->classes;
    int64_t *places = MLC_NEW_ARRAY(&n->import->arena, int64_t, (size_t)(c * c));
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < c; j++) {
            int64_t a = is_transposed ? j : i, b = is_transposed ? i : j;
            places[i * c + j] = a < b   ? pair_of(pairs, a, b)
                                : a > b ? pairs->count + pair_of(pairs, b, a)
                                        : 2 * pairs->count;
        }
    MlcValue *flat = take_columns(n, both, places, c * c);
    return flat ? mlc_onnx_reshape(n, flat, (MlcOnnxInts){(int64_t[]){-1, c, c}, 3}, false) : NULL;
}

// Of each pair how likely i is, then j, then a column of zeros: [N, 2 pairs + 1].
static MlcValue *
pair_probabilities(MlcOnnxNodeImport *n, const Pairs *pairs, MlcValue *scores, MlcOnnxFloats a,
                   MlcOnnxFloats b)
{
    MlcType f64 = mlc_onnx_f64(n);
    int64_t count = pairs->count;
    MlcValue *x = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_cast(n, scores, f64),
                                     mlc_onnx_build_listed(n, f64, a, &count, 1));
    x = mlc_onnx_build_two(n, &mlc_graph_add_def, x, mlc_onnx_build_listed(n, f64, b, &count, 1));
    x = mlc_onnx_build_one(n, &mlc_graph_sigmoid_def, mlc_onnx_build_one(n, &mlc_graph_neg_def, x));
    x = mlc_onnx_build_with(n, &mlc_graph_max_def, x, 1e-7);
    x = mlc_onnx_build_with(n, &mlc_graph_min_def, x, 1 - 1e-7);
    if (!x)
        return NULL;
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_build_number(n, f64, 1), x);
    MlcValue *zero = mlc_onnx_build_with(n, &mlc_graph_mul_def, mlc_onnx_columns(n, x, 0, 1), 0);
    return mlc_onnx_concat(n, (MlcValue *[]){x, rest, zero}, 3, 1);
}

// The number of row i of a list of vectors that are 1 at one place.
static MlcValue *
unit(MlcOnnxNodeImport *n, int64_t i, int64_t size)
{
    double *numbers = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size);
    numbers[i] = 1;
    return mlc_onnx_build_floats(n, mlc_onnx_f64(n), numbers, &size, 1);
}

// One round of Wu, Lin and Weng, Probability Estimates for Multi-class Classification by Pairwise
// Coupling, JMLR 2004, algorithm 2: P is changed one class after the other.
static MlcValue *
coupled(MlcOnnxNodeImport *n, MlcValue *q, MlcValue *p, MlcValue *qp, MlcValue *pqp,
        int64_t classes)
{
    const MlcOpDef *add = &mlc_graph_add_def, *sub = &mlc_graph_sub_def, *mul = &mlc_graph_mul_def,
                   *div = &mlc_graph_div_def;
    for (int64_t t = 0; t < classes && pqp; t++) {
        MlcValue *row =
            mlc_onnx_slice(n, q, (MlcOnnxInts){&t, 1}, (MlcOnnxInts){(int64_t[]){t + 1}, 1},
                           (MlcOnnxInts){(int64_t[]){1}, 1}, (MlcOnnxInts){0});
        row = row ? mlc_onnx_reshape(n, row, (MlcOnnxInts){(int64_t[]){-1, classes}, 2}, false)
                  : NULL;
        MlcValue *qtt = row ? mlc_onnx_columns(n, row, t, t + 1) : NULL;
        MlcValue *qpt = mlc_onnx_columns(n, qp, t, t + 1);
        MlcValue *diff = mlc_onnx_build_two(n, div, mlc_onnx_build_two(n, sub, pqp, qpt), qtt);
        MlcValue *scale = mlc_onnx_build_with(n, add, diff, 1);
        MlcValue *more =
            mlc_onnx_build_two(n, mul, diff,
                               mlc_onnx_build_two(n, add, mlc_onnx_build_two(n, mul, diff, qtt),
                                                  mlc_onnx_build_with(n, mul, qpt, 2)));
        pqp = mlc_onnx_build_two(n, div, mlc_onnx_build_two(n, add, pqp, more),
                                 mlc_onnx_build_two(n, mul, scale, scale));
        p = mlc_onnx_build_two(n, add, p, mlc_onnx_build_two(n, mul, diff, unit(n, t, classes)));
        p = mlc_onnx_build_two(n, div, p, scale);
        qp = mlc_onnx_build_two(
            n, div, mlc_onnx_build_two(n, add, qp, mlc_onnx_build_two(n, mul, diff, row)), scale);
        if (!p || !qp)
            return NULL;
    }
    return p;
}

// The body of the loop: the next P of rows that are not good enough yet, and whether there are any.
static bool
build_round(MlcOnnxNodeImport *n, MlcValue *q, MlcValue *p, int64_t classes)
{
    const MlcOpDef *mul = &mlc_graph_mul_def;
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcOnnxAttrs last = {0}, all = {0};
    MlcValue *row = mlc_onnx_reshape(n, p, (MlcOnnxInts){(int64_t[]){-1, 1, classes}, 3}, false);
    MlcValue *products = mlc_onnx_build_two(n, mul, q, row);
    mlc_onnx_add_ints(n, &last, "axes", (MlcOnnxInts){(int64_t[]){-1}, 1});
    mlc_onnx_add_bool(n, &last, "keepdims", false);
    mlc_onnx_add_bool(n, &all, "keepdims", false);
    MlcValue *qp =
        products ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &products, 1, &last) : NULL;
    MlcValue *pqp =
        mlc_onnx_reduce_last(n, &mlc_graph_reduce_sum_def, mlc_onnx_build_two(n, mul, p, qp));
    MlcValue *error = mlc_onnx_reduce_last(
        n, &mlc_graph_reduce_max_def,
        mlc_onnx_build_one(n, &mlc_graph_abs_def,
                           mlc_onnx_build_two(n, &mlc_graph_sub_def, qp, pqp)));
    if (!error)
        return false;
    MlcValue *limit = mlc_onnx_build_number(n, mlc_onnx_f64(n), 0.005 / (double)classes);
    MlcValue *goes_on = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, error, limit);
    MlcValue *next = mlc_onnx_select(n, goes_on, coupled(n, q, p, qp, pqp, classes), p);
    MlcValue *worst = mlc_onnx_build(n, &mlc_graph_reduce_max_def, &error, 1, &all);
    MlcValue *some = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, worst, limit);
    if (!next || !some || mlc_type_element(mlc_value_type(some)) != i1)
        return false;
    MlcValue *yields[] = {some, next};
    mlc_graph_yield(&n->import->builder, yields, 2);
    return true;
}

// P [N, classes] from equal parts on, until it is within 0.005 / classes or 100 rounds have passed,
// as libsvm finds it: what it is short of the limit is part of the result.
static MlcValue *
couple(MlcOnnxNodeImport *n, MlcValue *q, MlcValue *start, int64_t classes)
{
    MlcBuilder *b = &n->import->builder;
    int64_t rounds = classes > 100 ? classes : 100;
    MlcType i64 = mlc_onnx_i64(n);
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcType args[] = {mlc_tensor_type_get(i64, NULL, 0, NULL),
                      mlc_tensor_type_get(i1, NULL, 0, NULL), mlc_value_type(start)};
    MlcValue *count = mlc_onnx_int(n, rounds);
    MlcValue *yes = mlc_onnx_build_number(n, i1, 1);
    MlcType result = mlc_unranked_tensor_type_get(mlc_onnx_f64(n));
    MlcOp *op = mlc_graph_loop(b, &result, 1, count, yes, &start, 1);
    MlcBuilder outside = *b;
    MlcBlock *block = mlc_builder_create_block(b, mlc_op_region(op, 0), args, 3);
    mlc_builder_at_end(b, block);
    bool ok = build_round(n, q, mlc_block_arg(block, 2), classes);
    *b = outside;
    if (ok && mlc_onnx_finish_control(n, op, 1))
        return mlc_op_result(op, 0);
    mlc_op_erase(op);
    return NULL;
}

static MlcValue *
class_probabilities(MlcOnnxNodeImport *n, const Pairs *pairs, MlcValue *scores, MlcOnnxFloats a,
                    MlcOnnxFloats b)
{
    MlcType f64 = mlc_onnx_f64(n);
    int64_t c = pairs->classes;
    MlcValue *both = pair_probabilities(n, pairs, scores, a, b);
    MlcValue *r = pairwise(n, pairs, both, false), *turned = pairwise(n, pairs, both, true);
    MlcValue *off = mlc_onnx_build_one(n, &mlc_graph_neg_def,
                                       mlc_onnx_build_two(n, &mlc_graph_mul_def, r, turned));
    MlcValue *diagonal = mlc_onnx_reduce_last(
        n, &mlc_graph_reduce_sum_def, mlc_onnx_build_two(n, &mlc_graph_mul_def, turned, turned));
    double *ones = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(c * c));
    for (int64_t i = 0; i < c; i++)
        ones[i * c + i] = 1;
    MlcValue *eye = mlc_onnx_build_floats(n, f64, ones, (int64_t[]){c, c}, 2);
    MlcValue *q = mlc_onnx_build_two(n, &mlc_graph_add_def, off,
                                     mlc_onnx_build_two(n, &mlc_graph_mul_def, diagonal, eye));
    // Equal parts, in the shape of the rows.
    MlcValue *start =
        diagonal ? mlc_onnx_reshape(n, diagonal, (MlcOnnxInts){(int64_t[]){-1, c}, 2}, false)
                 : NULL;
    start = mlc_onnx_build_with(n, &mlc_graph_mul_def, start, 0);
    start = mlc_onnx_build_with(n, &mlc_graph_add_def, start, 1 / (double)c);
    return q && start ? couple(n, q, start, c) : NULL;
}

// ---- the classifier

typedef struct Classifier {
    MlcOnnxFloats coefficients, vectors, rho, a, b;
    MlcOnnxInts sizes; // vectors of each class
    MlcOnnxClasses classes;
    Kernel kernel;
    MlcOnnxPost post;
    Pairs pairs;
    int64_t num_vectors;
} Classifier;

static bool
read_classifier(MlcOnnxNodeImport *n, Classifier *c)
{
    return mlc_onnx_read_floats(n, "coefficients", &c->coefficients) &&
           mlc_onnx_read_floats(n, "support_vectors", &c->vectors) &&
           mlc_onnx_read_floats(n, "rho", &c->rho) && mlc_onnx_read_floats(n, "prob_a", &c->a) &&
           mlc_onnx_read_floats(n, "prob_b", &c->b) &&
           mlc_onnx_read_ints(n, "vectors_per_class", &c->sizes) && read_kernel(n, &c->kernel) &&
           mlc_onnx_read_post(n, &c->post) &&
           mlc_onnx_read_classes(n, "classlabels_ints", "classlabels_strings", &c->classes);
}

static bool
check_classifier(MlcOnnxNodeImport *n, Classifier *c)
{
    enum { MAX_CLASSES = 256, MAX_COUPLED = 32, MAX_VECTORS = 1 << 24 };
    int64_t classes = (int64_t)c->classes.count;
    if (c->sizes.count == 0)
        return mlc_onnx_unsupported(n, "no support vectors");
    if (classes < 2 || classes > MAX_CLASSES || (c->a.count && classes > MAX_COUPLED))
        return mlc_onnx_unsupported(n, "%" PRId64 " classes", classes);
    c->pairs = (Pairs){classes, classes * (classes - 1) / 2};
    for (size_t i = 0; i < c->sizes.count; i++) {
        if (c->sizes.items[i] < 0 || c->sizes.items[i] > MAX_VECTORS - c->num_vectors)
            return mlc_onnx_invalid(n, "class %zu has %" PRId64 " support vectors", i,
                                    c->sizes.items[i]);
        c->num_vectors += c->sizes.items[i];
    }
    if ((int64_t)c->sizes.count != classes || (int64_t)c->rho.count != c->pairs.count ||
        (int64_t)c->coefficients.count != (classes - 1) * c->num_vectors)
        return mlc_onnx_invalid(n,
                                "%" PRId64 " classes, 'vectors_per_class' of %zu, %zu coefficients "
                                "and 'rho' of %zu do not fit",
                                classes, c->sizes.count, c->coefficients.count, c->rho.count);
    return (c->a.count == 0 && c->b.count == 0) ||
           ((int64_t)c->a.count == c->pairs.count && c->b.count == c->a.count) ||
           mlc_onnx_invalid(
               n, "attributes 'prob_a' and 'prob_b' have %zu and %zu numbers for %" PRId64 " pairs",
               c->a.count, c->b.count, c->pairs.count);
}

static bool
import_svm_classifier(MlcOnnxNodeImport *n)
{
    Classifier c = {0};
    MlcType f32 = mlc_onnx_f32(n), f64 = mlc_onnx_f64(n);
    if (!read_classifier(n, &c) || !check_classifier(n, &c))
        return false;
    int64_t features = c.num_vectors > 0 ? (int64_t)c.vectors.count / c.num_vectors : 0;
    MlcValue *rows = mlc_onnx_cast(n, mlc_onnx_feature_rows(n, features), f64);
    if (!rows)
        return false;
    MlcValue *values = kernel_values(n, &c.kernel, rows, c.vectors, c.num_vectors);
    MlcValue *operands[] = {values,
                            pair_weights(n, &c.pairs, c.sizes, c.coefficients, c.num_vectors, f64),
                            mlc_onnx_build_listed(n, f64, c.rho, &c.pairs.count, 1)};
    MlcValue *scores = values ? mlc_onnx_build(n, &mlc_graph_gemm_def, operands, 3, NULL) : NULL;
    MlcValue *votes = scores ? count_votes(n, &c.pairs, scores) : NULL;
    if (!votes)
        return false;
    MlcValue *given = c.a.count ? class_probabilities(n, &c.pairs, scores, c.a, c.b) : scores;
    given = mlc_onnx_cast(n, given, f32);
    MlcValue *results = c.pairs.count == 1 && !c.a.count
                            ? mlc_onnx_binary_scores(n, given, false, c.post)
                            : mlc_onnx_post_transform(n, given, c.post);
    return mlc_onnx_set_classes(n, &c.classes, votes, 0, results);
}

static const MlcOnnxOperator rows[] = {
    {"SVMClassifier", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_svm_classifier},
    {"SVMRegressor", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_svm_regressor},
};
const MlcOnnxOperators mlc_onnx_ml_svm = MLC_ONNX_OPERATORS(rows);
