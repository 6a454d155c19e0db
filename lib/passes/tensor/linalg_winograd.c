// linalg_winograd.c -- convolutions of stride 1 with 3 x 3 filters that need fewer multiplications.
//
// Winograd's minimal filtering (mlc/dialects/linalg_winograd.h): the image in overlapping tiles,
// transformed; (m + 2)^2 matrix products, one for each position in a tile; the products transformed
// back. The filters are constants, so their transform is done here. Everything else are ops that
// tile, pack and vectorise like any: winograd_input_transform, a batched product,
// winograd_output_transform, with what follows the convolution fused behind it. F(4, 3) does 2.25
// multiplications per output where the convolution does 9, F(2, 3) does 4, for more filter bytes
// and for transforms: the cheaper of the three is taken, by the estimate below.
//
// The transformed images and products of a large batch are many times what the caches hold: then
// the convolution, with what follows it, first becomes a loop over some images at a time.
//
// A convolution of three dimensions whose filter is 3 x 3 in the last two becomes one of two first,
// where that would then go Winograd's way: over the frames of its result, with those frames of the
// input that the filter covers side by side as channels. They are copied for it, which the estimate
// counts.
//
// Results differ from the convolution's by rounding, so a module with `mlc.numerics = "strict"` is
// left alone. Errors made in the sums grow when they are transformed back, in F(4, 3) sevenfold for
// random filters: so the sums are made in short blocks, and filters for which they grow most, such
// as those of one corner, are left to F(2, 3) (docs/numerics.md has the bounds). Not so under
// "fast".
#include "graph/graph_constants.h"
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "kernel/op_cycles.h"
#include "sum_block.h"
#include "tile.h"
#include "windows.h"

#include "mlc/ir.h"
#include "mlc/passes/numerics.h"
#include "mlc/support/strided.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/linalg_winograd.h"
#include "mlc/dialects/tensor.h"

enum { FILTER = 3 };

typedef struct Conv {
    MlcOp *op;
    int64_t n, h, w, c, f; // of the result, and the input's channels
    size_t arg;            // of the function: the filter, [3, 3, C, F]
    double before;         // cycles that it takes to make its input
} Conv;

// ---- which ops

// Result `i` of `map` is stride * a + dilation * b, of loops a and b.
static bool
read_window(MlcAffineMap map, size_t i, int a, int b, int64_t *stride, int64_t *dilation)
{
    int64_t coeffs[MLC_SMALL_RANK + 1];
    unsigned n = (unsigned)mlc_affine_map_num_dims(map);
    if (n > MLC_SMALL_RANK || !mlc_affine_linear(mlc_affine_map_result(map, i), n, 0, coeffs))
        return false;
    *stride = coeffs[a];
    *dilation = coeffs[b];
    coeffs[a] = coeffs[b] = 0;
    for (unsigned k = 0; k <= n; k++)
        if (coeffs[k] != 0)
            return false;
    return *stride > 0 && *dilation > 0;
}

static bool
is_sum(MlcAffineMap map, size_t i, int a, int b)
{
    int64_t stride, dilation;
    return read_window(map, i, a, b, &stride, &dilation) && stride == 1 && dilation == 1;
}

enum { MAX_RANK = 5 };

// The loops along the dimensions of the result and of the filter; false unless input, filter and
// result have `rank` dimensions and the op as many loops as a convolution has.
static bool
read_loops(MlcOp *op, size_t rank, int out[MAX_RANK], int filter[MAX_RANK])
{
    for (size_t i = 0; i < 3; i++)
        if (mlc_affine_map_num_results(mlc_structured_map(op, i)) != rank)
            return false;
    for (size_t i = 0; i < rank; i++) {
        filter[i] = mlc_map_result_dim(mlc_structured_map(op, 1), i);
        out[i] = mlc_map_result_dim(mlc_structured_map(op, 2), i);
        if (filter[i] < 0 || out[i] < 0)
            return false;
    }
    return mlc_structured_num_loops(op) == 2 * rank - 1;
}

// out[n, h, w, f] += in[n, h + kh, w + kw, c] * filter[kh, kw, c, f]
static bool
has_maps_of_convolution(MlcOp *op)
{
    MlcAffineMap in = mlc_structured_map(op, 0);
    int o[MAX_RANK], k[MAX_RANK];
    return read_loops(op, 4, o, k) && k[3] == o[3] && mlc_map_result_dim(in, 0) == o[0] &&
           is_sum(in, 1, o[1], k[0]) && is_sum(in, 2, o[2], k[1]) &&
           mlc_map_result_dim(in, 3) == k[2];
}

static bool
all_f32(MlcType a, MlcType b, MlcType c)
{
    MlcType element = mlc_type_element(a);
    return mlc_type_is(element, MLC_TYPE_FLOAT) && mlc_type_bit_width(element) == 32 &&
           mlc_type_element(b) == element && mlc_type_element(c) == element;
}

// An argument of the function that has one use.
static bool
is_own_argument(MlcValue *value, MlcOp *function)
{
    return !mlc_value_def(value) && mlc_value_has_one_use(value) &&
           mlc_value_block(value) == mlc_region_first(mlc_op_region(function, 0));
}

static bool
match(MlcOp *op, MlcOp *function, Conv *conv)
{
    if (!has_maps_of_convolution(op))
        return false;
    MlcValue *filter = mlc_op_operand(op, 1);
    MlcType in = mlc_value_type(mlc_op_operand(op, 0)), type = mlc_value_type(filter),
            out = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_type_dim(type, 0) != FILTER || mlc_type_dim(type, 1) != FILTER ||
        !all_f32(in, type, out) || !is_own_argument(filter, function))
        return false;
    *conv = (Conv){.op = op,
                   .n = mlc_type_dim(out, 0),
                   .h = mlc_type_dim(out, 1),
                   .w = mlc_type_dim(out, 2),
                   .c = mlc_type_dim(in, 3),
                   .f = mlc_type_dim(out, 3),
                   .arg = mlc_value_index(filter)};
    return true;
}

// ---- what it costs

static int64_t
tiles(int64_t size, int64_t m)
{
    return mlc_ceil_div(size, m);
}

static double
greater(double a, double b)
{
    return a > b ? a : b;
}

// Cycles of one core.
static double
cycles_direct(const Conv *k, const MlcTargetDesc *target)
{
    double filter = (double)(FILTER * FILTER * k->c * k->f);
    return mlc_product_cycles((double)(k->n * k->h * k->w) * filter, 4 * filter, target);
}

static double
cycles_winograd(const Conv *k, const MlcWinograd *w, const MlcTargetDesc *target)
{
    double lanes = target->vector_bits / 32.;
    double t = (double)(k->n * tiles(k->h, w->m) * tiles(k->w, w->m));
    double points = (double)(w->alpha * w->alpha), filter = points * (double)(k->c * k->f);
    // Reads, writes and about three operations for each element of a tile, on two ports.
    double transforms = points * t * (double)(k->c + k->f) / lanes * 2.5;
    double moved = 2 * 4 * points * t * (double)(k->c + k->f);
    double memory =
        moved / (moved <= (double)target->l2_bytes ? target->l2_bandwidth : target->l3_bandwidth);
    return mlc_product_cycles(t * filter, 4 * filter, target) + greater(transforms, memory) +
           k->before;
}

// The algorithm asked for, else the cheapest of at most `most` outputs; NULL: the convolution as it
// is.
static const MlcWinograd *
choose(MlcPass *pass, const Conv *k, int64_t most)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    int64_t asked = mlc_pass_option_int(pass, "m");
    if (asked > 0)
        return mlc_winograd_find(asked, FILTER);
    const MlcWinograd *best = NULL;
    double least = .95 * cycles_direct(k, target);
    for (int64_t m = 2; m <= most; m += 2) {
        const MlcWinograd *w = mlc_winograd_find(m, FILTER);
        double cycles = cycles_winograd(k, w, target);
        if (cycles < least) {
            least = cycles;
            best = w;
        }
    }
    return best;
}

// ---- how accurate it is

enum { TAPS = FILTER * FILTER };

// Products of each two taps of the filters of each output channel, summed up over input channels
// (and frames): [TAPS][TAPS][F], the second tap no later than the first.
static double *
products_of_taps(MlcAttr filter)
{
    MlcType type = mlc_attr_type(filter);
    size_t rank = mlc_type_rank(type), depth = rank == 5 ? (size_t)mlc_type_dim(type, 0) : 1;
    size_t c = (size_t)mlc_type_dim(type, rank - 2), f = (size_t)mlc_type_dim(type, rank - 1);
    double *sums = mlc_calloc(TAPS * TAPS * f, sizeof *sums);
    void *temporary;
    bool is_splat;
    const void *from = mlc_constant_borrow(filter, &is_splat, &temporary);
    for (size_t i = 0; i < depth * c; i++)
        for (size_t s = 0; s < TAPS; s++)
            for (size_t t = 0; t <= s; t++) {
                double *to = sums + (s * TAPS + t) * f;
                size_t image = (i / c * TAPS * c + i % c) * f;
                size_t a = is_splat ? 0 : image + s * c * f, b = is_splat ? 0 : image + t * c * f;
                for (size_t k = 0; k < f; k++)
                    to[k] += (double)mlc_f32_at(from, (int64_t)(a + (is_splat ? 0 : k))) *
                             (double)mlc_f32_at(from, (int64_t)(b + (is_splat ? 0 : k)));
            }
    mlc_constant_give_back(filter, temporary);
    return sums;
}

// Whether errors grow by MOST_GAIN at most, for each output channel; and transformed filters are no
// denormals.
static bool
is_accurate_for(const MlcWinograd *w, MlcAttr filter)
{
    static const double most_gain = 12, least_norm = 1e-64;
    MlcType type = mlc_attr_type(filter);
    size_t f = (size_t)mlc_type_dim(type, mlc_type_rank(type) - 1);
    double *sums = products_of_taps(filter);
    bool ok = true;
    for (size_t k = 0; k < f && ok; k++) {
        double products[TAPS * TAPS], norm = 0;
        for (size_t s = 0; s < TAPS; s++)
            for (size_t t = 0; t <= s; t++)
                products[s * TAPS + t] = products[t * TAPS + s] = sums[(s * TAPS + t) * f + k];
        for (size_t t = 0; t < TAPS; t++)
            norm += products[t * TAPS + t];
        ok = norm == 0 || (norm >= least_norm && mlc_winograd_gain(w, products) <= most_gain);
    }
    mlc_free(sums);
    return ok;
}

static bool
is_accurate(const MlcWinograd *w, const MlcKernelCalls *calls, size_t arg)
{
    for (size_t i = 0; i < calls->size; i++) {
        const MlcKernelCall *call = &calls->data[i];
        if (!is_accurate_for(w, mlc_value_constant(mlc_op_operand(call->op, call->first + arg))))
            return false;
    }
    return true;
}

// ---- the rewrite

typedef struct Filtering {
    const MlcWinograd *algorithm;
    size_t plane; // pairs of channels
} Filtering;

// [3, 3, C, F] to [alpha * alpha, C, F].
static void
filter_elements(void *to, const void *elements, bool is_splat, const void *recipe)
{
    const Filtering *k = recipe;
    for (size_t i = 0; i < k->plane; i++)
        mlc_winograd_filter(k->algorithm,
                            (const char *)elements + (is_splat ? 0 : i * sizeof(float)),
                            is_splat ? 0 : k->plane, (float *)to + i, k->plane);
}

static MlcAttr
transform_filter(MlcValue *value, void *user)
{
    const MlcWinograd *w = user;
    MlcType type = mlc_value_type(value);
    int64_t c = mlc_type_dim(type, 2), f = mlc_type_dim(type, 3);
    int64_t shape[3] = {w->alpha * w->alpha, c, f};
    MlcType to = mlc_tensor_type_get(mlc_type_element(type), shape, 3, NULL);
    Filtering k = {w, (size_t)(c * f)};
    char suffix[32];
    snprintf(suffix, sizeof suffix, ".winograd%lld", (long long)w->m);
    return mlc_kernel_constant_remade(value, to, suffix, filter_elements, &k, sizeof k);
}

static MlcType
shaped(const Conv *k, const int64_t *shape, size_t rank)
{
    return mlc_tensor_type_get(mlc_type_element(mlc_value_type(mlc_op_result(k->op, 0))), shape,
                               rank, NULL);
}

static MlcValue *
build_zero(MlcBuilder *b, const Conv *k)
{
    return mlc_build_float(b, mlc_type_element(mlc_value_type(mlc_op_result(k->op, 0))), 0);
}

// tensor.pad of zeros behind, `value` itself where it has that shape.
static MlcValue *
build_pad(MlcBuilder *b, const Conv *k, MlcValue *value, const int64_t *shape)
{
    enum { RANK = 4 };
    MlcType from = mlc_value_type(value), to = shaped(k, shape, RANK);
    int64_t low[RANK] = {0}, high[RANK];
    for (size_t i = 0; i < RANK; i++)
        high[i] = shape[i] - mlc_type_dim(from, i);
    if (from == to)
        return value;
    MlcValue *zero = build_zero(b, k);
    MlcValue *pad = mlc_tensor_pad(b, to, value, NULL, 0, NULL, 0, low, RANK, high, RANK);
    MlcType index[RANK];
    for (size_t i = 0; i < RANK; i++)
        index[i] = mlc_index_type_get(b->ctx);
    MlcBuilder inside = *b;
    mlc_builder_create_block(&inside, mlc_op_region(mlc_value_def(pad), 0), index, RANK);
    mlc_tensor_yield(&inside, zero);
    return pad;
}

// out += a * u, by `maps`
static MlcValue *
build_contraction(MlcBuilder *b, MlcValue *a, MlcValue *u, MlcValue *out, const MlcAffineMap *maps,
                  const MlcIterator *iterators, size_t num_loops)
{
    MlcOp *op = mlc_build_open_generic(b, (MlcValue *[]){a, u}, 2, out, maps, iterators, num_loops);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, mlc_region_first(mlc_op_region(op, 0)));
    MlcValue *product =
        mlc_arith_mulf(&inside, mlc_block_arg(inside.block, 0), mlc_block_arg(inside.block, 1));
    MlcValue *sum = mlc_arith_addf(&inside, mlc_block_arg(inside.block, 2), product);
    mlc_linalg_yield(&inside, &sum, 1);
    return mlc_op_result(op, 0);
}

// Products in a chain. The error of a sum of c products in blocks of b is like sqrt(b + c / b), and
// F(4, 3) lets it grow twice as much as F(2, 3) does. Shorter blocks cost more than they gain.
static int64_t
sum_block(const Conv *k, const MlcWinograd *w)
{
    enum { OF_TWO = 64, OF_FOUR = 16, OF_FOUR_DEEP = 32, DEEP = 128 };
    return w->m == 2 ? OF_TWO : k->c <= DEEP ? OF_FOUR : OF_FOUR_DEEP;
}

// out[i, t, f] = sum of a[i, t, c] * u[i, c, f]
static MlcValue *
build_products(MlcBuilder *b, const Conv *k, const MlcWinograd *w, MlcValue *a, MlcValue *u,
               MlcType type, MlcNumerics numerics)
{
    enum { I, T, F, C, LOOPS };
    static const MlcIterator iterators[LOOPS] = {MLC_ITERATOR_PARALLEL, MLC_ITERATOR_PARALLEL,
                                                 MLC_ITERATOR_PARALLEL, MLC_ITERATOR_REDUCTION};
    static const unsigned dims[3][3] = {{I, T, C}, {I, C, F}, {I, T, F}};
    MlcAffineMap maps[3];
    for (size_t i = 0; i < 3; i++) {
        MlcAffineExpr e[3];
        for (size_t d = 0; d < 3; d++)
            e[d] = mlc_affine_dim(b->ctx, dims[i][d]);
        maps[i] = mlc_affine_map_get(b->ctx, LOOPS, 0, e, 3);
    }
    MlcValue *zero = mlc_build_copy(b, NULL, build_zero(b, k), mlc_build_empty(b, type));
    MlcValue *sums = build_contraction(b, a, u, zero, maps, iterators, LOOPS);
    if (numerics < MLC_NUMERICS_FAST)
        mlc_shorten_sum_block(mlc_value_def(sums), sum_block(k, w));
    return sums;
}

// What the convolution starts from is added to what it would have added to it.
static MlcValue *
build_sum(MlcBuilder *b, MlcValue *value, MlcValue *init)
{
    if (mlc_value_is_zero(init))
        return value;
    MlcType type = mlc_value_type(value);
    size_t rank = mlc_type_rank(type);
    MlcAffineMap map = mlc_affine_map_identity(b->ctx, (unsigned)rank);
    MlcIterator iterators[MLC_SMALL_RANK] = {MLC_ITERATOR_PARALLEL};
    MlcOp *op = mlc_build_open_generic(b, (MlcValue *[]){value, init}, 2, mlc_build_empty(b, type),
                                       (MlcAffineMap[]){map, map, map}, iterators, rank);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, mlc_region_first(mlc_op_region(op, 0)));
    MlcValue *sum =
        mlc_arith_addf(&inside, mlc_block_arg(inside.block, 0), mlc_block_arg(inside.block, 1));
    mlc_linalg_yield(&inside, &sum, 1);
    return mlc_op_result(op, 0);
}

static MlcAttr
groups_of(MlcContext *ctx, size_t a, size_t b, size_t c)
{
    MlcGroups groups = {0};
    mlc_groups_push(&groups, a);
    mlc_groups_push(&groups, b);
    mlc_groups_push(&groups, c);
    return mlc_groups_attr(ctx, &groups);
}

static void
rewrite(const Conv *k, const MlcWinograd *w, MlcValue *filter, MlcNumerics numerics)
{
    MlcContext *ctx = mlc_op_context(k->op);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, k->op);
    int64_t th = tiles(k->h, w->m), tw = tiles(k->w, w->m), points = w->alpha * w->alpha;
    const int64_t padded[4] = {k->n, th * w->m + FILTER - 1, tw * w->m + FILTER - 1, k->c},
                  image[6] = {w->alpha, w->alpha, th, tw, k->n, k->c},
                  products[6] = {w->alpha, w->alpha, th, tw, k->n, k->f},
                  whole[4] = {k->n, th * w->m, tw * w->m, k->f};
    const int64_t flat_image[3] = {points, th * tw * k->n, k->c},
                  flat_products[3] = {points, th * tw * k->n, k->f};
    MlcAttr groups = groups_of(ctx, 2, 3, 1);
    MlcValue *value = build_pad(&b, k, mlc_op_operand(k->op, 0), padded);
    MlcType transformed = shaped(k, image, 6), result = shaped(k, whole, 4);
    value = mlc_linalg_winograd_input_transform(&b, transformed, value,
                                                mlc_build_empty(&b, transformed), w->m, w->r);
    value = mlc_tensor_collapse_shape(&b, shaped(k, flat_image, 3), value, groups);
    value = build_products(&b, k, w, value, filter, shaped(k, flat_products, 3), numerics);
    value = mlc_build_expand_shape(&b, value, shaped(k, products, 6), groups);
    value = mlc_linalg_winograd_output_transform(&b, result, value, mlc_build_empty(&b, result),
                                                 w->m, w->r);
    if (whole[1] != k->h || whole[2] != k->w) {
        MlcIndexValues indices = {0};
        MlcWindow window = {.rank = 4, .sizes = {k->n, k->h, k->w, k->f}};
        for (size_t i = 0; i < 4; i++)
            window.offsets[i] = mlc_affine_constant(ctx, 0);
        value = mlc_window_extract(&b, &indices, value, &window, shaped(k, window.sizes, 4));
        mlc_index_values_release(&indices);
    }
    value = build_sum(&b, value, mlc_op_operand(k->op, 2));
    mlc_op_replace(k->op, &value, 1);
}

// ---- batches

// How many images of a batch to transform at a time, a divisor of it: as many as leave the third
// cache to what else is read, but enough rows for the products, and blocks for all cores.
static int64_t
images_at_once(const Conv *k, const MlcWinograd *w, const MlcTargetDesc *target)
{
    enum { BLOCKS_OF_A_CORE = 2 };
    int64_t rows = tiles(k->h, w->m) * tiles(k->w, w->m), best = k->n;
    int64_t bytes = (int64_t)sizeof(float) * w->alpha * w->alpha * rows * (k->c + k->f);
    int64_t cache = (int64_t)(target->l3_bytes ? target->l3_bytes / 4 : target->l2_bytes);
    if (k->n * bytes <= cache)
        return k->n;
    for (int64_t n = k->n / BLOCKS_OF_A_CORE / (int64_t)target->cores; n > 0; n--)
        if (k->n % n == 0 && n * rows >= MLC_LEAST_ROWS && best * bytes > cache)
            best = n;
    return best;
}

// The padded images that a block reads, made of its images alone.
static void
pad_in_block(const Conv *k, MlcOp *pad)
{
    MlcBuilder b;
    MlcIndexValues indices = {0};
    MlcOp *slice = mlc_value_def(mlc_op_operand(k->op, 0));
    MlcType type = mlc_value_type(mlc_op_operand(pad, 0));
    MlcWindow window = {.rank = 4, .sizes = {k->n}};
    mlc_builder_init(&b, mlc_op_context(pad));
    mlc_builder_before(&b, slice);
    window.offsets[0] =
        mlc_index_values_expr(&indices, b.ctx, mlc_block_arg(mlc_op_block(slice), 0));
    for (size_t i = 1; i < 4; i++) {
        window.sizes[i] = mlc_type_dim(type, i);
        window.offsets[i] = mlc_affine_constant(b.ctx, 0);
    }
    MlcOp *padded = mlc_op_clone(pad, NULL);
    mlc_op_set_operand(padded, 0,
                       mlc_window_extract(&b, &indices, mlc_op_operand(pad, 0), &window,
                                          shaped(k, window.sizes, 4)));
    mlc_builder_insert(&b, padded);
    mlc_value_set_type(mlc_op_result(padded, 0), mlc_value_type(mlc_op_result(slice, 0)));
    mlc_op_replace(slice, (MlcValue *[]){mlc_op_result(padded, 0)}, 1);
    if (!mlc_op_has_uses(pad))
        mlc_op_erase(pad);
    mlc_index_values_release(&indices);
}

// What the convolution starts from is added behind it instead, so that an element-wise op writes
// the images of a block to their places.
static void
move_start_behind(const Conv *k)
{
    MlcValue *start = mlc_op_operand(k->op, 2), *result = mlc_op_result(k->op, 0);
    MlcBuilder b;
    if (mlc_value_is_zero(start))
        return;
    mlc_builder_init(&b, mlc_op_context(k->op));
    mlc_builder_before(&b, k->op);
    MlcValue *zero =
        mlc_build_copy(&b, NULL, build_zero(&b, k), mlc_build_empty(&b, mlc_value_type(start)));
    mlc_op_set_operand(k->op, 2, zero);
    mlc_builder_after(&b, k->op);
    MlcValue *sum = build_sum(&b, result, start);
    mlc_value_replace_uses(result, sum);
    mlc_op_set_operand(mlc_value_def(sum), 0, result);
}

// Makes `conv` that of one block of a loop over blocks of `size` along dimension `dim` of its
// result; false if it cannot be cut.
static bool
cut_blocks(MlcPass *pass, MlcOp *function, size_t dim, int64_t size, Conv *conv)
{
    MlcValue *filter = mlc_op_operand(conv->op, 1);
    move_start_behind(conv);
    MlcOp *root = mlc_structured_root(conv->op);
    MlcAffineMap out = mlc_structured_map(root, mlc_structured_num_inputs(root));
    MlcSchedule schedule = {.unroll = 1, .keeps_pads = true};
    schedule.sizes[mlc_map_result_dim(out, dim)] = size;
    for (unsigned i = 0; i < MLC_SMALL_RANK; i++)
        schedule.order[i] = i;
    if (!mlc_tile_group(pass, &root, &schedule))
        return false;
    return match(mlc_use_owner(mlc_value_first_use(filter)), function, conv);
}

// Even blocks of rows of one image for the threads (mlc_row_shares): positions, which they share
// otherwise, leave each thread half of what the other one transformed.
static bool
cut_rows(MlcPass *pass, MlcOp *function, const MlcWinograd *w, Conv *conv)
{
    int64_t all = tiles(conv->h, w->m) * tiles(conv->w, w->m),
            shares = mlc_pass_option_int(pass, "row-blocks");
    shares = shares ? shares : mlc_row_shares(all, mlc_pass_target(pass));
    if (conv->n != 1 || shares < 2 || conv->h % (shares * w->m) != 0)
        return true;
    mlc_kernel_remark(conv->op, "%lld blocks of rows", (long long)shares);
    return cut_blocks(pass, function, 1, conv->h / shares, conv);
}

// Blocks of images, or of the rows of one, or neither; false if `conv` is no longer one.
static bool
cut(MlcPass *pass, MlcOp *function, const MlcWinograd *w, Conv *conv)
{
    int64_t images = images_at_once(conv, w, mlc_pass_target(pass));
    MlcOp *pad = mlc_value_def(mlc_op_operand(conv->op, 0));
    bool is_padded = pad && mlc_tensor_pad_isa(pad) &&
                     mlc_type_dim(mlc_value_type(mlc_op_operand(pad, 0)), 0) == conv->n;
    if (images == conv->n)
        return cut_rows(pass, function, w, conv);
    mlc_kernel_remark(conv->op, "%lld images at a time", (long long)images);
    if (!cut_blocks(pass, function, 0, images, conv))
        return false;
    if (is_padded)
        pad_in_block(conv, pad);
    return true;
}

// ---- three dimensions

typedef struct Volume {
    MlcOp *op;
    int64_t n, d, h, w, c, f; // of the result, and the input's channels
    int64_t depth;            // of the filter, [depth, 3, 3, C, F]
    int64_t stride, dilation; // along the depth
    size_t arg;
} Volume;

// out[n, d, h, w, f] += in[n, stride * d + dilation * kd, h + kh, w + kw, c] * filter[kd, kh, kw,
// c, f]
static bool
has_maps_of_volume(MlcOp *op, Volume *v)
{
    MlcAffineMap in = mlc_structured_map(op, 0);
    int o[MAX_RANK], k[MAX_RANK];
    return read_loops(op, 5, o, k) && k[4] == o[4] && mlc_map_result_dim(in, 0) == o[0] &&
           read_window(in, 1, o[1], k[0], &v->stride, &v->dilation) && is_sum(in, 2, o[2], k[1]) &&
           is_sum(in, 3, o[3], k[2]) && mlc_map_result_dim(in, 4) == k[3];
}

static bool
match_volume(MlcOp *op, MlcOp *function, Volume *v)
{
    *v = (Volume){.op = op};
    if (!has_maps_of_volume(op, v))
        return false;
    MlcValue *filter = mlc_op_operand(op, 1);
    MlcType in = mlc_value_type(mlc_op_operand(op, 0)), type = mlc_value_type(filter),
            out = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_type_dim(type, 1) != FILTER || mlc_type_dim(type, 2) != FILTER ||
        !all_f32(in, type, out) || !is_own_argument(filter, function))
        return false;
    v->n = mlc_type_dim(out, 0);
    v->d = mlc_type_dim(out, 1);
    v->h = mlc_type_dim(out, 2);
    v->w = mlc_type_dim(out, 3);
    v->f = mlc_type_dim(out, 4);
    v->c = mlc_type_dim(in, 4);
    v->depth = mlc_type_dim(type, 0);
    v->arg = mlc_value_index(filter);
    return true;
}

static bool
is_frame_by_frame(const Volume *v)
{
    return v->depth == 1 && v->stride == 1;
}

// The convolution that it would become.
static Conv
flat(const Volume *v, const MlcTargetDesc *target)
{
    MlcType in = mlc_value_type(mlc_op_operand(v->op, 0));
    double bytes = 2. * sizeof(float) * (double)(v->n * v->d * v->depth * v->c) *
                   (double)(mlc_type_dim(in, 2) * mlc_type_dim(in, 3));
    return (Conv){.op = v->op,
                  .n = v->n * v->d,
                  .h = v->h,
                  .w = v->w,
                  .c = v->depth * v->c,
                  .f = v->f,
                  .arg = v->arg,
                  .before = is_frame_by_frame(v) ? 0 : bytes / target->l3_bandwidth};
}

// [depth, 3, 3, C, F] to [3, 3, depth * C, F].
static MlcAttr
flatten_filter(MlcValue *value, void *user)
{
    const Volume *v = user;
    const int64_t shape[5] = {v->depth, FILTER, FILTER, v->c, v->f}, perm[5] = {1, 2, 0, 3, 4},
                  flattened[4] = {FILTER, FILTER, v->depth * v->c, v->f};
    return mlc_constant_reshape(mlc_constant_permute(mlc_value_constant(value), shape, perm, 5),
                                flattened, 4);
}

// The frames that each frame of the result is made of, side by side: [N * D, H, W, depth * C].
static MlcValue *
build_frames(MlcBuilder *b, const Volume *v, const Conv *k)
{
    enum { N, D, H, W, KD, C, RANK };
    static const MlcIterator iterators[MLC_SMALL_RANK] = {MLC_ITERATOR_PARALLEL};
    MlcValue *in = mlc_op_operand(v->op, 0);
    MlcType type = mlc_value_type(in);
    const int64_t height = mlc_type_dim(type, 2), width = mlc_type_dim(type, 3),
                  shape[RANK] = {v->n, v->d, height, width, v->depth, v->c},
                  flattened[4] = {k->n, height, width, k->c};
    MlcGroups groups = {0};
    for (size_t i = 0; i < 4; i++)
        mlc_groups_push(&groups, i == 0 || (i == 3 && !is_frame_by_frame(v)) ? 2 : 1);
    MlcAttr sides = mlc_groups_attr(b->ctx, &groups);
    if (is_frame_by_frame(v))
        return mlc_tensor_collapse_shape(b, shaped(k, flattened, 4), in, sides);
    MlcAffineExpr at[5];
    for (size_t i = 0; i < 5; i++)
        at[i] = mlc_affine_dim(b->ctx, (const unsigned[]){N, D, H, W, C}[i]);
    at[1] = mlc_affine_add(mlc_affine_mul_const(at[1], v->stride),
                           mlc_affine_mul_const(mlc_affine_dim(b->ctx, KD), v->dilation));
    MlcAffineMap maps[2] = {mlc_affine_map_get(b->ctx, RANK, 0, at, 5),
                            mlc_affine_map_identity(b->ctx, RANK)};
    MlcOp *copy = mlc_build_open_generic(b, &in, 1, mlc_build_empty(b, shaped(k, shape, RANK)),
                                         maps, iterators, RANK);
    MlcBlock *body = mlc_region_first(mlc_op_region(copy, 0));
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, body);
    mlc_linalg_yield(&inside, (MlcValue *[]){mlc_block_arg(body, 0)}, 1);
    return mlc_tensor_collapse_shape(b, shaped(k, flattened, 4), mlc_op_result(copy, 0), sides);
}

// out[n, h, w, f] += in[n, h + kh, w + kw, c] * filter[kh, kw, c, f], from zero
static MlcValue *
build_flat(MlcBuilder *b, const Conv *k, MlcValue *in, MlcValue *filter)
{
    enum { N, H, W, F, KH, KW, C, LOOPS };
    static const MlcIterator iterators[LOOPS] = {MLC_ITERATOR_PARALLEL,  MLC_ITERATOR_PARALLEL,
                                                 MLC_ITERATOR_PARALLEL,  MLC_ITERATOR_PARALLEL,
                                                 MLC_ITERATOR_REDUCTION, MLC_ITERATOR_REDUCTION,
                                                 MLC_ITERATOR_REDUCTION};
    MlcAffineExpr dim[LOOPS];
    for (unsigned i = 0; i < LOOPS; i++)
        dim[i] = mlc_affine_dim(b->ctx, i);
    MlcAffineExpr of_in[4] = {dim[N], mlc_affine_add(dim[H], dim[KH]),
                              mlc_affine_add(dim[W], dim[KW]), dim[C]},
                  of_filter[4] = {dim[KH], dim[KW], dim[C], dim[F]};
    MlcAffineMap maps[3] = {mlc_affine_map_get(b->ctx, LOOPS, 0, of_in, 4),
                            mlc_affine_map_get(b->ctx, LOOPS, 0, of_filter, 4),
                            mlc_affine_map_get(b->ctx, LOOPS, 0, dim, 4)};
    MlcType type = shaped(k, (const int64_t[]){k->n, k->h, k->w, k->f}, 4);
    MlcValue *zero = mlc_build_copy(b, NULL, build_zero(b, k), mlc_build_empty(b, type));
    return build_contraction(b, in, filter, zero, maps, iterators, LOOPS);
}

// Makes the volume's op `conv`, which is what `flat` said it would be.
static void
flatten(MlcOp *function, const MlcKernelCalls *calls, Volume *v, Conv *conv)
{
    MlcBuilder b;
    MlcGroups groups = {0};
    mlc_builder_init(&b, mlc_op_context(v->op));
    mlc_builder_before(&b, v->op);
    b.loc = mlc_op_loc(v->op);
    mlc_kernel_remark(v->op, "over frames, %lld side by side", (long long)v->depth);
    MlcValue *filter = mlc_kernel_remake_argument(function, v->arg, calls, flatten_filter, v);
    MlcValue *result = build_flat(&b, conv, build_frames(&b, v, conv), filter);
    for (size_t i = 0; i < 4; i++)
        mlc_groups_push(&groups, i == 0 ? 2 : 1);
    MlcValue *value = mlc_build_expand_shape(&b, result, mlc_value_type(mlc_op_result(v->op, 0)),
                                             mlc_groups_attr(b.ctx, &groups));
    value = build_sum(&b, value, mlc_op_operand(v->op, 2));
    mlc_op_replace(v->op, &value, 1);
    mlc_block_erase_arg(mlc_region_first(mlc_op_region(function, 0)), v->arg + 1);
    conv->op = mlc_value_def(result);
}

// ---- the pass

// NULL after a remark that says why not.
static const MlcWinograd *
decide(MlcPass *pass, MlcOp *module, MlcOp *function, const Conv *conv, MlcKernelCalls *calls)
{
    const MlcWinograd *w = choose(pass, conv, 4);
    MlcNumerics numerics;
    const char *reason = NULL;
    if (!w)
        reason = "transforms or filters would cost more";
    else if (!mlc_kernel_calls(module, function, conv->arg, calls))
        reason = "not all callers pass a constant filter";
    else if (mlc_pass_is_late(pass))
        reason = "the time for compiling runs short";
    bool is_free = mlc_pass_option_int(pass, "m") > 0 || !mlc_module_numerics(module, &numerics) ||
                   numerics == MLC_NUMERICS_FAST;
    while (!reason && !is_free && !is_accurate(w, calls, conv->arg)) {
        mlc_kernel_remark(conv->op, "F(%lld, 3) would not be accurate with its filters",
                          (long long)w->m);
        w = choose(pass, conv, w->m - 2);
        reason = w ? NULL : "no other form is cheaper";
    }
    if (reason)
        mlc_kernel_remark(conv->op, "stays a convolution: %s", reason);
    return reason ? NULL : w;
}

static void
try_op(MlcPass *pass, MlcOp *module, MlcOp *function, MlcOp *op)
{
    Conv conv;
    Volume volume;
    MlcKernelCalls calls = {0};
    bool is_volume = match_volume(op, function, &volume);
    if (is_volume)
        conv = flat(&volume, mlc_pass_target(pass));
    else if (!match(op, function, &conv))
        return;
    const MlcWinograd *w = decide(pass, module, function, &conv, &calls);
    if (w && is_volume)
        flatten(function, &calls, &volume, &conv);
    if (w)
        mlc_kernel_remark(conv.op, "by Winograd's F(%lld, 3)", (long long)w->m);
    MlcNumerics numerics;
    if (w && mlc_module_numerics(module, &numerics) && cut(pass, function, w, &conv)) {
        MlcValue *filter =
            mlc_kernel_remake_argument(function, conv.arg, &calls, transform_filter, (void *)w);
        rewrite(&conv, w, filter, numerics);
        mlc_block_erase_arg(mlc_region_first(mlc_op_region(function, 0)), conv.arg + 1);
        mlc_pass_count(pass, "convolutions", 1);
    }
    mlc_vec_release(&calls);
}

static bool
is_known(MlcPass *pass, MlcOp *root)
{
    int64_t m = mlc_pass_option_int(pass, "m");
    return m == 0 || mlc_winograd_find(m, FILTER) ||
           mlc_op_error(root, "there is no algorithm for tiles of %lld outputs: m is 2 or 4",
                        (long long)m);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcNumerics numerics;
    if (!is_known(pass, root) || !mlc_module_numerics(root, &numerics))
        return false;
    if (numerics > MLC_NUMERICS_STRICT)
        mlc_kernel_visit_contractions(pass, root, try_op);
    return true;
}

static const MlcPassOption options[] = {
    {"m", MLC_OPTION_INT, "0", "outputs of a tile in each direction, 2 or 4; 0: by cost"},
    {"row-blocks", MLC_OPTION_INT, "0", "blocks of rows of an image; 0: as the cores want it"},
};

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

MLC_PASS(linalg_winograd, .flag = "linalg-winograd",
         .summary = "Compute 3 x 3 convolutions of constant filters by Winograd's algorithm",
         .anchor = "builtin.module", .options = options, .num_options = 2,
         .dependent_dialects = dialects, .run = run)
