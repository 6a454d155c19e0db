// linalg_winograd.c -- the transforms of Winograd convolution: their matrices, their loops, their
// meaning, and the straight line of vector arithmetic that a tile of one becomes.
#include "mlc/dialects/linalg_winograd.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/math.h"

#include "mlc/ir.h"
#include "mlc/support/strided.h"

#include <math.h>

// --- matrices

static const double input_2[] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1};
static const double filter_2[] = {1, 0, 0, .5, .5, .5, .5, -.5, .5, 0, 0, 1};
static const double output_2[] = {1, 1, 1, 0, 0, 1, -1, -1};

// The points 0, +-P, +-Q and infinity, by Toom and Cook: powers of the points in `output_4`,
// products of (x - other points) in `input_4`. P and Q are near 1 / Q and 1 / P, so that the
// corners of a filter are all as good (`mlc_winograd_gain`: 15 to 16; 12 to 19 with 3/4 and 3/2),
// and have few bits, so that all but `filter_4` is exact (docs/measurements/accuracy.md has the
// errors of other points).
#define P (11. / 16)
#define Q (23. / 16)
#define PP (P * P)
#define QQ (Q * Q)
#define F (1 / (2 * PP * (PP - QQ)))
#define G (1 / (2 * QQ * (QQ - PP)))
#define FP (F * P)
#define GQ (G * Q)
static const double input_4[] = {
    PP * QQ, 0,      -PP - QQ, 0,        1, 0, //
    0,       -P *QQ, -QQ,      P,        1, 0, //
    0,       P *QQ,  -QQ,      -P,       1, 0, //
    0,       -Q *PP, -PP,      Q,        1, 0, //
    0,       Q *PP,  -PP,      -Q,       1, 0, //
    0,       PP *QQ, 0,        -PP - QQ, 0, 1,
};
static const double filter_4[] = {
    1 / (PP * QQ), 0, 0, F, FP, FP *P, F, -FP, FP *P, G, GQ, GQ *Q, G, -GQ, GQ *Q, 0, 0, 1,
};
static const double output_4[] = {
    1, 1,     1,      1,     1,      0, //
    0, P,     -P,     Q,     -Q,     0, //
    0, PP,    PP,     QQ,    QQ,     0, //
    0, PP *P, -PP *P, QQ *Q, -QQ *Q, 1,
};

static const MlcWinograd known[] = {
    {.m = 2, .r = 3, .alpha = 4, .input = input_2, .filter = filter_2, .output = output_2},
    {.m = 4, .r = 3, .alpha = 6, .input = input_4, .filter = filter_4, .output = output_4},
};

const MlcWinograd *
mlc_winograd_find(int64_t m, int64_t r)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].m == m && known[i].r == r)
            return &known[i];
    return NULL;
}

// `to` [rows][rows] = matrix [rows][cols] * `from` [cols][cols] * its transpose.
static void
apply_both_ways(const double *matrix, size_t rows, size_t cols, const double *from, double *to)
{
    double half[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX] = {0};
    for (size_t i = 0; i < rows; i++)
        for (size_t s = 0; s < cols; s++)
            for (size_t r = 0; r < cols; r++)
                half[i * cols + s] += matrix[i * cols + r] * from[r * cols + s];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            to[i * rows + j] = 0;
            for (size_t s = 0; s < cols; s++)
                to[i * rows + j] += matrix[j * cols + s] * half[i * cols + s];
        }
}

void
mlc_winograd_filter(const MlcWinograd *w, const void *from, size_t from_stride, float *to,
                    size_t to_stride)
{
    double g[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX], u[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX];
    size_t r = (size_t)w->r, alpha = (size_t)w->alpha;
    for (size_t i = 0; i < r * r; i++)
        g[i] = (double)mlc_f32_at(from, (int64_t)(i * from_stride));
    apply_both_ways(w->filter, alpha, r, g, u);
    for (size_t i = 0; i < alpha * alpha; i++)
        to[i * to_stride] = (float)u[i];
}

double
mlc_winograd_gain(const MlcWinograd *w, const double *products)
{
    enum { MAX = MLC_WINOGRAD_MAX };
    size_t r = (size_t)w->r, taps = r * r, alpha = (size_t)w->alpha;
    double own = 0, made[MAX * MAX], input[MAX] = {0}, worst = 0;
    for (size_t t = 0; t < taps; t++)
        own += products[t * taps + t];
    for (size_t i = 0; i < alpha * alpha; i++)
        input[i / alpha] += w->input[i] * w->input[i];
    for (size_t i = 0; i < alpha * alpha; i++) { // what multiplies each tap at position i
        const double *row = w->filter + i / alpha * r, *col = w->filter + i % alpha * r;
        made[i] = 0;
        for (size_t s = 0; s < taps; s++)
            for (size_t t = 0; t < taps; t++)
                made[i] +=
                    row[s / r] * col[s % r] * row[t / r] * col[t % r] * products[s * taps + t];
        made[i] *= input[i / alpha] * input[i % alpha];
    }
    for (size_t i = 0; i < (size_t)(w->m * w->m); i++) {
        const double *row = w->output + i / (size_t)w->m * alpha,
                     *col = w->output + i % (size_t)w->m * alpha;
        double sum = 0;
        for (size_t j = 0; j < alpha * alpha; j++)
            sum += row[j / alpha] * row[j / alpha] * col[j % alpha] * col[j % alpha] * made[j];
        worst = sum > worst ? sum : worst;
    }
    return sqrt(worst / own);
}

// --- what the records do not say

static const MlcWinograd *
algorithm(MlcOp *op)
{
    return mlc_winograd_find(mlc_attr_as_int(mlc_op_attr(op, "m")),
                             mlc_attr_as_int(mlc_op_attr(op, "r")));
}

// Both image dimensions are transformed, not one alone.
static bool
is_square(MlcOp *op, size_t wide)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, wide));
    const MlcWinograd *w = algorithm(op);
    return w && mlc_type_dim(type, 0) == w->alpha && mlc_type_dim(type, 1) == w->alpha;
}

static size_t
one(MlcOp *op)
{
    (void)op;
    return 1;
}

static MlcAffineMap
map_of_results(MlcContext *ctx, unsigned num_loops, const MlcAffineExpr *results, size_t n)
{
    return mlc_affine_map_get(ctx, num_loops, 0, results, n);
}

// --- winograd_input_transform: loops i, j, tile row, tile column, n, c; r, s of the window

enum { INPUT_LOOPS = 8, OUTPUT_LOOPS = 6 };

static size_t
input_num_loops(MlcOp *op)
{
    (void)op;
    return INPUT_LOOPS;
}

static MlcIterator
input_iterator(MlcOp *op, size_t loop)
{
    (void)op;
    return loop < 6 ? MLC_ITERATOR_PARALLEL : MLC_ITERATOR_REDUCTION;
}

static MlcAffineMap
input_map(MlcOp *op, size_t operand)
{
    MlcContext *ctx = mlc_op_context(op);
    int64_t m = mlc_attr_as_int(mlc_op_attr(op, "m"));
    MlcAffineExpr d[INPUT_LOOPS];
    for (unsigned i = 0; i < INPUT_LOOPS; i++)
        d[i] = mlc_affine_dim(ctx, i);
    if (operand == 1)
        return map_of_results(ctx, INPUT_LOOPS, d, 6);
    MlcAffineExpr window[4] = {d[4], mlc_affine_add(mlc_affine_mul_const(d[2], m), d[6]),
                               mlc_affine_add(mlc_affine_mul_const(d[3], m), d[7]), d[5]};
    return map_of_results(ctx, INPUT_LOOPS, window, 4);
}

static bool
input_group(MlcOp *op, int64_t *sizes)
{
    const MlcWinograd *w = algorithm(op);
    if (!is_square(op, 1))
        return false;
    for (size_t i = 0; i < INPUT_LOOPS; i++)
        sizes[i] = i < 2 || i >= 6 ? w->alpha : 1;
    return true;
}

// --- winograd_output_transform: loops n, h, w, f; i, j of the window

static size_t
output_num_loops(MlcOp *op)
{
    (void)op;
    return OUTPUT_LOOPS;
}

static MlcIterator
output_iterator(MlcOp *op, size_t loop)
{
    (void)op;
    return loop < 4 ? MLC_ITERATOR_PARALLEL : MLC_ITERATOR_REDUCTION;
}

static MlcAffineMap
output_map(MlcOp *op, size_t operand)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcAffineExpr m = mlc_affine_constant(ctx, mlc_attr_as_int(mlc_op_attr(op, "m")));
    MlcAffineExpr d[OUTPUT_LOOPS];
    for (unsigned i = 0; i < OUTPUT_LOOPS; i++)
        d[i] = mlc_affine_dim(ctx, i);
    if (operand == 1)
        return map_of_results(ctx, OUTPUT_LOOPS, d, 4);
    MlcAffineExpr window[6] = {d[4],
                               d[5],
                               mlc_affine_binary(MLC_AFFINE_FLOORDIV, d[1], m),
                               mlc_affine_binary(MLC_AFFINE_FLOORDIV, d[2], m),
                               d[0],
                               d[3]};
    return map_of_results(ctx, OUTPUT_LOOPS, window, 6);
}

static bool
output_group(MlcOp *op, int64_t *sizes)
{
    const MlcWinograd *w = algorithm(op);
    if (!is_square(op, 0))
        return false;
    const int64_t group[OUTPUT_LOOPS] = {1, w->m, w->m, 1, w->alpha, w->alpha};
    memcpy(sizes, group, sizeof group);
    return true;
}

// --- a tile as vector arithmetic

static MlcValue *
constant_like(MlcBuilder *b, MlcValue *value, double number)
{
    MlcType type = mlc_value_type(value);
    MlcAttr attr = mlc_float_attr_get(mlc_type_element(type), number);
    return mlc_build_constant(b,
                              mlc_type_is_shaped(type) ? mlc_dense_attr_splat(type, attr) : attr);
}

// sum + factor * value; `sum` NULL: 0.
static MlcValue *
add_term(MlcBuilder *b, MlcValue *sum, double factor, MlcValue *value)
{
    if (!sum)
        return factor == 1 ? value : mlc_arith_mulf(b, value, constant_like(b, value, factor));
    if (factor == 1)
        return mlc_arith_addf(b, sum, value);
    if (factor == -1)
        return mlc_arith_subf(b, sum, value);
    return mlc_math_fma(b, value, constant_like(b, value, factor), sum);
}

// The sum of row[i] * x[i] over the columns that `take` has; those of factor 1 first, they are
// free.
static MlcValue *
emit_sum(MlcBuilder *b, const double *row, size_t cols, unsigned take, MlcValue *const *x)
{
    MlcValue *sum = NULL;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < cols; i++) {
            int kind = row[i] == 1 ? 0 : row[i] == -1 ? 1 : 2;
            if (kind == pass && row[i] != 0 && (take >> i & 1))
                sum = add_term(b, sum, row[i], x[i]);
        }
    return sum;
}

// The columns whose factor is the same in both rows: `same`; false unless the others differ in sign
// only.
static bool
rows_are_a_pair(const double *a, const double *b, size_t cols, unsigned *same, unsigned *negated)
{
    *same = *negated = 0;
    for (size_t i = 0; i < cols; i++)
        if (a[i] != 0 && a[i] == b[i])
            *same |= 1u << i;
        else if (a[i] != 0 && a[i] == -b[i])
            *negated |= 1u << i;
        else if (a[i] != 0 || b[i] != 0)
            return false;
    return *same && *negated;
}

// Whether the factors of columns c and c + 1 differ in sign only, in all rows, and both signs
// occur.
static bool
columns_are_a_pair(const double *matrix, size_t rows, size_t cols, size_t c)
{
    bool same = false, negated = false;
    for (size_t i = 0; i < rows && c + 1 < cols; i++) {
        double a = matrix[i * cols + c], b = matrix[i * cols + c + 1];
        if (a != b && a != -b)
            return false;
        same |= a != 0 && a == b;
        negated |= a != 0 && a == -b;
    }
    return same && negated;
}

// y = matrix x. Columns that go together are first turned into their sum and difference, rows that
// go together share their halves: 13 operations for B^T of F(4, 3), 10 for its A^T.
static void
emit_product(MlcBuilder *b, const double *matrix, size_t rows, size_t cols, MlcValue *const *x,
             MlcValue **y)
{
    double m[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX];
    MlcValue *v[MLC_WINOGRAD_MAX];
    memcpy(m, matrix, rows * cols * sizeof *m);
    memcpy(v, x, cols * sizeof *v);
    for (size_t c = 0; c + 1 < cols; c++) {
        if (!columns_are_a_pair(m, rows, cols, c))
            continue;
        v[c] = add_term(b, x[c], 1, x[c + 1]);
        v[c + 1] = add_term(b, x[c], -1, x[c + 1]);
        for (size_t i = 0; i < rows; i++) {
            double *pair = &m[i * cols + c], factor = pair[0];
            bool same = factor == pair[1];
            pair[0] = same ? factor : 0;
            pair[1] = same ? 0 : factor;
        }
        c++;
    }
    unsigned all = (1u << cols) - 1, same, negated;
    for (size_t i = 0; i < rows; i++) {
        const double *row = &m[i * cols];
        if (i + 1 < rows && rows_are_a_pair(row, row + cols, cols, &same, &negated)) {
            MlcValue *even = emit_sum(b, row, cols, same, v);
            MlcValue *odd = emit_sum(b, row, cols, negated, v);
            y[i] = add_term(b, even, 1, odd);
            y[++i] = add_term(b, even, -1, odd);
        } else {
            y[i] = emit_sum(b, row, cols, all, v);
        }
    }
}

// matrix * window * matrix^T, columns of the window first.
static void
emit_both_ways(MlcBuilder *b, const double *matrix, size_t rows, size_t cols, MlcReadElement read,
               void *user, MlcValue **out)
{
    MlcValue *half[MLC_WINOGRAD_MAX][MLC_WINOGRAD_MAX];
    for (size_t s = 0; s < cols; s++) {
        MlcValue *x[MLC_WINOGRAD_MAX], *y[MLC_WINOGRAD_MAX];
        for (size_t r = 0; r < cols; r++)
            x[r] = read(user, r * cols + s);
        emit_product(b, matrix, rows, cols, x, y);
        for (size_t i = 0; i < rows; i++)
            half[i][s] = y[i];
    }
    for (size_t i = 0; i < rows; i++)
        emit_product(b, matrix, rows, cols, half[i], &out[i * rows]);
}

static void
input_emit(MlcOp *op, MlcBuilder *b, MlcReadElement read, void *user, MlcValue **out)
{
    const MlcWinograd *w = algorithm(op);
    emit_both_ways(b, w->input, (size_t)w->alpha, (size_t)w->alpha, read, user, out);
}

static void
output_emit(MlcOp *op, MlcBuilder *b, MlcReadElement read, void *user, MlcValue **out)
{
    const MlcWinograd *w = algorithm(op);
    emit_both_ways(b, w->output, (size_t)w->m, (size_t)w->alpha, read, user, out);
}

const MlcTiling mlc_linalg_winograd_input_tiling = {
    .loops = {.num_loops = input_num_loops,
              .iterator = input_iterator,
              .map = input_map,
              .num_inputs = one,
              .num_outputs = one},
    .group = input_group,
    .emit = input_emit,
};

const MlcTiling mlc_linalg_winograd_output_tiling = {
    .loops = {.num_loops = output_num_loops,
              .iterator = output_iterator,
              .map = output_map,
              .num_inputs = one,
              .num_outputs = one},
    .group = output_group,
    .emit = output_emit,
};

// --- meaning

// One group: reads the window whose corner is `corner` in `from`, and writes at `place` in `to`;
// `from_dims` and `to_dims` are the two dimensions that the matrix is applied along.
typedef struct Block {
    const double *matrix;
    size_t rows, cols;
    size_t from_dims, to_dims; // the first of two neighbours
    int64_t corner[6], place[6];
} Block;

static void
eval_block(MlcEval *e, const Block *k, const MlcDatum *from, MlcDatum *to)
{
    double x[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX], y[MLC_WINOGRAD_MAX * MLC_WINOGRAD_MAX];
    int64_t at[6];
    MlcDatum element;
    for (size_t i = 0; i < k->cols * k->cols; i++) {
        memcpy(at, k->corner, sizeof at);
        at[k->from_dims] += (int64_t)(i / k->cols);
        at[k->from_dims + 1] += (int64_t)(i % k->cols);
        mlc_datum_element(e, from, (size_t)mlc_linear_index(at, from->elements.shape, from->rank),
                          &element);
        x[i] = mlc_datum_as_double(&element);
    }
    apply_both_ways(k->matrix, k->rows, k->cols, x, y);
    for (size_t i = 0; i < k->rows * k->rows; i++) {
        memcpy(at, k->place, sizeof at);
        at[k->to_dims] += (int64_t)(i / k->rows);
        at[k->to_dims + 1] += (int64_t)(i % k->rows);
        element = mlc_datum_float(element.type, y[i]);
        mlc_datum_set_element(to, (size_t)mlc_linear_index(at, to->elements.shape, to->rank),
                              &element);
    }
}

static bool
eval_start(MlcEval *e, MlcOp *op, const MlcDatum *output, MlcDatum *result)
{
    MlcType element = mlc_type_element(result->type);
    if (!algorithm(op))
        return mlc_eval_error(e, op, "is not evaluated for this m and r");
    if (!mlc_type_is(element, MLC_TYPE_FLOAT))
        return mlc_eval_error(e, op, "is evaluated on floats only");
    return mlc_eval_elements(e, op, result->type, output->elements.shape, result);
}

bool
mlc_linalg_winograd_filter_transform_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                          MlcDatum *results)
{
    const MlcWinograd *w = algorithm(op);
    if (!eval_start(e, op, &operands[1], &results[0]))
        return false;
    const int64_t *shape = operands[0].elements.shape;
    if (shape[1] != w->r || shape[2] != w->r)
        return mlc_eval_error(e, op, "is evaluated for square filters only");
    for (int64_t f = 0; f < shape[0]; f++)
        for (int64_t c = 0; c < shape[3]; c++) {
            Block k = {.matrix = w->filter,
                       .rows = (size_t)w->alpha,
                       .cols = (size_t)w->r,
                       .from_dims = 1,
                       .to_dims = 0,
                       .corner = {f, 0, 0, c},
                       .place = {0, 0, c, f}};
            eval_block(e, &k, &operands[0], &results[0]);
        }
    return true;
}

bool
mlc_linalg_winograd_input_transform_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                         MlcDatum *results)
{
    const MlcWinograd *w = algorithm(op);
    if (!eval_start(e, op, &operands[1], &results[0]))
        return false;
    const int64_t *shape = results[0].elements.shape;
    if (shape[0] != w->alpha || shape[1] != w->alpha)
        return mlc_eval_error(e, op, "is evaluated for square windows only");
    int64_t at[4] = {0};
    do {
        Block k = {.matrix = w->input,
                   .rows = (size_t)w->alpha,
                   .cols = (size_t)w->alpha,
                   .from_dims = 1,
                   .to_dims = 0,
                   .corner = {at[2], at[0] * w->m, at[1] * w->m, at[3]},
                   .place = {0, 0, at[0], at[1], at[2], at[3]}};
        eval_block(e, &k, &operands[0], &results[0]);
    } while (mlc_next_index(at, shape + 2, 4));
    return true;
}

bool
mlc_linalg_winograd_output_transform_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands,
                                          MlcDatum *results)
{
    const MlcWinograd *w = algorithm(op);
    if (!eval_start(e, op, &operands[1], &results[0]))
        return false;
    const int64_t *shape = operands[0].elements.shape;
    if (shape[0] != w->alpha || shape[1] != w->alpha)
        return mlc_eval_error(e, op, "is evaluated for square windows only");
    int64_t at[4] = {0};
    do {
        Block k = {.matrix = w->output,
                   .rows = (size_t)w->m,
                   .cols = (size_t)w->alpha,
                   .from_dims = 0,
                   .to_dims = 1,
                   .corner = {0, 0, at[0], at[1], at[2], at[3]},
                   .place = {at[2], at[0] * w->m, at[1] * w->m, at[3]}};
        eval_block(e, &k, &operands[0], &results[0]);
    } while (mlc_next_index(at, shape + 2, 4));
    return true;
}
