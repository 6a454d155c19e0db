// linalg_strassen.c -- matrix products with 7 multiplications instead of 8.
//
// Strassen's algorithm in Winograd's form, one level: rows, inner dimension and columns are halved,
// and
//
//   P1 = A11 B11                P2 = A12 B21           C11 = P1 + P2
//   P3 = S4 B22                 P4 = A22 T4            C12 = U2 + P5 + P3
//   P5 = S1 T1                  P6 = S2 T2             C21 = U3 - P4
//   P7 = S3 T3                  U2 = P1 + P6           C22 = U3 + P5
//                               U3 = U2 + P7
//   S1 = A21 + A22    S2 = S1 - A11     S3 = A11 - A21    S4 = A12 - S2
//   T1 = B12 - B11    T2 = B22 - T1     T3 = B22 - B12    T4 = T2 - B21
//
// (Strassen 1969; Winograd 1971, in the naming of Higham, "Accuracy and Stability of Numerical
// Algorithms", 23.1.) The sums of B are made here where it is a constant for all callers, else at
// the start of the kernel, as packed panels both. The sums of A are made before a loop over pairs
// of panels of B, one panel from each half of the columns; so halves of the columns are every other
// panel. In the loop all seven products of a pair are computed, one after the other, each on all
// rows of a block: what they leave for each other are panels of the result, which the second cache
// holds. What follows the product is done to each quarter in registers. Halves of an odd number of
// rows share the row in the middle, which is computed twice; so do halves of the columns that are
// left behind the last pair, where B is no constant. (A constant is filled up with zeros.) Where it
// is none, a long inner dimension is cut into products that add to each other, so that panels stay
// in the second cache and the sums of B take a bounded room.
//
// An error is bounded by the largest elements of both sides, not by a row's and a column's own:
// each row is added to one of the other half, and what is large or no number there is left behind
// when it is subtracted again (Higham, 23.2.2). So only a module with `mlc.numerics = "fast"` is
// changed.
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"
#include "schedule.h"
#include "windows.h"

#include "mlc/ir.h"
#include "mlc/passes/numerics.h"
#include "mlc/support/strided.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

enum { PRODUCTS = 7, QUADRANTS = 4 };

// The products in the order of use, and what they multiply, as factors of the quadrants 11, 12, 21,
// 22 of either side.
enum { P1, P2, P6, P5, P3, P7, MINUS_P4 };
static const signed char of_activations[PRODUCTS][QUADRANTS] = {
    {1, 0, 0, 0},   {0, 1, 0, 0},  {-1, 0, 1, 1}, {0, 0, 1, 1},
    {1, 1, -1, -1}, {1, 0, -1, 0}, {0, 0, 0, 1},
};
static const signed char of_weights[PRODUCTS][QUADRANTS] = {
    {1, 0, 0, 0}, {0, 0, 1, 0},  {1, -1, 0, 1},  {-1, 1, 0, 0},
    {0, 0, 0, 1}, {0, -1, 0, 1}, {-1, 1, 1, -1},
};

typedef struct Product {
    MlcOp *op;
    MlcOp *tail; // the element-wise op that alone reads it, or NULL
    int64_t rows, inner, cols;
    int64_t block; // rows that are halved at a time; of two blocks the last may have one less
    int64_t half_inner, panel;
    MlcValue *matrix; // the right side, [inner, cols]
    bool is_constant; // for all callers: an argument that nothing else uses
} Product;

// Panels that are multiplied together: the columns from cols[0] and from cols[1] on. Of `panel`
// columns that products compute, the result has widths[0] and widths[1].
typedef struct Pair {
    MlcValue *weights; // [pairs, PRODUCTS, half_inner, panel]
    MlcAffineExpr number, cols[2];
    int64_t panel, widths[2];
} Pair;

typedef struct Rewriter {
    MlcContext *ctx;
    MlcBuilder b;
    MlcIndexValues indices;
    Product p;
    MlcValue *weights;         // of all pairs, but what `last` has if it is not NULL
    MlcValue *last;            // of the columns behind the last whole pair
    MlcAffineExpr tops[2];     // first row of either half of the present block
    int64_t half_rows;         // of the block
    MlcValue *parts[PRODUCTS]; // of the activations, [half_rows, half_inner]
} Rewriter;

// ---- which ops

static bool
map_is(MlcAffineMap map, int first, int second)
{
    return mlc_affine_map_num_results(map) == 2 && mlc_map_result_dim(map, 0) == first &&
           mlc_map_result_dim(map, 1) == second;
}

// out[m, n] += a[m, k] * b[k, n]
static bool
has_maps_of_product(MlcOp *op)
{
    MlcAffineMap out = mlc_structured_map(op, 2);
    if (mlc_structured_num_loops(op) != 3 || mlc_affine_map_num_results(out) != 2)
        return false;
    int m = mlc_map_result_dim(out, 0), n = mlc_map_result_dim(out, 1), k = 3 - m - n;
    return m >= 0 && n >= 0 && map_is(mlc_structured_map(op, 0), m, k) &&
           map_is(mlc_structured_map(op, 1), k, n);
}

static bool
all_f32(MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcType element = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
        if (!mlc_type_is(element, MLC_TYPE_FLOAT) || mlc_type_bit_width(element) != 32)
            return false;
    }
    return true;
}

// The op whose tiles can be cut as those of the product are.
static MlcOp *
find_tail(MlcOp *op)
{
    MlcValue *value = mlc_op_result(op, 0);
    MlcOp *user = mlc_value_has_one_use(value) ? mlc_use_owner(mlc_value_first_use(value)) : NULL;
    if (!user || !mlc_op_is_static_structured(user) || !mlc_structured_is_elementwise(user) ||
        mlc_structured_uses_index(user) || mlc_structured_num_loops(user) != 2)
        return NULL;
    size_t at = mlc_use_index(mlc_value_first_use(value)), out = mlc_structured_num_inputs(user);
    if (at == out || !map_is(mlc_structured_map(user, at), 0, 1) ||
        !map_is(mlc_structured_map(user, out), 0, 1))
        return NULL;
    for (size_t i = 0; i <= out; i++)
        if (!mlc_affine_map_is_projected_permutation(mlc_structured_map(user, i), false))
            return NULL;
    return user;
}

// How much longer `cores` take than their share, with `chunks` to be shared out.
static double
imbalance(int64_t chunks, const MlcTargetDesc *target)
{
    int64_t cores = target->cores, rounds = mlc_ceil_div(chunks, cores);
    return (double)(rounds * cores) / (double)chunks;
}

// A block for each core, if they can be even or there are two: so a thread reads what it wrote
// itself (mlc_row_shares). Else all rows, unless the parts of the activations would then leave the
// caches between their uses: blocks of even length that the cores can share, if there are any.
static int64_t
rows_of_block(int64_t rows, const MlcTargetDesc *target)
{
    enum { LEAST = 96, MOST = 256 };
    int64_t best = MOST, shares = mlc_row_shares(rows, target);
    double least = imbalance((rows + MOST - 1) / MOST, target) + 1;
    if (rows <= MOST)
        return rows % shares == 0 || shares == 2 ? mlc_ceil_div(rows, shares) : rows;
    for (int64_t block = MOST; block >= LEAST; block -= 2)
        if (rows % block == 0 && imbalance(rows / block, target) < least) {
            best = block;
            least = imbalance(rows / block, target);
        }
    return best;
}

// ---- sizes

static int64_t
num_pairs(const Product *p)
{
    return (p->cols + 2 * p->panel - 1) / (2 * p->panel);
}

// What a product computes of the columns: half of them, filled up.
static int64_t
half_cols(const Product *p, int64_t lanes)
{
    int64_t step = 2 * p->panel, rest = p->cols % step;
    return p->is_constant ? p->panel * num_pairs(p)
                          : p->cols / step * p->panel + mlc_ceil_div(rest, 2 * lanes) * lanes;
}

static double
bytes_of_weights(const Product *p)
{
    return PRODUCTS * (double)sizeof(float) * (double)(p->half_inner * half_cols(p, 1));
}

static void
set_inner(Product *p, int64_t inner, const MlcTargetDesc *target)
{
    p->inner = inner;
    p->half_inner = inner / 2;
    p->panel = mlc_panel_vectors(p->half_inner, target) * mlc_vector_length(p->op, target);
}

// Of a matrix that is no constant: as many steps of the inner dimension as let a wide panel stay in
// the second cache, and the sums take no more than MOST_BYTES.
static int64_t
inner_of_part(Product *p, int64_t inner, const MlcTargetDesc *target)
{
    enum { PART_MULTIPLE = 16, MOST_BYTES = 1 << 25 };
    set_inner(p, 2, target); // of which a row of panels has a row of each product
    int64_t row = p->panel * (int64_t)sizeof(float), rows = (int64_t)bytes_of_weights(p),
            most = mlc_target_resident_bytes(target) / row, half = inner / 2;
    most = rows * most > MOST_BYTES ? MOST_BYTES / rows : most;
    int64_t parts = most > 0 ? mlc_ceil_div(half, most) : half;
    return 2 * (mlc_ceil_div(half, parts * PART_MULTIPLE) * PART_MULTIPLE);
}

// ---- which ops

// The argument that `value` is, or is made of.
static MlcValue *
source_of(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return def && mlc_op_num_operands(def) == 1 ? mlc_op_operand(def, 0) : value;
}

// An argument that only the product reads and for which all callers pass constants.
static bool
is_constant(MlcOp *module, MlcOp *function, MlcValue *value)
{
    MlcKernelCalls calls = {0};
    bool found = !mlc_value_def(value) && mlc_value_has_one_use(value) &&
                 mlc_value_block(value) == mlc_region_first(mlc_op_region(function, 0)) &&
                 mlc_kernel_calls(module, function, mlc_value_index(value), &calls);
    mlc_vec_release(&calls);
    return found;
}

static bool
match(MlcPass *pass, MlcOp *op, MlcOp *module, MlcOp *function, Product *p)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    int64_t block = mlc_pass_option_int(pass, "block");
    if (!has_maps_of_product(op) || !all_f32(op))
        return false;
    MlcValue *source = source_of(mlc_op_operand(op, 1));
    if (!mlc_value_def(source) &&
        mlc_value_block(source) == mlc_region_first(mlc_op_region(function, 0)))
        mlc_kernel_absorb_reshape(module, function, mlc_value_index(source));
    MlcValue *weights = mlc_op_operand(op, 1);
    MlcType lhs = mlc_value_type(mlc_op_operand(op, 0)), rhs = mlc_value_type(weights);
    *p = (Product){.op = op,
                   .tail = find_tail(op),
                   .rows = mlc_type_dim(lhs, 0),
                   .cols = mlc_type_dim(rhs, 1),
                   .matrix = weights,
                   .is_constant = is_constant(module, function, weights)};
    p->block = block > 0 && block < p->rows ? block : rows_of_block(p->rows, target);
    int64_t inner = mlc_type_dim(lhs, 1), part = 2 * (mlc_pass_option_int(pass, "inner") / 2);
    if (!p->is_constant && part <= 0)
        part = inner_of_part(p, inner, target);
    set_inner(p, p->is_constant || part > inner ? inner : part, target);
    return p->rows > 1 && inner % 2 == 0 && p->cols > p->panel;
}

// ---- what it costs

enum { LOADS_AND_STORES = 21 }; // of the sums of four quadrants, one after the other

// Cycles of all cores together.
static double
cycles_direct(const Product *p, const MlcTargetDesc *target)
{
    double weights = (double)(p->inner * p->cols);
    bool by_rows = 4 * weights <= (double)mlc_target_resident_bytes(target);
    return mlc_product_cycles((double)p->rows * weights, 4 * weights, target) *
           (by_rows ? 1 : imbalance(mlc_ceil_div(p->cols, p->panel), target));
}

// What the sums of a matrix that is no constant take, before the products.
static double
cycles_of_weights(const Product *p, const MlcTargetDesc *target)
{
    double lanes = target->vector_bits / 32., quadrant = (double)(p->inner * p->cols) / QUADRANTS,
           moved = sizeof(float) * quadrant * (QUADRANTS + PRODUCTS);
    unsigned rate = bytes_of_weights(p) > (double)target->l3_bytes ? target->memory_bandwidth
                                                                   : target->l3_bandwidth;
    double work = quadrant / lanes * LOADS_AND_STORES, wait = moved / rate;
    return p->is_constant ? 0 : work > wait ? work : wait;
}

static double
cycles_strassen(const Product *p, const MlcTargetDesc *target)
{
    double lanes = target->vector_bits / 32., half_rows = (double)((p->rows + 1) / 2);
    int64_t pairs = num_pairs(p), cols = half_cols(p, target->vector_bits / 32);
    int64_t blocks = mlc_ceil_div(p->rows, p->block);
    double weights = PRODUCTS * (double)(p->half_inner * cols);
    // Loads and stores of vectors: quadrants to parts, and what products leave for each other.
    double sums = half_rows * (double)p->half_inner / lanes * LOADS_AND_STORES +
                  half_rows * (double)cols / lanes * 16;
    return (mlc_product_cycles(half_rows * weights, 4 * weights, target) + sums) *
               imbalance(blocks > 1 ? blocks : pairs, target) +
           cycles_of_weights(p, target);
}

// ---- the weights

// `n` columns of a row of each half of the constant side, `left` and `right` being neighbouring
// panels of the upper half: what the products multiply, in the order of use, `stride` apart.
static void
sum_weights(const void *left, const void *right, int64_t lower, int64_t n, float *out,
            int64_t stride)
{
    for (int64_t c = 0; c < n; c++) {
        float b11 = mlc_f32_at(left, c), b12 = mlc_f32_at(right, c),
              b21 = mlc_f32_at(left, c + lower), b22 = mlc_f32_at(right, c + lower);
        double t1 = (double)b12 - (double)b11, t2 = (double)b22 - t1;
        out[c + P1 * stride] = b11;
        out[c + P2 * stride] = b21;
        out[c + P6 * stride] = (float)t2;
        out[c + P5 * stride] = (float)t1;
        out[c + P3 * stride] = b22;
        out[c + P7 * stride] = (float)((double)b22 - (double)b12);
        out[c + MINUS_P4 * stride] = (float)((double)b21 - t2);
    }
}

// The same of a pair that is not all there: columns that are missing are zero.
static void
sum_last_weights(const void *row, int64_t lower, int64_t cols, int64_t panel, float *out,
                 int64_t stride)
{
    for (int64_t c = 0; c < panel; c++) {
        float b[QUADRANTS] = {0};
        for (int64_t half = 0; half < 2; half++)
            if (half * panel + c < cols) {
                b[half] = mlc_f32_at(row, half * panel + c);
                b[half + 2] = mlc_f32_at(row, half * panel + c + lower);
            }
        sum_weights(&b[0], &b[1], 2, 1, out + c, stride);
    }
}

// [inner, cols] to [pairs, PRODUCTS, half_inner, panel].
static void
sum_elements(void *data, const void *elements, bool is_splat, const void *recipe)
{
    const Product *p = recipe;
    const char *from = elements;
    int64_t step = 2 * p->panel, pairs = num_pairs(p);
    float *whole = NULL;
    if (is_splat) {
        whole = mlc_malloc((size_t)(p->inner * p->cols) * sizeof *whole);
        for (int64_t i = 0; i < p->inner * p->cols; i++)
            whole[i] = mlc_f32_at(elements, 0);
        from = (const char *)whole;
    }
    int64_t lower = p->half_inner * p->cols;
    int64_t stride = p->half_inner * p->panel;
    for (int64_t pair = 0; pair < pairs; pair++)
        for (int64_t k = 0; k < p->half_inner; k++) {
            const char *row = from + (k * p->cols + pair * step) * (int64_t)sizeof(float);
            float *out = (float *)data + pair * PRODUCTS * stride + k * p->panel;
            if ((pair + 1) * step <= p->cols)
                sum_weights(row, row + p->panel * (int64_t)sizeof(float), lower, p->panel, out,
                            stride);
            else
                sum_last_weights(row, lower, p->cols - pair * step, p->panel, out, stride);
        }
    mlc_free(whole);
}

static MlcAttr
transform_weights(MlcValue *value, void *user)
{
    const Product *whole = user;
    Product p = {.inner = whole->inner,
                 .cols = whole->cols,
                 .half_inner = whole->half_inner,
                 .panel = whole->panel};
    int64_t shape[4] = {num_pairs(&p), PRODUCTS, p.half_inner, p.panel};
    MlcType to = mlc_tensor_type_get(mlc_type_element(mlc_value_type(value)), shape, 4, NULL);
    return mlc_kernel_constant_remade(value, to, ".strassen", sum_elements, &p, sizeof p);
}

// ---- the rewrite

static MlcType
matrix(Rewriter *r, int64_t rows, int64_t cols)
{
    MlcType element = mlc_type_element(mlc_value_type(r->p.matrix));
    return mlc_tensor_type_get(element, (int64_t[]){rows, cols}, 2, NULL);
}

static MlcWindow
window(MlcAffineExpr row, MlcAffineExpr col, int64_t rows, int64_t cols)
{
    return (MlcWindow){.rank = 2, .offsets = {row, col}, .sizes = {rows, cols}};
}

static MlcValue *
slice(Rewriter *r, MlcValue *value, const MlcWindow *w)
{
    if (mlc_window_is_whole(w, mlc_value_type(value)))
        return value;
    MlcType type =
        mlc_tensor_type_get(mlc_type_element(mlc_value_type(value)), w->sizes, w->rank, NULL);
    return mlc_window_extract(&r->b, &r->indices, value, w, type);
}

// The sum of factors[i] * values[i], those of factor 0 left out, as `output`.
static MlcValue *
build_sum(Rewriter *r, MlcValue *const *values, const signed char *factors, size_t n,
          MlcValue *output)
{
    enum { MOST = 4 };
    MlcValue *inputs[MOST];
    MlcAffineMap maps[MOST + 1], map = mlc_affine_map_identity(r->ctx, 2);
    static const MlcIterator iterators[2] = {MLC_ITERATOR_PARALLEL, MLC_ITERATOR_PARALLEL};
    signed char signs[MOST];
    size_t count = 0;
    for (int sign = 1; sign >= -1; sign -= 2) // what is added comes first
        for (size_t i = 0; i < n; i++)
            if (factors[i] == sign) {
                signs[count] = factors[i];
                inputs[count++] = values[i];
            }
    for (size_t i = 0; i <= count; i++)
        maps[i] = map;
    MlcOp *op = mlc_build_open_generic(&r->b, inputs, count, output, maps, iterators, 2);
    MlcBuilder inside = r->b;
    mlc_builder_at_end(&inside, mlc_region_first(mlc_op_region(op, 0)));
    MlcValue *sum = mlc_block_arg(inside.block, 0);
    for (size_t i = 1; i < count; i++) {
        MlcValue *part = mlc_block_arg(inside.block, i);
        sum =
            signs[i] > 0 ? mlc_arith_addf(&inside, sum, part) : mlc_arith_subf(&inside, sum, part);
    }
    mlc_linalg_yield(&inside, &sum, 1);
    return mlc_op_result(op, 0);
}

// Rows of sums that are made at a time: of all seven, so that quadrants are in the first cache.
static int64_t
rows_of_sums(int64_t rows)
{
    enum { ROWS = 16 };
    return mlc_largest_divisor(rows, rows < ROWS ? rows : ROWS);
}

// The windows of `rows` by `cols` elements of `value` at tops[0] and tops[1], lefts[0] and
// lefts[1].
static void
build_quadrants(Rewriter *r, MlcValue *value, const MlcAffineExpr *tops, const MlcAffineExpr *lefts,
                int64_t rows, int64_t cols, MlcValue **quadrants)
{
    for (size_t q = 0; q < QUADRANTS; q++) {
        MlcWindow w = window(tops[q / 2], lefts[q % 2], rows, cols);
        quadrants[q] = slice(r, value, &w);
    }
}

// The parts of the activations that the products multiply.
static void
build_parts(Rewriter *r)
{
    const Product *p = &r->p;
    MlcValue *inits[PRODUCTS], *quadrants[QUADRANTS];
    int64_t rows = rows_of_sums(r->half_rows);
    for (size_t i = 0; i < PRODUCTS; i++)
        inits[i] = mlc_build_empty(&r->b, matrix(r, r->half_rows, p->half_inner));
    MlcBuilder outside = r->b;
    MlcOp *loop = mlc_build_for(&r->b, 0, r->half_rows, rows, inits, PRODUCTS);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr row = mlc_index_values_expr(&r->indices, r->ctx, mlc_block_arg(body, 0));
    MlcAffineExpr zero = mlc_affine_constant(r->ctx, 0);
    MlcAffineExpr tops[] = {mlc_affine_add(row, r->tops[0]), mlc_affine_add(row, r->tops[1])};
    MlcAffineExpr lefts[] = {zero, mlc_affine_constant(r->ctx, p->half_inner)};
    build_quadrants(r, mlc_op_operand(p->op, 0), tops, lefts, rows, p->half_inner, quadrants);
    for (size_t i = 0; i < PRODUCTS; i++) {
        MlcWindow w = window(row, zero, rows, p->half_inner);
        MlcValue *dest = mlc_block_arg(body, i + 1);
        MlcValue *part = build_sum(r, quadrants, of_activations[i], QUADRANTS, slice(r, dest, &w));
        r->parts[i] = mlc_window_insert(&r->b, &r->indices, part, dest, &w);
    }
    mlc_scf_yield(&r->b, r->parts, PRODUCTS);
    r->b = outside;
    r->indices.block = NULL;
    for (size_t i = 0; i < PRODUCTS; i++)
        r->parts[i] = mlc_op_result(loop, i);
}

// `rows` rows from `row` on of the panel of product `i`.
static MlcWindow
window_of_panel(Rewriter *r, const Pair *pair, size_t i, MlcAffineExpr row, int64_t rows)
{
    return (MlcWindow){.rank = 4,
                       .offsets = {pair->number, mlc_affine_constant(r->ctx, (int64_t)i), row,
                                   mlc_affine_constant(r->ctx, 0)},
                       .sizes = {1, 1, rows, pair->panel}};
}

// The columns from `col` on: a whole pair, or the `cols` that are left. A constant's are as many as
// those of the others; those of another matrix overlap if they are odd.
static Pair
pair_at(Rewriter *r, MlcAffineExpr col, int64_t cols)
{
    int64_t panel = r->p.panel, step = 2 * panel, left = cols < panel ? cols : panel, start = panel;
    Pair pair = {.weights = r->weights, .panel = panel, .widths = {left, cols - left}};
    pair.number = mlc_affine_binary(MLC_AFFINE_FLOORDIV, col, mlc_affine_constant(r->ctx, step));
    if (cols < step && r->last) {
        pair.weights = r->last;
        pair.number = mlc_affine_constant(r->ctx, 0);
        pair.panel = pair.widths[0] = pair.widths[1] = (cols + 1) / 2;
        start = cols - pair.panel;
    }
    pair.cols[0] = col;
    pair.cols[1] = mlc_affine_add_const(col, start);
    return pair;
}

// What the products multiply of the pair's columns, `rows` rows of it, put into its panels in
// `dest`.
static MlcValue *
build_rows_of_pair(Rewriter *r, const Pair *pair, MlcAffineExpr row, int64_t rows, MlcValue *dest)
{
    MlcValue *quadrants[QUADRANTS];
    MlcAffineExpr tops[] = {row, mlc_affine_add_const(row, r->p.half_inner)};
    build_quadrants(r, r->p.matrix, tops, pair->cols, rows, pair->panel, quadrants);
    for (size_t i = 0; i < PRODUCTS; i++) {
        MlcWindow w = window_of_panel(r, pair, i, row, rows);
        MlcValue *place =
            mlc_window_extract(&r->b, &r->indices, dest, &w, matrix(r, rows, pair->panel));
        MlcValue *sum = build_sum(r, quadrants, of_weights[i], QUADRANTS, place);
        dest = mlc_window_insert(&r->b, &r->indices, sum, dest, &w);
    }
    return dest;
}

// The panels of `pairs` pairs of `cols` columns from column `first` on, in `dest`: all of some rows
// before the next ones, which lie in other pages.
static MlcValue *
build_panels(Rewriter *r, int64_t first, int64_t cols, int64_t pairs, MlcValue *dest)
{
    int64_t rows = rows_of_sums(r->p.half_inner);
    MlcBuilder outside = r->b;
    MlcOp *outer = mlc_build_for(&r->b, 0, r->p.half_inner, rows, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(outer, 0));
    MlcAffineExpr row = mlc_index_values_expr(&r->indices, r->ctx, mlc_block_arg(body, 0));
    MlcBuilder between = r->b;
    dest = mlc_block_arg(body, 1);
    MlcOp *inner = mlc_build_for(&r->b, 0, pairs, 1, &dest, 1);
    body = mlc_region_first(mlc_op_region(inner, 0));
    MlcAffineExpr number = mlc_index_values_expr(&r->indices, r->ctx, mlc_block_arg(body, 0));
    Pair pair = pair_at(r, mlc_affine_add_const(mlc_affine_mul_const(number, cols), first), cols);
    dest = build_rows_of_pair(r, &pair, row, rows, mlc_block_arg(body, 1));
    mlc_scf_yield(&r->b, &dest, 1);
    r->b = between;
    dest = mlc_op_result(inner, 0);
    mlc_scf_yield(&r->b, &dest, 1);
    r->b = outside;
    r->indices.block = NULL;
    return mlc_op_result(outer, 0);
}

static MlcValue *
build_empty_panels(Rewriter *r, int64_t pairs, int64_t panel)
{
    MlcType element = mlc_type_element(mlc_value_type(r->p.matrix));
    int64_t shape[] = {pairs, PRODUCTS, r->p.half_inner, panel};
    return mlc_build_empty(&r->b, mlc_tensor_type_get(element, shape, 4, NULL));
}

// The panels of a matrix that is no constant: whole pairs, and one of the columns that are left.
static void
build_weights(Rewriter *r)
{
    const Product *p = &r->p;
    int64_t step = 2 * p->panel, pairs = p->cols / step, rest = p->cols % step;
    if (pairs)
        r->weights = build_panels(r, 0, step, pairs, build_empty_panels(r, pairs, p->panel));
    if (rest) {
        r->last = build_empty_panels(r, 1, (rest + 1) / 2);
        r->last = build_panels(r, pairs * step, rest, 1, r->last);
    }
}

// init + parts[i] * the panel of product i of the pair; `init` NULL: 0.
static MlcValue *
build_product(Rewriter *r, size_t i, const Pair *pair, MlcValue *init)
{
    const Product *p = &r->p;
    MlcWindow w = window_of_panel(r, pair, i, mlc_affine_constant(r->ctx, 0), p->half_inner);
    MlcType type = matrix(r, r->half_rows, pair->panel);
    MlcValue *panel = mlc_window_extract(&r->b, &r->indices, pair->weights, &w,
                                         matrix(r, p->half_inner, pair->panel));
    if (!init)
        init = mlc_build_copy(&r->b, NULL, mlc_build_float(&r->b, mlc_type_element(type), 0),
                              mlc_build_empty(&r->b, type));
    MlcOp *op = mlc_builder_insert(&r->b, mlc_op_clone(p->op, NULL));
    mlc_op_set_operand(op, 0, r->parts[i]);
    mlc_op_set_operand(op, 1, panel);
    mlc_op_set_operand(op, 2, init);
    mlc_value_set_type(mlc_op_result(op, 0), type);
    return mlc_op_result(op, 0);
}

// The element-wise `op` on the window `w` of its result, which becomes `dest`; `from` stands for
// what it reads of the product.
static MlcValue *
build_window(Rewriter *r, MlcOp *op, const MlcWindow *w, MlcValue *from, MlcValue *dest)
{
    size_t out = mlc_structured_num_inputs(op);
    MlcValue *operands[MLC_SMALL_RANK * 2];
    for (size_t i = 0; i <= out; i++) {
        MlcValue *value = mlc_op_operand(op, i);
        MlcWindow part;
        operands[i] = i == out ? dest : value;
        if (i == out || !mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR))
            continue;
        mlc_window_of_operand(mlc_structured_map(op, i), w, &part);
        operands[i] = value == mlc_op_result(r->p.op, 0) ? from : slice(r, value, &part);
    }
    MlcOp *clone = mlc_builder_insert(&r->b, mlc_op_clone(op, NULL));
    for (size_t i = 0; i <= out; i++)
        mlc_op_set_operand(clone, i, operands[i]);
    mlc_value_set_type(mlc_op_result(clone, 0), mlc_value_type(dest));
    return mlc_op_result(clone, 0);
}

// What the product starts from, in the window `w`.
static MlcValue *
build_init(Rewriter *r, const MlcWindow *w)
{
    MlcValue *init = mlc_op_operand(r->p.op, 2);
    MlcOp *def = mlc_value_def(init);
    bool is_cheap = def && mlc_op_is_static_structured(def) && mlc_structured_is_elementwise(def) &&
                    !mlc_structured_uses_index(def);
    MlcType type = matrix(r, w->sizes[0], w->sizes[1]);
    return is_cheap ? build_window(r, def, w, NULL, mlc_build_empty(&r->b, type))
                    : slice(r, init, w);
}

// Puts the sum of `values`, as many columns as are there, into quadrant `q` of the pair.
static MlcValue *
put_quadrant(Rewriter *r, size_t q, const Pair *pair, MlcValue *const *values, size_t n,
             MlcValue *dest)
{
    static const signed char factors[4] = {1, 1, 1, 1};
    const Product *p = &r->p;
    int64_t cols = pair->widths[q % 2];
    MlcAffineExpr zero = mlc_affine_constant(r->ctx, 0);
    MlcWindow w = window(r->tops[q / 2], pair->cols[q % 2], r->half_rows, cols);
    MlcWindow first = window(zero, zero, r->half_rows, cols);
    MlcValue *terms[4];
    for (size_t i = 0; i < n; i++)
        terms[i] = slice(r, values[i], &first);
    if (!mlc_value_is_zero(mlc_op_operand(p->op, 2)))
        terms[n++] = build_init(r, &w);
    MlcType type = matrix(r, r->half_rows, cols);
    MlcValue *place = slice(r, dest, &w);
    MlcValue *value =
        build_sum(r, terms, factors, n, p->tail ? mlc_build_empty(&r->b, type) : place);
    if (p->tail)
        value = build_window(r, p->tail, &w, value, place);
    return mlc_window_insert(&r->b, &r->indices, value, dest, &w);
}

// U2 and U3 take the place of P1 when nobody needs it any more.
static MlcValue *
build_pair(Rewriter *r, const Pair *pair, MlcValue *dest)
{
    bool right = pair->widths[1] > 0;
    MlcValue *terms[3];
    MlcValue *p1 = build_product(r, P1, pair, NULL);
    terms[0] = build_product(r, P2, pair, NULL);
    terms[1] = p1;
    dest = put_quadrant(r, 0, pair, terms, 2, dest);
    MlcValue *u2 = build_product(r, P6, pair, p1);
    MlcValue *p5 = right ? build_product(r, P5, pair, NULL) : NULL;
    if (right) {
        terms[0] = build_product(r, P3, pair, NULL);
        terms[1] = u2;
        terms[2] = p5;
        dest = put_quadrant(r, 1, pair, terms, 3, dest);
    }
    MlcValue *u3 = build_product(r, P7, pair, u2);
    terms[1] = u3;
    if (right) {
        terms[0] = p5;
        dest = put_quadrant(r, 3, pair, terms, 2, dest);
    }
    terms[0] = build_product(r, MINUS_P4, pair, NULL);
    return put_quadrant(r, 2, pair, terms, 2, dest);
}

// A block of `rows` rows whose halves begin at r->tops.
static MlcValue *
build_block(Rewriter *r, int64_t rows, MlcValue *dest)
{
    const Product *p = &r->p;
    int64_t step = 2 * p->panel, main = p->cols / step * step;
    r->half_rows = (rows + 1) / 2;
    build_parts(r);
    if (main) {
        MlcBuilder outside = r->b;
        MlcOp *loop = mlc_build_for(&r->b, 0, main, step, &dest, 1);
        MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
        MlcAffineExpr col = mlc_index_values_expr(&r->indices, r->ctx, mlc_block_arg(body, 0));
        Pair pair = pair_at(r, col, step);
        MlcValue *inner = build_pair(r, &pair, mlc_block_arg(body, 1));
        mlc_scf_yield(&r->b, &inner, 1);
        r->b = outside;
        r->indices.block = NULL;
        dest = mlc_op_result(loop, 0);
    }
    if (main < p->cols) {
        Pair pair = pair_at(r, mlc_affine_constant(r->ctx, main), p->cols - main);
        dest = build_pair(r, &pair, dest);
    }
    return dest;
}

// The `rows` rows from row `first` on, which are no whole block, or all.
static MlcValue *
build_rest(Rewriter *r, int64_t first, int64_t rows, MlcValue *dest)
{
    r->tops[0] = mlc_affine_constant(r->ctx, first);
    r->tops[1] = mlc_affine_constant(r->ctx, first + rows - (rows + 1) / 2);
    return build_block(r, rows, dest);
}

// A loop over `blocks` blocks, which lack so many rows: the lower half of the second one begins
// earlier then.
static MlcValue *
build_blocks(Rewriter *r, int64_t blocks, int64_t missing, MlcValue *dest)
{
    int64_t size = r->p.block;
    MlcBuilder outside = r->b;
    MlcOp *loop = mlc_build_for(&r->b, 0, blocks, 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr number = mlc_index_values_expr(&r->indices, r->ctx, mlc_block_arg(body, 0));
    r->tops[0] = mlc_affine_mul_const(number, size);
    r->tops[1] =
        mlc_affine_add_const(mlc_affine_mul_const(number, size - missing), size - (size + 1) / 2);
    MlcValue *inner = build_block(r, size, mlc_block_arg(body, 1));
    mlc_scf_yield(&r->b, &inner, 1);
    r->b = outside;
    r->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

static void
rewrite(Rewriter *r)
{
    const Product *p = &r->p;
    MlcOp *last = p->tail ? p->tail : p->op;
    int64_t missing = 2 * p->block - p->rows == 1, blocks = (p->rows + missing) / p->block,
            rest = p->rows + missing - blocks * p->block;
    mlc_builder_init(&r->b, r->ctx);
    mlc_builder_before(&r->b, last);
    if (!p->is_constant)
        build_weights(r);
    MlcValue *dest = mlc_build_empty(&r->b, matrix(r, p->rows, p->cols));
    dest = blocks > 1 ? build_blocks(r, blocks, missing, dest) : build_rest(r, 0, p->block, dest);
    if (rest > 0)
        dest = build_rest(r, p->rows - rest, rest, dest);
    mlc_op_replace(last, &dest, 1);
    if (p->tail)
        mlc_op_erase(p->op);
}

// A product of a constant matrix, made of it for all callers.
static void
rewrite_constant(Rewriter *r, MlcOp *module, MlcOp *function)
{
    MlcKernelCalls calls = {0};
    size_t arg = mlc_value_index(r->p.matrix);
    (void)mlc_kernel_calls(module, function, arg, &calls);
    r->weights = mlc_kernel_remake_argument(function, arg, &calls, transform_weights, &r->p);
    rewrite(r);
    mlc_block_erase_arg(mlc_region_first(mlc_op_region(function, 0)), arg + 1);
    mlc_vec_release(&calls);
}

// `inner` steps of the product from `start` on, added to `init`, as a product of its own.
static MlcOp *
cut_part(Rewriter *r, MlcOp *op, int64_t start, int64_t inner, MlcValue *init)
{
    MlcAffineExpr zero = mlc_affine_constant(r->ctx, 0), at = mlc_affine_constant(r->ctx, start);
    MlcWindow left = window(zero, at, r->p.rows, inner), right = window(at, zero, inner, r->p.cols);
    MlcValue *operands[] = {slice(r, mlc_op_operand(op, 0), &left),
                            slice(r, mlc_op_operand(op, 1), &right), init};
    MlcOp *part = mlc_builder_insert(&r->b, mlc_op_clone(op, NULL));
    for (size_t i = 0; i < 3; i++)
        mlc_op_set_operand(part, i, operands[i]);
    return part;
}

// A product of a matrix that is no constant, or several that make it up. The last one takes its
// place.
static void
rewrite_parts(Rewriter *r, const MlcTargetDesc *target)
{
    MlcOp *op = r->p.op;
    MlcValue *sum = mlc_op_operand(op, 2);
    MlcOpVec parts = {0};
    int64_t inner = mlc_type_dim(mlc_value_type(r->p.matrix), 0);
    mlc_builder_init(&r->b, r->ctx);
    mlc_builder_before(&r->b, op);
    for (int64_t start = 0; start < inner; start += r->p.inner) {
        int64_t end = start + r->p.inner < inner ? start + r->p.inner : inner;
        mlc_vec_push(&parts, cut_part(r, op, start, end - start, sum));
        sum = mlc_op_result(parts.data[parts.size - 1], 0);
    }
    mlc_op_replace(op, &sum, 1);
    for (size_t i = 0; i < parts.size; i++) {
        Rewriter part = {.ctx = r->ctx, .p = r->p};
        part.p.op = parts.data[i];
        part.p.tail = i + 1 == parts.size ? r->p.tail : NULL;
        part.p.matrix = mlc_op_operand(parts.data[i], 1);
        set_inner(&part.p, mlc_type_dim(mlc_value_type(part.p.matrix), 0), target);
        rewrite(&part);
        mlc_index_values_release(&part.indices);
    }
    mlc_vec_release(&parts);
}

// ---- the pass

static void
try_op(MlcPass *pass, MlcOp *module, MlcOp *function, MlcOp *op)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    Rewriter r = {.ctx = mlc_op_context(op)};
    if (!match(pass, op, module, function, &r.p))
        return;
    double share = cycles_strassen(&r.p, target) / cycles_direct(&r.p, target);
    if (!mlc_pass_option_bool(pass, "always") && share > .95) {
        mlc_kernel_remark(
            op, "multiplied plainly: Strassen's algorithm would take %.2f of the cycles", share);
        return;
    }
    if (mlc_pass_is_late(pass)) {
        mlc_kernel_remark(op, "multiplied plainly: the time for compiling runs short");
        return;
    }
    mlc_kernel_remark(op, "by Strassen's algorithm, estimated at %.2f of the cycles", share);
    if (r.p.is_constant) {
        rewrite_constant(&r, module, function);
    } else {
        mlc_kernel_note(op, "sums of its right side take %.1f MiB when it runs, for %lld steps",
                        bytes_of_weights(&r.p) / (1 << 20), (long long)r.p.inner);
        rewrite_parts(&r, target);
    }
    mlc_pass_count(pass, "products", 1);
    mlc_index_values_release(&r.indices);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcNumerics numerics;
    if (!mlc_module_numerics(root, &numerics))
        return false;
    if (numerics == MLC_NUMERICS_FAST)
        mlc_kernel_visit_contractions(pass, root, try_op);
    return true;
}

static const MlcPassOption options[] = {
    {"always", MLC_OPTION_BOOL, NULL, "wherever it can be done, whatever it costs"},
    {"block", MLC_OPTION_INT, "0", "rows halved at a time; 0: as caches and cores want it"},
    {"inner", MLC_OPTION_INT, "0",
     "steps of a part at most, where the matrix is no constant; 0: as the second cache wants it"},
};

static const char *const dialects[] = {"affine", "arith", "linalg", "scf", "tensor", NULL};

MLC_PASS(linalg_strassen, .flag = "linalg-strassen",
         .summary = "Compute matrix products by Strassen's algorithm", .anchor = "builtin.module",
         .options = options, .num_options = 3, .dependent_dialects = dialects, .run = run)
