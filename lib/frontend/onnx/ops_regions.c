// ops_regions.c -- ONNX operators: parts of an image pooled to a few bins each.
#include "found_sizes.h"
#include "sampling.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>

// ---- RoiAlign

typedef struct Roi {
    int64_t bins[2], samples;    // of rows and columns; per bin and direction
    bool counts_samples;         // as many as a bin has pixels: a loop takes one of each bin
    MlcAttr count;               // of regions
    MlcValue *start[2], *bin[2]; // where rows and columns begin, a bin's: [count, 1]
    MlcValue *image, *batch;     // [N, H, W, C], and which one a region is of: [count, 1, 1, 1]
    float scale;
    bool is_half, is_max;
} Roi;

static bool
read_roi(MlcOnnxNodeImport *n, Roi *roi)
{
    static const char *const modes[] = {"avg", "max"};
    static const char *const transforms[] = {"half_pixel", "output_half_pixel"};
    static const unsigned char means[] = {0, 1};
    unsigned mode = 0, transform = 0;
    *roi = (Roi){.bins = {1, 1}, .scale = 1};
    if (!mlc_onnx_read_choice(n, "mode", modes, means, 2, &mode) ||
        !mlc_onnx_read_choice(n, "coordinate_transformation_mode", transforms, means, 2,
                              &transform) ||
        !mlc_onnx_read_int(n, "output_height", &roi->bins[0]) ||
        !mlc_onnx_read_int(n, "output_width", &roi->bins[1]) ||
        !mlc_onnx_read_int(n, "sampling_ratio", &roi->samples) ||
        !mlc_onnx_read_float(n, "spatial_scale", &roi->scale))
        return false;
    roi->is_max = mode == 1;
    roi->is_half = n->import->opset >= 16 && transform == 0;
    for (size_t i = 0; i < 2; i++)
        if (roi->bins[i] < 1 || roi->bins[i] > INT16_MAX)
            return mlc_onnx_invalid(n, "%" PRId64 " bins", roi->bins[i]);
    if (roi->samples < 0 || roi->samples >= INT16_MAX)
        return mlc_onnx_invalid(n, "attribute 'sampling_ratio' is %" PRId64, roi->samples);
    roi->counts_samples = roi->samples == 0;
    roi->samples = roi->counts_samples ? 1 : roi->samples;
    return mlc_onnx_can_list(n, roi->bins[0] * roi->samples * roi->bins[1] * roi->samples);
}

// Column `i` of the regions: [count, 1]; in pixels.
static MlcValue *
roi_side(MlcOnnxNodeImport *n, const Roi *roi, int64_t i)
{
    int64_t axis = 1, end = i + 1;
    MlcValue *side = mlc_onnx_slice(n, n->inputs[1], (MlcOnnxInts){&i, 1}, (MlcOnnxInts){&end, 1},
                                    (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    side = mlc_onnx_by(n, &mlc_graph_mul_def, side, (double)roi->scale);
    return roi->is_half ? mlc_onnx_by(n, &mlc_graph_sub_def, side, 0.5) : side;
}

static void
find_sides(MlcOnnxNodeImport *n, Roi *roi, size_t dim)
{
    MlcValue *start = roi_side(n, roi, 1 - (int64_t)dim), *end = roi_side(n, roi, 3 - (int64_t)dim);
    MlcValue *length = mlc_onnx_build_two(n, &mlc_graph_sub_def, end, start);
    if (!roi->is_half)
        length = mlc_onnx_by(n, &mlc_graph_max_def, length, 1);
    roi->start[dim] = start;
    roi->bin[dim] = mlc_onnx_by(n, &mlc_graph_div_def, length, (double)roi->bins[dim]);
}

// Where each region's samples lie, in rows (0) or columns, [count, bins * samples]: `step` of
// `samples` in each bin, numbers that broadcast.
static MlcValue *
sample_places(MlcOnnxNodeImport *n, const Roi *roi, size_t dim, MlcValue *step, MlcValue *samples)
{
    int64_t size = roi->bins[dim] * roi->samples, shape[] = {1, size};
    double *bins = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size);
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    for (int64_t i = 0; i < size; i++)
        bins[i] = (double)(i / roi->samples);
    MlcValue *at = mlc_onnx_build_two(
        n, &mlc_graph_mul_def, mlc_onnx_build_floats(n, element, bins, shape, 2), roi->bin[dim]);
    at = mlc_onnx_build_two(n, &mlc_graph_add_def, roi->start[dim], at);
    step = mlc_onnx_by(n, &mlc_graph_add_def, step, 0.5);
    step = mlc_onnx_build_two(n, &mlc_graph_mul_def, step, roi->bin[dim]);
    return mlc_onnx_build_two(n, &mlc_graph_add_def, at,
                              mlc_onnx_build_two(n, &mlc_graph_div_def, step, samples));
}

// The numbers of all samples in their bins, [1, bins * samples].
static MlcValue *
all_steps(MlcOnnxNodeImport *n, const Roi *roi, size_t dim)
{
    int64_t size = roi->bins[dim] * roi->samples, shape[] = {1, size};
    double *steps = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size);
    for (int64_t i = 0; i < size; i++)
        steps[i] = (double)(i % roi->samples);
    return mlc_onnx_build_floats(n, mlc_type_element(mlc_value_type(n->inputs[1])), steps, shape,
                                 2);
}

// [count, rows, columns, 1]
static MlcValue *
reshape_regions(MlcOnnxNodeImport *n, MlcValue *value, const Roi *roi, int64_t rows,
                int64_t columns)
{
    MlcContext *ctx = n->import->ctx;
    MlcAttr shape[] = {roi->count, mlc_size_number(ctx, rows), mlc_size_number(ctx, columns),
                       mlc_size_number(ctx, 1)};
    return mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){shape, 4});
}

// The two pixels around each sample: of rows [count, samples, 1, 1], of columns [count, 1, samples,
// 1]. Beyond a pixel outside of the image a sample is 0.
static bool
roi_taps(MlcOnnxNodeImport *n, const Roi *roi, size_t dim, MlcValue *places, MlcOnnxTaps *taps)
{
    int64_t shape[] = {1, 1};
    MlcAttr size = mlc_size_of_dim(mlc_value_type(n->inputs[0]), dim + 2);
    shape[dim] = roi->bins[dim] * roi->samples;
    MlcValue *x = reshape_regions(n, places, roi, shape[0], shape[1]);
    MlcValue *starts = mlc_onnx_is(n, x, &mlc_graph_greater_or_equal_def, -1);
    MlcValue *ends =
        mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, x, mlc_onnx_size_like(n, x, size, 0));
    MlcValue *inside = mlc_onnx_select(n, starts, ends, starts),
             *last = mlc_onnx_size_like(n, x, size, -1);
    x = mlc_onnx_hold(n, x, 0, last);
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = 2;
    taps->pixel[0] = mlc_onnx_whole(n, base);
    taps->pixel[1] =
        mlc_onnx_whole(n, mlc_onnx_hold(n, mlc_onnx_by(n, &mlc_graph_add_def, base, 1), 0, last));
    taps->weight[0] = mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_number_like(n, t, 1), t);
    taps->weight[1] = t;
    for (size_t i = 0; i < 2; i++)
        taps->weight[i] = mlc_onnx_select(n, inside, taps->weight[i],
                                          mlc_onnx_number_like(n, taps->weight[i], 0));
    return taps->weight[0] && taps->weight[1] && taps->pixel[0] && taps->pixel[1];
}

// [count, rows, columns, 1]
static MlcValue *
spread(MlcOnnxNodeImport *n, MlcValue *value, const Roi *roi)
{
    MlcContext *ctx = n->import->ctx;
    MlcAttr shape[] = {roi->count, mlc_size_number(ctx, roi->bins[0] * roi->samples),
                       mlc_size_number(ctx, roi->bins[1] * roi->samples), mlc_size_number(ctx, 1)};
    return mlc_onnx_expand_to(n, value, &(MlcOnnxSizes){shape, 4});
}

// The mean of the samples of each bin, or the largest weighted pixel of them.
static MlcValue *
join_samples(MlcOnnxNodeImport *n, MlcValue *value, const Roi *roi, MlcAttr channels)
{
    MlcContext *ctx = n->import->ctx;
    MlcAttr samples = mlc_size_number(ctx, roi->samples);
    MlcAttr shape[] = {roi->count, mlc_size_number(ctx, roi->bins[0]),
                       samples,    mlc_size_number(ctx, roi->bins[1]),
                       samples,    channels};
    int64_t axes[] = {2, 4};
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, 2});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    value = mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){shape, 6});
    const MlcOpDef *op = roi->is_max ? &mlc_graph_reduce_max_def : &mlc_graph_reduce_mean_def;
    return value ? mlc_onnx_build(n, op, &value, 1, &attrs) : NULL;
}

static bool
check_roi(MlcOnnxNodeImport *n, Roi *roi)
{
    MlcType x = mlc_value_type(n->inputs[0]), rois = mlc_value_type(n->inputs[1]);
    bool ok = mlc_onnx_has_sizes(x) && mlc_type_rank(x) == 4 && mlc_onnx_has_sizes(rois) &&
              mlc_type_rank(rois) == 2 && mlc_type_dim(rois, 1) != MLC_DYNAMIC;
    for (size_t i = 0; ok && i < 4; i++)
        ok = mlc_type_dim(x, i) != 0;
    if (!ok)
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(x),
                                    mlc_type_text(rois));
    roi->count = mlc_size_of_dim(rois, 0);
    return mlc_type_dim(rois, 1) == 4 ||
           mlc_onnx_invalid(n, "regions of type %s", mlc_type_text(rois));
}

// What lies at `places` of rows and of columns: the sum of four weighted pixels, or the largest;
// [count, rows, columns, C].
static MlcValue *
sample(MlcOnnxNodeImport *n, const Roi *roi, MlcValue *const places[2])
{
    MlcOnnxTaps taps[2] = {0};
    MlcValue *sum = NULL;
    for (size_t d = 0; d < 2; d++)
        if (!roi_taps(n, roi, d, places[d], &taps[d]))
            return NULL;
    for (size_t i = 0; i < 4; i++) {
        size_t row = i / 2, column = i % 2;
        MlcValue *tuple[] = {spread(n, roi->batch, roi), spread(n, taps[0].pixel[row], roi),
                             spread(n, taps[1].pixel[column], roi)};
        MlcValue *weight =
            mlc_onnx_build_two(n, &mlc_graph_mul_def, taps[0].weight[row], taps[1].weight[column]);
        MlcValue *pixels =
            mlc_onnx_gather_pixels(n, roi->image, mlc_onnx_concat(n, tuple, 3, 3), 0, false);
        pixels = mlc_onnx_build_two(n, &mlc_graph_mul_def, pixels, weight);
        sum = sum ? mlc_onnx_build_two(n, roi->is_max ? &mlc_graph_max_def : &mlc_graph_add_def,
                                       sum, pixels)
                  : pixels;
        if (!sum)
            return NULL;
    }
    return sum;
}

// ---- RoiAlign with as many samples as there are pixels in a bin

// The most samples that a bin has in one direction, one i64: no more than MOST, or an error when
// the model runs.
static MlcValue *
most_samples(MlcOnnxNodeImport *n, MlcValue *samples)
{
    enum { MOST = 4096 };
    int64_t axes[] = {0, 1};
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, 2});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    MlcValue *most =
        samples ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &samples, 1, &attrs) : NULL;
    most = mlc_onnx_hold(n, most, 0, mlc_onnx_number_like(n, most, MOST + 1));
    MlcValue *fits = mlc_onnx_is(n, most, &mlc_graph_less_or_equal_def, MOST);
    if (!fits)
        return NULL;
    return mlc_onnx_whole(
        n, mlc_onnx_assert(n, most, fits, "a bin of a region has more than 4096 rows or columns"));
}

// One sample of each bin that has so many: row `i / columns`, column `i % columns`.
static bool
add_sample(MlcOnnxNodeImport *n, const Roi *roi, MlcValue *i, MlcValue *columns,
           MlcValue *const samples[2], MlcValue *sum)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    MlcType i1 = mlc_integer_type_get(n->import->ctx, 1, MLC_SIGNLESS);
    MlcValue *steps[] = {mlc_onnx_build_two(n, &mlc_graph_div_def, i, columns),
                         mlc_onnx_build_two(n, &mlc_graph_mod_def, i, columns)};
    MlcValue *places[2], *is_there = NULL;
    for (size_t d = 0; d < 2; d++) {
        MlcValue *step = mlc_onnx_cast(n, steps[d], element);
        places[d] = sample_places(n, roi, d, step, samples[d]);
        MlcValue *has = mlc_onnx_compare(n, &mlc_graph_less_def, step, samples[d]);
        is_there = is_there ? mlc_onnx_select(n, is_there, has, is_there) : has;
    }
    MlcValue *value = sample(n, roi, places), *yes = mlc_onnx_build_number(n, i1, 1);
    is_there = reshape_regions(n, is_there, roi, 1, 1);
    value =
        mlc_onnx_build_two(n, roi->is_max ? &mlc_graph_max_def : &mlc_graph_add_def, sum, value);
    value = mlc_onnx_select(n, is_there, value, sum);
    if (!value || !yes)
        return false;
    mlc_graph_yield(&n->import->builder, (MlcValue *[]){yes, value}, 2);
    return true;
}

static MlcValue *
add_samples(MlcOnnxNodeImport *n, const Roi *roi, MlcValue *const samples[2], MlcValue *start)
{
    MlcBuilder *b = &n->import->builder;
    MlcType i64 = mlc_onnx_i64(n), i1 = mlc_integer_type_get(n->import->ctx, 1, MLC_SIGNLESS);
    MlcValue *rows = most_samples(n, samples[0]), *columns = most_samples(n, samples[1]);
    MlcValue *count = mlc_onnx_build_two(n, &mlc_graph_mul_def, rows, columns);
    MlcValue *yes = mlc_onnx_build_number(n, i1, 1);
    columns = mlc_onnx_by(n, &mlc_graph_max_def, columns, 1);
    if (!count || !columns || !yes || !start)
        return NULL;
    MlcType args[] = {mlc_tensor_type_get(i64, NULL, 0, NULL),
                      mlc_tensor_type_get(i1, NULL, 0, NULL), mlc_value_type(start)};
    MlcType result = mlc_unranked_tensor_type_get(mlc_type_element(args[2]));
    MlcOp *op = mlc_graph_loop(b, &result, 1, count, yes, &start, 1);
    MlcBuilder outside = *b;
    MlcBlock *block = mlc_builder_create_block(b, mlc_op_region(op, 0), args, 3);
    mlc_builder_at_end(b, block);
    bool ok =
        add_sample(n, roi, mlc_block_arg(block, 0), columns, samples, mlc_block_arg(block, 2));
    *b = outside;
    if (ok && mlc_onnx_finish_control(n, op, 1))
        return mlc_op_result(op, 0);
    mlc_op_erase(op);
    return NULL;
}

// ceil(rows or columns of a bin) samples of each, as the specification of RoiAlign has it for a
// sampling_ratio of 0; a bin that has none is 0.
static MlcValue *
join_counted_samples(MlcOnnxNodeImport *n, const Roi *roi, MlcAttr channels)
{
    MlcContext *ctx = n->import->ctx;
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    MlcValue *samples[2], *number = mlc_onnx_build_number(n, element, roi->is_max ? -HUGE_VAL : 0);
    MlcAttr shape[] = {roi->count, mlc_size_number(ctx, roi->bins[0]),
                       mlc_size_number(ctx, roi->bins[1]), channels};
    for (size_t d = 0; d < 2; d++)
        samples[d] = mlc_onnx_by(n, &mlc_graph_max_def,
                                 mlc_onnx_build_one(n, &mlc_graph_ceil_def, roi->bin[d]), 0);
    MlcValue *value =
        add_samples(n, roi, samples, mlc_onnx_expand_to(n, number, &(MlcOnnxSizes){shape, 4}));
    MlcValue *all = mlc_onnx_build_two(n, &mlc_graph_mul_def, samples[0], samples[1]);
    all = reshape_regions(n, all, roi, 1, 1);
    if (!roi->is_max)
        return mlc_onnx_build_two(
            n, &mlc_graph_div_def, value,
            mlc_onnx_cast(n, mlc_onnx_by(n, &mlc_graph_max_def, all, 1), element));
    return mlc_onnx_select(n, mlc_onnx_is(n, all, &mlc_graph_greater_def, 0), value,
                           mlc_onnx_number_like(n, value, 0));
}

static bool
import_roi_align(MlcOnnxNodeImport *n)
{
    Roi roi;
    MlcValue *places[2], *value;
    if (!read_roi(n, &roi) || !check_roi(n, &roi))
        return false;
    MlcAttr channels = mlc_size_of_dim(mlc_value_type(n->inputs[0]), 1);
    roi.image = mlc_onnx_move_channels(n, n->inputs[0], true);
    roi.batch = mlc_onnx_whole(n, reshape_regions(n, n->inputs[2], &roi, 1, 1));
    for (size_t d = 0; d < 2; d++) {
        find_sides(n, &roi, d);
        if (!roi.image || !roi.batch || !roi.bin[d])
            return false;
    }
    if (roi.counts_samples) {
        value = join_counted_samples(n, &roi, channels);
    } else {
        for (size_t d = 0; d < 2; d++)
            places[d] = sample_places(n, &roi, d, all_steps(n, &roi, d),
                                      mlc_onnx_number_like(n, roi.bin[d], (double)roi.samples));
        value = join_samples(n, sample(n, &roi, places), &roi, channels);
    }
    return mlc_onnx_set_result(n, mlc_onnx_move_channels(n, value, false));
}

// ---- MaxRoiPool

// Regions [count, 5] of an image [N, C, H, W]: the image of each, and its sides.
typedef struct RoiPool {
    MlcAttr count, channels, sizes[2]; // of regions; of the image
    MlcOnnxInts bins;                  // rows and columns
    MlcValue *regions;                 // of f32 or f64
    float scale;
} RoiPool;

static bool
read_roi_pool(MlcOnnxNodeImport *n, RoiPool *pool)
{
    enum { MAX_BINS = 4096 };
    MlcType x = mlc_value_type(n->inputs[0]), rois = mlc_value_type(n->inputs[1]);
    MlcType element = mlc_type_element(rois),
            f32 = mlc_float_type_get(n->import->ctx, MLC_FLOAT_F32);
    *pool = (RoiPool){.scale = 1};
    if (!mlc_onnx_read_ints(n, "pooled_shape", &pool->bins) ||
        !mlc_onnx_read_float(n, "spatial_scale", &pool->scale))
        return false;
    if (!mlc_onnx_has_sizes(x) || mlc_type_rank(x) != 4 || !mlc_onnx_has_sizes(rois) ||
        mlc_type_rank(rois) != 2 || mlc_type_dim(rois, 1) == MLC_DYNAMIC ||
        !mlc_type_is_float(element))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(x),
                                    mlc_type_text(rois));
    if (mlc_type_dim(rois, 1) != 5)
        return mlc_onnx_invalid(n, "regions of type %s", mlc_type_text(rois));
    if (pool->bins.count != 2)
        return mlc_onnx_invalid(n, "attribute 'pooled_shape' has %zu sizes", pool->bins.count);
    for (size_t i = 0; i < 2; i++) {
        pool->sizes[i] = mlc_size_of_dim(x, i + 2);
        if (pool->bins.items[i] < 1 || pool->bins.items[i] > MAX_BINS)
            return mlc_onnx_invalid(n, "%" PRId64 " bins", pool->bins.items[i]);
    }
    pool->count = mlc_size_of_dim(rois, 0);
    pool->channels = mlc_size_of_dim(x, 1);
    pool->regions =
        mlc_type_bit_width(element) < 32 ? mlc_onnx_cast(n, n->inputs[1], f32) : n->inputs[1];
    return pool->regions != NULL;
}

// The nearest whole number, the one farther from 0 where there are two.
static MlcValue *
round_away(MlcOnnxNodeImport *n, MlcValue *x)
{
    MlcValue *size = mlc_onnx_build_one(n, &mlc_graph_abs_def, x);
    MlcValue *down = mlc_onnx_build_one(n, &mlc_graph_floor_def, size);
    MlcValue *up = mlc_onnx_by(n, &mlc_graph_add_def, down, 1);
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, size, down);
    MlcValue *near = mlc_onnx_select(n, mlc_onnx_is(n, rest, &mlc_graph_less_def, 0.5), down, up);
    return mlc_onnx_build_two(n, &mlc_graph_mul_def, near,
                              mlc_onnx_build_one(n, &mlc_graph_sign_def, x));
}

static MlcValue *
region_column(MlcOnnxNodeImport *n, const RoiPool *pool, int64_t column)
{
    MlcAttr from = mlc_size_number(n->import->ctx, column);
    return mlc_onnx_slice_to(n, pool->regions, from, mlc_size_number(n->import->ctx, column + 1),
                             1);
}

// Of the bins of rows (0) or columns, [count, bins, 1]: where they begin, and before which pixel
// they end; both within the image.
static void
find_bins(MlcOnnxNodeImport *n, const RoiPool *pool, size_t dim, MlcValue *bounds[2])
{
    MlcContext *ctx = n->import->ctx;
    int64_t bins = pool->bins.items[dim], first = 2 - (int64_t)dim;
    MlcAttr shape[] = {pool->count, mlc_size_number(ctx, bins), mlc_size_number(ctx, 1)};
    MlcType element = mlc_type_element(mlc_value_type(pool->regions));
    MlcValue *sides[2];
    for (size_t i = 0; i < 2; i++)
        sides[i] = round_away(n, mlc_onnx_by(n, &mlc_graph_mul_def,
                                             region_column(n, pool, first + 2 * (int64_t)i),
                                             (double)pool->scale));
    MlcValue *length = mlc_onnx_build_two(n, &mlc_graph_sub_def, sides[1], sides[0]);
    length = mlc_onnx_by(n, &mlc_graph_max_def, mlc_onnx_by(n, &mlc_graph_add_def, length, 1), 1);
    MlcValue *bin = mlc_onnx_by(n, &mlc_graph_div_def, length, (double)bins);
    MlcValue *number = mlc_onnx_cast(n, mlc_onnx_build_count(n, bins, 1, 2), element);
    for (size_t i = 0; i < 2; i++) {
        MlcValue *at = mlc_onnx_build_two(
            n, &mlc_graph_mul_def, i ? mlc_onnx_by(n, &mlc_graph_add_def, number, 1) : number, bin);
        at = mlc_onnx_build_one(n, i ? &mlc_graph_ceil_def : &mlc_graph_floor_def, at);
        at = mlc_onnx_build_two(n, &mlc_graph_add_def, at, sides[0]);
        at = mlc_onnx_hold(n, at, 0, mlc_onnx_size_like(n, at, pool->sizes[dim], 0));
        bounds[i] = mlc_onnx_reshape_to(n, at, &(MlcOnnxSizes){shape, 3});
    }
}

// Which pixels each bin has, [count, bins, size].
static MlcValue *
pixels_of_bins(MlcOnnxNodeImport *n, const RoiPool *pool, size_t dim, MlcValue *const bounds[2])
{
    MlcType element = mlc_type_element(mlc_value_type(pool->regions));
    MlcValue *pixel = mlc_onnx_cast(n, mlc_onnx_build_count_to(n, pool->sizes[dim], 2, 3), element);
    MlcValue *begun = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, bounds[0], pixel);
    return mlc_onnx_select(n, begun, mlc_onnx_compare(n, &mlc_graph_less_def, pixel, bounds[1]),
                           begun);
}

static MlcValue *
reshape_5(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr a, MlcAttr b, MlcAttr c, MlcAttr d,
          MlcAttr e)
{
    MlcAttr shape[] = {a, b, c, d, e};
    return mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){shape, 5});
}

// The largest of the elements that are in a bin, along `axis`.
static MlcValue *
largest_of(MlcOnnxNodeImport *n, MlcValue *inside, MlcValue *value, int64_t axis)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){&axis, 1});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    value = mlc_onnx_select(n, inside, value, mlc_onnx_number_like(n, value, -HUGE_VAL));
    return value ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &value, 1, &attrs) : NULL;
}

// The image of each region, [count, C, H, W]; of a batch of one it is for all, [1, C, H, W].
static MlcValue *
images_of_regions(MlcOnnxNodeImport *n, const RoiPool *pool)
{
    MlcValue *number = mlc_onnx_whole(n, region_column(n, pool, 0)), *x = n->inputs[0];
    if (mlc_type_dim(mlc_value_type(x), 0) != 1)
        return mlc_onnx_gather_pixels(n, x, number, 0, false);
    int64_t axes[] = {0, 1};
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, 2});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    MlcValue *all =
        mlc_onnx_cast(n, mlc_onnx_is(n, number, &mlc_graph_equal_def, 0), mlc_onnx_i64(n));
    all = all ? mlc_onnx_build(n, &mlc_graph_reduce_min_def, &all, 1, &attrs) : NULL;
    return mlc_onnx_assert(n, x, mlc_onnx_is(n, all, &mlc_graph_greater_def, 0),
                           "a region is of an image that is not there");
}

// Fast R-CNN's pooling (arXiv 1504.08083, section 2.1): the largest pixel of each bin of a region,
// along columns and then along rows; 0 where a bin has none.
static bool
import_max_roi_pool(MlcOnnxNodeImport *n)
{
    RoiPool p;
    MlcValue *bounds[2][2], *inside[2], *filled[2];
    if (!read_roi_pool(n, &p))
        return false;
    MlcContext *ctx = n->import->ctx;
    MlcAttr one = mlc_size_number(ctx, 1), rows = mlc_size_number(ctx, p.bins.items[0]);
    MlcAttr columns = mlc_size_number(ctx, p.bins.items[1]), h = p.sizes[0], w = p.sizes[1];
    for (size_t d = 0; d < 2; d++) {
        find_bins(n, &p, d, bounds[d]);
        inside[d] = pixels_of_bins(n, &p, d, bounds[d]);
        filled[d] = mlc_onnx_compare(n, &mlc_graph_less_def, bounds[d][0], bounds[d][1]);
        if (!inside[d] || !filled[d])
            return false;
    }
    MlcValue *image = images_of_regions(n, &p);
    MlcAttr images = image ? mlc_size_of_dim(mlc_value_type(image), 0) : NULL;
    image = reshape_5(n, image, images, p.channels, h, one, w);
    MlcValue *value =
        largest_of(n, reshape_5(n, inside[1], p.count, one, one, columns, w), image, 4);
    value = reshape_5(n, value, p.count, p.channels, one, h, columns);
    value = largest_of(n, reshape_5(n, inside[0], p.count, one, rows, h, one), value, 3);
    MlcAttr of_rows[] = {p.count, one, rows, one}, of_columns[] = {p.count, one, one, columns};
    MlcValue *any = mlc_onnx_reshape_to(n, filled[0], &(MlcOnnxSizes){of_rows, 4});
    any = mlc_onnx_select(n, any, mlc_onnx_reshape_to(n, filled[1], &(MlcOnnxSizes){of_columns, 4}),
                          any);
    return mlc_onnx_set_result(n,
                               mlc_onnx_select(n, any, value, mlc_onnx_number_like(n, value, 0)));
}

static const MlcOnnxOperator rows[] = {
    {"MaxRoiPool", 1, MLC_ONNX_NEWEST, 2, 2, .import = import_max_roi_pool},
    {"RoiAlign", 10, MLC_ONNX_NEWEST, 3, 3, .import = import_roi_align,
     .found = mlc_onnx_rule_regions},
};
const MlcOnnxOperators mlc_onnx_regions = MLC_ONNX_OPERATORS(rows);
