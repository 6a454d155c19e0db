// ops_sampling.c -- ONNX operators: images read at places that are computed.
//
// A place becomes whole pixels around it, each held within the image, and a weight for each; pixels
// are gathered, with all their channels, multiplied and added up.
#include "found_sizes.h"
#include "node.h"

#include "mlc/dialects/graph_geometry.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_TAPS = 4, MAX_SPATIAL = 3 };

// One dimension of all places.
typedef struct Taps {
    size_t count;
    MlcValue *pixel[MAX_TAPS];  // i64, within the image
    MlcValue *weight[MAX_TAPS]; // NULL: 1
    MlcValue *inside[MAX_TAPS]; // i1: outside is 0; NULL: it is within
} Taps;

static MlcValue *
number_like(MlcOnnxNodeImport *n, MlcValue *value, double number)
{
    return value ? mlc_onnx_build_number(n, mlc_type_element(mlc_value_type(value)), number) : NULL;
}

// value op number
static MlcValue *
by(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, double number)
{
    return mlc_onnx_build_two(n, op, value, number_like(n, value, number));
}

static MlcValue *
is(MlcOnnxNodeImport *n, MlcValue *value, const MlcOpDef *op, double number)
{
    return mlc_onnx_compare(n, op, value, number_like(n, value, number));
}

// Within [low, high], the latter one number; NaN is the lower bound.
static MlcValue *
hold(MlcOnnxNodeImport *n, MlcValue *value, double low, MlcValue *high)
{
    value = mlc_onnx_select(n, is(n, value, &mlc_graph_greater_def, low), value,
                            number_like(n, value, low));
    return mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_def, value, high), value, high);
}

static MlcValue *
whole(MlcOnnxNodeImport *n, MlcValue *value)
{
    return mlc_onnx_cast(n, value, mlc_onnx_i64(n));
}

// [..., C, ...spatial] with the channels last, or back.
static MlcValue *
move_channels(MlcOnnxNodeImport *n, MlcValue *value, bool to_end)
{
    int64_t perm[MLC_SMALL_RANK];
    size_t rank = value ? mlc_type_rank(mlc_value_type(value)) : 0;
    for (size_t i = 0; i < rank; i++)
        perm[i] = to_end ? (i == 0         ? 0
                            : i + 1 < rank ? (int64_t)i + 1
                                           : 1)
                         : (i == 0   ? 0
                            : i == 1 ? (int64_t)rank - 1
                                     : (int64_t)i - 1);
    return value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, rank}) : NULL;
}

// The pixels of `image` [..., C] that the tuples name.
static MlcValue *
gather_pixels(MlcOnnxNodeImport *n, MlcValue *image, MlcValue *tuples, int64_t batch_dims,
              bool is_within)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "batch_dims", batch_dims);
    if (!image || !tuples)
        return NULL;
    MlcValue *made =
        mlc_onnx_build(n, &mlc_graph_gather_nd_def, (MlcValue *[]){image, tuples}, 2, &attrs);
    if (made && is_within && mlc_graph_gather_nd_isa(mlc_value_def(made)))
        mlc_op_set_attr(mlc_value_def(made), MLC_GRAPH_CHECKED,
                        mlc_unit_attr_get(mlc_onnx_context_of(n)));
    return made;
}

// ---- GridSample

typedef enum Padding { PAD_ZEROS, PAD_BORDER, PAD_REFLECTION } Padding;
typedef enum Mode { MODE_NEAREST, MODE_LINEAR, MODE_CUBIC } Mode;

typedef struct Grid {
    Mode mode;
    Padding padding;
    bool aligns; // corners of the grid are the centres of corner pixels, else their outer corners
} Grid;

static bool
read_choice(MlcOnnxNodeImport *n, const char *name, const char *const *texts,
            const unsigned char *means, size_t count, unsigned *choice)
{
    MlcStr text = mlc_str(texts[0]);
    if (!mlc_onnx_read_str(n, name, &text))
        return false;
    for (size_t i = 0; i < count; i++)
        if (mlc_str_equal(text, mlc_str(texts[i])))
            return *choice = means[i], true;
    return mlc_onnx_invalid(n, "attribute '%s' is '%.*s'", name, MLC_STR_FMT(text));
}

static bool
read_grid(MlcOnnxNodeImport *n, Grid *grid)
{
    static const char *const modes[] = {"linear", "bilinear", "nearest", "cubic", "bicubic"};
    static const char *const paddings[] = {"zeros", "border", "reflection"};
    static const unsigned char mode_means[] = {MODE_LINEAR, MODE_LINEAR, MODE_NEAREST, MODE_CUBIC,
                                               MODE_CUBIC},
                               padding_means[] = {PAD_ZEROS, PAD_BORDER, PAD_REFLECTION};
    unsigned mode = 0, padding = 0;
    int64_t aligns = 0;
    if (!read_choice(n, "mode", modes, mode_means, 5, &mode) ||
        !read_choice(n, "padding_mode", paddings, padding_means, 3, &padding) ||
        !mlc_onnx_read_int(n, "align_corners", &aligns))
        return false;
    *grid = (Grid){.mode = (Mode)mode, .padding = (Padding)padding, .aligns = aligns != 0};
    return true;
}

// A size, or what is so much more, as one number of the type of `value`'s elements.
static MlcValue *
size_like(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr size, double more)
{
    int64_t known;
    if (!value || !size)
        return NULL;
    if (mlc_size_is_number(size, &known))
        return number_like(n, value, (double)known + more);
    MlcValue *number =
        mlc_onnx_cast(n, mlc_onnx_build_size(n, size), mlc_type_element(mlc_value_type(value)));
    return more == 0 ? number : by(n, &mlc_graph_add_def, number, more);
}

// Mirrored at both ends until it is between them: `low`, and what is `range` more, one number that
// is no less than 0.
static MlcValue *
reflect(MlcOnnxNodeImport *n, MlcValue *x, double low, MlcValue *range)
{
    MlcValue *none = by(n, &mlc_graph_mul_def, x, 0), *high = by(n, &mlc_graph_add_def, range, low);
    MlcValue *below = mlc_onnx_build_two(n, &mlc_graph_sub_def, number_like(n, x, low), x);
    MlcValue *beyond = mlc_onnx_build_two(n, &mlc_graph_max_def, below,
                                          mlc_onnx_build_two(n, &mlc_graph_sub_def, x, high));
    MlcValue *turns = mlc_onnx_build_one(n, &mlc_graph_floor_def,
                                         mlc_onnx_build_two(n, &mlc_graph_div_def, beyond, range));
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, beyond,
                                        mlc_onnx_build_two(n, &mlc_graph_mul_def, turns, range));
    MlcValue *pairs =
        mlc_onnx_build_one(n, &mlc_graph_floor_def, by(n, &mlc_graph_mul_def, turns, 0.5));
    MlcValue *odd =
        mlc_onnx_build_two(n, &mlc_graph_sub_def, turns, by(n, &mlc_graph_mul_def, pairs, 2));
    MlcValue *from_low =
        mlc_onnx_compare(n, &mlc_graph_equal_def, is(n, odd, &mlc_graph_equal_def, 0),
                         is(n, below, &mlc_graph_greater_def, 0));
    MlcValue *mirrored = mlc_onnx_select(n, from_low, by(n, &mlc_graph_add_def, rest, low),
                                         mlc_onnx_build_two(n, &mlc_graph_sub_def, high, rest));
    x = mlc_onnx_select(n, is(n, beyond, &mlc_graph_greater_def, 0), mirrored, x);
    return mlc_onnx_select(n, is(n, range, &mlc_graph_greater_def, 0), x, none);
}

// The weight of the pixel `offset` from the one below x, where `t` is how far x is from that.
static MlcValue *
cubic_weight(MlcOnnxNodeImport *n, MlcValue *t, int64_t offset)
{
    const double a = -0.75;
    MlcValue *d = offset <= 0 ? by(n, &mlc_graph_add_def, t, (double)-offset)
                              : mlc_onnx_build_two(n, &mlc_graph_sub_def,
                                                   number_like(n, t, (double)offset), t);
    bool is_near = offset == 0 || offset == 1;
    // |d| <= 1: (a + 2) d^3 - (a + 3) d^2 + 1; up to 2: a d^3 - 5 a d^2 + 8 a d - 4 a
    MlcValue *sum = by(n, &mlc_graph_mul_def, d, is_near ? a + 2 : a);
    sum = by(n, &mlc_graph_sub_def, sum, is_near ? a + 3 : 5 * a);
    sum = mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, d);
    sum = is_near ? sum : by(n, &mlc_graph_add_def, sum, 8 * a);
    sum = mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, d);
    return by(n, &mlc_graph_add_def, sum, is_near ? 1 : -4 * a);
}

// The pixel `x`, a whole number, of a dimension of `size`.
static void
set_pixel(MlcOnnxNodeImport *n, const Grid *grid, MlcValue *x, MlcAttr size, size_t i, Taps *taps)
{
    MlcValue *last = size_like(n, x, size, -1);
    if (grid->padding == PAD_ZEROS) {
        MlcValue *starts = is(n, x, &mlc_graph_greater_or_equal_def, 0);
        MlcValue *ends = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, x, last);
        taps->inside[i] = mlc_onnx_select(n, starts, ends, starts);
    }
    if (grid->padding == PAD_REFLECTION)
        x = reflect(n, x, grid->aligns ? 0 : -0.5, size_like(n, x, size, grid->aligns ? -1 : 0));
    taps->pixel[i] = whole(n, hold(n, x, 0, last));
}

// From places in [-1, 1] to the pixels around them. What lies outside is brought inside before it
// is taken apart; of cubic interpolation, as torch and onnxruntime do, only its pixels are.
static void
find_taps(MlcOnnxNodeImport *n, const Grid *grid, MlcValue *x, MlcAttr size, Taps *taps)
{
    double low = grid->aligns ? 0 : -0.5;
    MlcValue *last = size_like(n, x, size, -1);
    MlcValue *high = size_like(n, x, size, -1 - low);
    x = by(n, &mlc_graph_add_def, x, 1);
    if (grid->aligns)
        x = mlc_onnx_build_two(n, &mlc_graph_mul_def, by(n, &mlc_graph_div_def, x, 2), last);
    else
        x = by(n, &mlc_graph_div_def,
               by(n, &mlc_graph_sub_def,
                  mlc_onnx_build_two(n, &mlc_graph_mul_def, x, size_like(n, x, size, 0)), 1),
               2);
    if (grid->mode == MODE_NEAREST)
        x = mlc_onnx_build_one(n, &mlc_graph_round_def, x);
    if (grid->padding == PAD_BORDER && grid->mode != MODE_CUBIC) {
        MlcValue *starts = is(n, x, &mlc_graph_less_def, low);
        MlcValue *ends = mlc_onnx_compare(n, &mlc_graph_greater_def, x, high);
        x = mlc_onnx_select(n, starts, number_like(n, x, 0), x);
        x = mlc_onnx_select(n, ends, last, x);
    }
    if (grid->padding == PAD_REFLECTION && grid->mode != MODE_CUBIC)
        x = reflect(n, x, low, size_like(n, x, size, grid->aligns ? -1 : 0));
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = grid->mode == MODE_NEAREST ? 1 : grid->mode == MODE_LINEAR ? 2 : 4;
    for (size_t i = 0; i < taps->count; i++) {
        int64_t offset = (int64_t)i - (grid->mode == MODE_CUBIC);
        set_pixel(n, grid, by(n, &mlc_graph_add_def, base, (double)offset), size, i, taps);
        if (grid->mode == MODE_CUBIC)
            taps->weight[i] = cubic_weight(n, t, offset);
        else if (grid->mode == MODE_LINEAR)
            taps->weight[i] =
                i ? t : mlc_onnx_build_two(n, &mlc_graph_sub_def, number_like(n, t, 1), t);
    }
}

// The pixels of one tap in each dimension, times their weight.
static MlcValue *
weighted_pixels(MlcOnnxNodeImport *n, MlcValue *image, const Taps *taps, const size_t *tap,
                size_t rank)
{
    MlcValue *places[MAX_SPATIAL], *weight = NULL, *inside = NULL;
    MlcType element = mlc_type_element(mlc_value_type(image));
    for (size_t i = 0; i < rank; i++) {
        MlcValue *w = taps[i].weight[tap[i]], *in = taps[i].inside[tap[i]];
        places[i] = taps[i].pixel[tap[i]];
        weight = weight && w ? mlc_onnx_build_two(n, &mlc_graph_mul_def, weight, w)
                 : w         ? w
                             : weight;
        inside = inside && in ? mlc_onnx_select(n, inside, in, inside) : in ? in : inside;
    }
    MlcValue *pixels =
        gather_pixels(n, image, mlc_onnx_concat(n, places, rank, (int64_t)rank + 1), 1, true);
    if (weight) // of a place that is infinite it is no number, but then the pixel is outside
        pixels =
            mlc_onnx_build_two(n, &mlc_graph_mul_def, pixels, mlc_onnx_cast(n, weight, element));
    return inside ? mlc_onnx_select(n, inside, pixels, number_like(n, pixels, 0)) : pixels;
}

// Whether all sizes are known, or have a name.
static bool
has_sizes(MlcType type)
{
    bool ok = mlc_type_has_small_rank(type);
    for (size_t i = 0; ok && i < mlc_type_rank(type); i++)
        ok = mlc_size_of_dim(type, i) != NULL;
    return ok;
}

static bool
check_grid(MlcOnnxNodeImport *n, const Grid *grid)
{
    MlcType image = mlc_value_type(n->inputs[0]), places = mlc_value_type(n->inputs[1]);
    bool is_known = has_sizes(image) && has_sizes(places);
    size_t rank = is_known ? mlc_type_rank(image) : 0;
    is_known = rank > 0 &&
               (mlc_type_rank(places) != rank || mlc_type_dim(places, rank - 1) != MLC_DYNAMIC);
    if (!is_known || rank < 3 || rank > MAX_SPATIAL + 2 ||
        (!mlc_type_is_float(mlc_type_element(image)) && grid->mode != MODE_NEAREST))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(image),
                                    mlc_type_text(places));
    bool fits =
        mlc_type_rank(places) == rank && mlc_type_dim(places, rank - 1) == (int64_t)rank - 2;
    if (fits) { // what is open is compared when it runs
        int64_t batch[] = {mlc_type_dim(image, 0), mlc_type_dim(places, 0)};
        fits = batch[0] == batch[1] || batch[0] == MLC_DYNAMIC || batch[1] == MLC_DYNAMIC;
    }
    if (!fits)
        return mlc_onnx_invalid(n, "a grid of type %s for an input of type %s",
                                mlc_type_text(places), mlc_type_text(image));
    for (size_t i = 2; i < rank; i++) { // there is a pixel to read
        MlcAttr size = mlc_size_of_dim(image, i), one = mlc_size_number(n->import->ctx, 1);
        if (mlc_type_dim(image, i) == 0)
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(image));
        mlc_onnx_expect_equal(n, size, mlc_size_combine(MLC_SIZE_MAX, size, one));
    }
    return grid->mode != MODE_CUBIC || rank == 4 ||
           mlc_onnx_unsupported(n, "cubic interpolation in %zu dimensions", rank - 2);
}

static bool
import_grid_sample(MlcOnnxNodeImport *n)
{
    Grid grid;
    Taps taps[MAX_SPATIAL] = {0};
    if (!read_grid(n, &grid) || !check_grid(n, &grid))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    size_t spatial = mlc_type_rank(type) - 2, tap[MAX_SPATIAL] = {0};
    for (size_t i = 0; i < spatial; i++) { // the grid's numbers are x first
        int64_t last = (int64_t)spatial + 1, from = (int64_t)(spatial - 1 - i), to = from + 1;
        MlcValue *x =
            mlc_onnx_slice(n, n->inputs[1], (MlcOnnxInts){&from, 1}, (MlcOnnxInts){&to, 1},
                           (MlcOnnxInts){&last, 1}, (MlcOnnxInts){0});
        find_taps(n, &grid, x, mlc_size_of_dim(type, i + 2), &taps[i]);
    }
    MlcValue *image = move_channels(n, n->inputs[0], true), *sum = NULL;
    if (!image || !taps[0].pixel[0])
        return false;
    for (size_t d = 0; d < spatial;) {
        MlcValue *part = weighted_pixels(n, image, taps, tap, spatial);
        sum = sum ? mlc_onnx_build_two(n, &mlc_graph_add_def, sum, part) : part;
        if (!sum)
            return false;
        for (d = 0; d < spatial && ++tap[d] == taps[d].count; d++)
            tap[d] = 0;
    }
    return mlc_onnx_set_result(n, move_channels(n, sum, false));
}

// ---- RoiAlign

typedef struct Roi {
    int64_t bins[2], samples; // of rows and columns; per bin and direction
    MlcAttr count;            // of regions
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
    if (!read_choice(n, "mode", modes, means, 2, &mode) ||
        !read_choice(n, "coordinate_transformation_mode", transforms, means, 2, &transform) ||
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
    if (roi->samples == 0)
        return mlc_onnx_unsupported(n, "a number of samples that depends on the data "
                                       "(sampling_ratio 0)");
    return (roi->samples > 0 && roi->samples < INT16_MAX) ||
           mlc_onnx_invalid(n, "attribute 'sampling_ratio' is %" PRId64, roi->samples);
}

// Column `i` of the regions: [count, 1]; in pixels.
static MlcValue *
roi_side(MlcOnnxNodeImport *n, const Roi *roi, int64_t i)
{
    int64_t axis = 1, end = i + 1;
    MlcValue *side = mlc_onnx_slice(n, n->inputs[1], (MlcOnnxInts){&i, 1}, (MlcOnnxInts){&end, 1},
                                    (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    side = by(n, &mlc_graph_mul_def, side, (double)roi->scale);
    return roi->is_half ? by(n, &mlc_graph_sub_def, side, 0.5) : side;
}

// Where samples of each region lie, in rows (0) or columns: [count, bins * samples].
static MlcValue *
roi_places(MlcOnnxNodeImport *n, const Roi *roi, size_t dim)
{
    int64_t size = roi->bins[dim] * roi->samples, shape[] = {1, size};
    double *bins = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size);
    double *steps = MLC_NEW_ARRAY(&n->import->arena, double, (size_t)size);
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[1]));
    for (int64_t i = 0; i < size; i++) {
        bins[i] = (double)(i / roi->samples);
        steps[i] = (double)(i % roi->samples) + 0.5;
    }
    MlcValue *start = roi_side(n, roi, 1 - (int64_t)dim), *end = roi_side(n, roi, 3 - (int64_t)dim);
    MlcValue *length = mlc_onnx_build_two(n, &mlc_graph_sub_def, end, start);
    if (!roi->is_half)
        length = by(n, &mlc_graph_max_def, length, 1);
    MlcValue *bin = by(n, &mlc_graph_div_def, length, (double)roi->bins[dim]);
    MlcValue *at = mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                      mlc_onnx_build_floats(n, element, bins, shape, 2), bin);
    MlcValue *step = mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                        mlc_onnx_build_floats(n, element, steps, shape, 2), bin);
    at = mlc_onnx_build_two(n, &mlc_graph_add_def, start, at);
    return mlc_onnx_build_two(n, &mlc_graph_add_def, at,
                              by(n, &mlc_graph_div_def, step, (double)roi->samples));
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
roi_taps(MlcOnnxNodeImport *n, const Roi *roi, size_t dim, MlcAttr size, Taps *taps)
{
    int64_t shape[] = {1, 1};
    shape[dim] = roi->bins[dim] * roi->samples;
    MlcValue *x = reshape_regions(n, roi_places(n, roi, dim), roi, shape[0], shape[1]);
    MlcValue *starts = is(n, x, &mlc_graph_greater_or_equal_def, -1);
    MlcValue *ends = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, x, size_like(n, x, size, 0));
    MlcValue *inside = mlc_onnx_select(n, starts, ends, starts), *last = size_like(n, x, size, -1);
    x = hold(n, x, 0, last);
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = 2;
    taps->pixel[0] = whole(n, base);
    taps->pixel[1] = whole(n, hold(n, by(n, &mlc_graph_add_def, base, 1), 0, last));
    taps->weight[0] = mlc_onnx_build_two(n, &mlc_graph_sub_def, number_like(n, t, 1), t);
    taps->weight[1] = t;
    for (size_t i = 0; i < 2; i++)
        taps->weight[i] =
            mlc_onnx_select(n, inside, taps->weight[i], number_like(n, taps->weight[i], 0));
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
    bool ok = has_sizes(x) && mlc_type_rank(x) == 4 && has_sizes(rois) &&
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

static bool
import_roi_align(MlcOnnxNodeImport *n)
{
    Roi roi;
    Taps taps[2] = {0};
    if (!read_roi(n, &roi) || !check_roi(n, &roi))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    for (size_t d = 0; d < 2; d++)
        if (!roi_taps(n, &roi, d, mlc_size_of_dim(type, d + 2), &taps[d]))
            return false;
    MlcValue *batch = reshape_regions(n, n->inputs[2], &roi, 1, 1), *sum = NULL;
    MlcValue *image = batch ? move_channels(n, n->inputs[0], true) : NULL;
    batch = whole(n, batch);
    for (size_t i = 0; i < 4; i++) {
        size_t row = i / 2, column = i % 2;
        MlcValue *places[] = {spread(n, batch, &roi), spread(n, taps[0].pixel[row], &roi),
                              spread(n, taps[1].pixel[column], &roi)};
        MlcValue *weight =
            mlc_onnx_build_two(n, &mlc_graph_mul_def, taps[0].weight[row], taps[1].weight[column]);
        MlcValue *pixels = gather_pixels(n, image, mlc_onnx_concat(n, places, 3, 3), 0, false);
        pixels = mlc_onnx_build_two(n, &mlc_graph_mul_def, pixels, weight);
        sum = sum ? mlc_onnx_build_two(n, roi.is_max ? &mlc_graph_max_def : &mlc_graph_add_def, sum,
                                       pixels)
                  : pixels;
        if (!sum)
            return false;
    }
    sum = join_samples(n, sum, &roi, mlc_size_of_dim(type, 1));
    return mlc_onnx_set_result(n, move_channels(n, sum, false));
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
    if (!has_sizes(x) || mlc_type_rank(x) != 4 || !has_sizes(rois) || mlc_type_rank(rois) != 2 ||
        mlc_type_dim(rois, 1) == MLC_DYNAMIC || !mlc_type_is_float(element))
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
    MlcValue *up = by(n, &mlc_graph_add_def, down, 1);
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, size, down);
    MlcValue *near = mlc_onnx_select(n, is(n, rest, &mlc_graph_less_def, 0.5), down, up);
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
        sides[i] =
            round_away(n, by(n, &mlc_graph_mul_def, region_column(n, pool, first + 2 * (int64_t)i),
                             (double)pool->scale));
    MlcValue *length = mlc_onnx_build_two(n, &mlc_graph_sub_def, sides[1], sides[0]);
    length = by(n, &mlc_graph_max_def, by(n, &mlc_graph_add_def, length, 1), 1);
    MlcValue *bin = by(n, &mlc_graph_div_def, length, (double)bins);
    MlcValue *number = mlc_onnx_cast(n, mlc_onnx_build_count(n, bins, 1, 2), element);
    for (size_t i = 0; i < 2; i++) {
        MlcValue *at = mlc_onnx_build_two(n, &mlc_graph_mul_def,
                                          i ? by(n, &mlc_graph_add_def, number, 1) : number, bin);
        at = mlc_onnx_build_one(n, i ? &mlc_graph_ceil_def : &mlc_graph_floor_def, at);
        at = mlc_onnx_build_two(n, &mlc_graph_add_def, at, sides[0]);
        at = hold(n, at, 0, size_like(n, at, pool->sizes[dim], 0));
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
    value = mlc_onnx_select(n, inside, value, number_like(n, value, -HUGE_VAL));
    return value ? mlc_onnx_build(n, &mlc_graph_reduce_max_def, &value, 1, &attrs) : NULL;
}

// The image of each region, [count, C, H, W]; of a batch of one it is for all, [1, C, H, W].
static MlcValue *
images_of_regions(MlcOnnxNodeImport *n, const RoiPool *pool)
{
    MlcValue *number = whole(n, region_column(n, pool, 0)), *x = n->inputs[0];
    if (mlc_type_dim(mlc_value_type(x), 0) != 1)
        return gather_pixels(n, x, number, 0, false);
    int64_t axes[] = {0, 1};
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "axes", (MlcOnnxInts){axes, 2});
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    MlcValue *all = mlc_onnx_cast(n, is(n, number, &mlc_graph_equal_def, 0), mlc_onnx_i64(n));
    all = all ? mlc_onnx_build(n, &mlc_graph_reduce_min_def, &all, 1, &attrs) : NULL;
    return mlc_onnx_assert(n, x, is(n, all, &mlc_graph_greater_def, 0),
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
    return mlc_onnx_set_result(n, mlc_onnx_select(n, any, value, number_like(n, value, 0)));
}

// ---- DeformConv

// A convolution whose taps are read beside their places, off by what input 2 says.
typedef struct Deform {
    MlcOnnxInts strides, dilations, pads;
    int64_t group, offset_group, batch, channels, results, taps, positions;
    int64_t in[2], kernel[2], out[2];
} Deform;

static int64_t
entry_of(MlcOnnxInts list, size_t i, int64_t otherwise)
{
    return list.count ? list.items[i] : otherwise;
}

static bool
fits_list(MlcOnnxInts list, size_t count, int64_t least)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i] < least || list.items[i] > INT16_MAX)
            return false;
    return list.count == 0 || list.count == count;
}

static bool
is_of_shape(MlcType type, int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int64_t shape[] = {a, b, c, d};
    bool same = mlc_type_has_rank(type) && mlc_type_rank(type) == 4;
    for (size_t i = 0; same && i < 4; i++)
        same = mlc_type_dim(type, i) == shape[i];
    return same;
}

static bool
read_deform(MlcOnnxNodeImport *n, Deform *d)
{
    d->group = d->offset_group = 1;
    if (!mlc_onnx_read_ints(n, "strides", &d->strides) ||
        !mlc_onnx_read_ints(n, "dilations", &d->dilations) ||
        !mlc_onnx_read_ints(n, "pads", &d->pads) || !mlc_onnx_read_int(n, "group", &d->group) ||
        !mlc_onnx_read_int(n, "offset_group", &d->offset_group))
        return false;
    MlcType x = mlc_value_type(n->inputs[0]), w = mlc_value_type(n->inputs[1]);
    MlcType offsets = mlc_value_type(n->inputs[2]);
    MlcValue *mask = mlc_onnx_input_or_null(n, 4);
    const MlcType types[] = {x, w, offsets, mask ? mlc_value_type(mask) : x};
    for (size_t i = 0; i < 4; i++)
        if (!mlc_type_has_rank(types[i]) || mlc_type_rank(types[i]) != 4 ||
            !mlc_type_has_static_shape(types[i]) || mlc_type_num_elements(types[i]) < 1 ||
            !mlc_type_is_float(mlc_type_element(types[i])))
            return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(types[i]));
    d->batch = mlc_type_dim(x, 0);
    d->channels = mlc_type_dim(x, 1);
    d->results = mlc_type_dim(w, 0);
    bool ok = fits_list(d->strides, 2, 1) && fits_list(d->dilations, 2, 1) &&
              fits_list(d->pads, 4, 0) && d->group > 0 && d->offset_group > 0 &&
              d->channels % d->group == 0 && d->channels % d->offset_group == 0 &&
              d->results % d->group == 0 && mlc_type_dim(w, 1) == d->channels / d->group;
    for (size_t i = 0; i < 2 && ok; i++) {
        d->in[i] = mlc_type_dim(x, i + 2);
        d->kernel[i] = mlc_type_dim(w, i + 2);
        int64_t reach = (d->kernel[i] - 1) * entry_of(d->dilations, i, 1) + 1;
        int64_t rest = d->in[i] + entry_of(d->pads, i, 0) + entry_of(d->pads, i + 2, 0) - reach;
        d->out[i] = rest / entry_of(d->strides, i, 1) + 1;
        ok = rest >= 0;
    }
    d->taps = d->kernel[0] * d->kernel[1];
    d->positions = d->out[0] * d->out[1];
    int64_t places = d->offset_group * d->taps;
    ok = ok && is_of_shape(offsets, d->batch, 2 * places, d->out[0], d->out[1]) &&
         (!mask || is_of_shape(types[3], d->batch, places, d->out[0], d->out[1]));
    return ok || mlc_onnx_invalid(n, "offsets of type %s for an input of type %s and weights of %s",
                                  mlc_type_text(offsets), mlc_type_text(x), mlc_type_text(w));
}

// Rows (0) or columns of all taps at all positions, [batch * groups, taps, positions, 1].
static MlcValue *
deformed_places(MlcOnnxNodeImport *n, const Deform *d, size_t dim)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[2]));
    int64_t all[] = {d->batch * d->offset_group, d->taps, 2, d->positions};
    int64_t one[] = {1, d->taps, d->positions, 1}, from = (int64_t)dim, to = from + 1, axis = 2;
    const int64_t flat[] = {all[0], d->taps, d->positions, 1};
    if (!mlc_onnx_can_list(n, d->taps * d->positions))
        return NULL;
    double *numbers =
        MLC_NEW_ARRAY(&n->import->arena, double, (size_t)(d->taps * d->positions) + 1);
    for (int64_t t = 0; t < d->taps; t++)
        for (int64_t p = 0; p < d->positions; p++) {
            int64_t tap = dim == 0 ? t / d->kernel[1] : t % d->kernel[1];
            int64_t position = dim == 0 ? p / d->out[1] : p % d->out[1];
            numbers[t * d->positions + p] =
                (double)(position * entry_of(d->strides, dim, 1) +
                         tap * entry_of(d->dilations, dim, 1) - entry_of(d->pads, dim, 0));
        }
    MlcValue *offsets = mlc_onnx_reshape(n, n->inputs[2], (MlcOnnxInts){all, 4}, true);
    if (!offsets)
        return NULL;
    offsets = mlc_onnx_slice(n, offsets, (MlcOnnxInts){&from, 1}, (MlcOnnxInts){&to, 1},
                             (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
    offsets = offsets ? mlc_onnx_reshape(n, offsets, (MlcOnnxInts){flat, 4}, true) : NULL;
    return mlc_onnx_build_two(n, &mlc_graph_add_def, offsets,
                              mlc_onnx_build_floats(n, element, numbers, one, 4));
}

static void
deform_taps(MlcOnnxNodeImport *n, MlcValue *x, int64_t size, Taps *taps)
{
    const Grid grid = {.mode = MODE_LINEAR, .padding = PAD_ZEROS, .aligns = true};
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = 2;
    for (size_t i = 0; i < 2; i++) {
        set_pixel(n, &grid, by(n, &mlc_graph_add_def, base, (double)i),
                  mlc_size_number(n->import->ctx, size), i, taps);
        taps->weight[i] =
            i ? t : mlc_onnx_build_two(n, &mlc_graph_sub_def, number_like(n, t, 1), t);
    }
}

// What all taps read, [batch * groups, taps, positions, channels of a group].
static MlcValue *
deformed_columns(MlcOnnxNodeImport *n, const Deform *d)
{
    Taps taps[2] = {0};
    int64_t shape[] = {d->batch * d->offset_group, d->channels / d->offset_group, d->in[0],
                       d->in[1]};
    int64_t places[] = {shape[0], d->taps, d->positions, 1};
    MlcValue *image = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){shape, 4}, true), *sum = NULL;
    image = move_channels(n, image, true);
    for (size_t i = 0; i < 2; i++) {
        MlcValue *at = deformed_places(n, d, i);
        if (!at || !image)
            return NULL;
        deform_taps(n, at, d->in[i], &taps[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        const size_t tap[] = {i / 2, i % 2};
        MlcValue *pixels = weighted_pixels(n, image, taps, tap, 2);
        sum = sum ? mlc_onnx_build_two(n, &mlc_graph_add_def, sum, pixels) : pixels;
    }
    MlcValue *mask = mlc_onnx_input_or_null(n, 4);
    mask = mask && sum ? mlc_onnx_reshape(n, mask, (MlcOnnxInts){places, 4}, true) : NULL;
    return mask ? mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, mask) : sum;
}

static bool
import_deform_conv(MlcOnnxNodeImport *n)
{
    Deform d = {0};
    if (!read_deform(n, &d))
        return false;
    // From [batch * groups, taps, positions, channels] to [batch, groups of the product, inner,
    // positions].
    const int64_t inner = d.channels / d.group * d.taps, perm[] = {0, 3, 1, 2};
    const int64_t columns[] = {d.batch, d.group, inner, d.positions};
    const int64_t weights[] = {1, d.group, d.results / d.group, inner};
    const int64_t result[] = {d.batch, d.results, d.out[0], d.out[1]}, bias[] = {-1, 1, 1};
    MlcValue *value = deformed_columns(n, &d);
    value = value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, 4}) : NULL;
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){columns, 4}, true) : NULL;
    MlcValue *w = mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){weights, 4}, true);
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, w, value);
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){result, 4}, true) : NULL;
    MlcValue *added = mlc_onnx_input_or_null(n, 3);
    if (added && value)
        value = mlc_onnx_build_two(n, &mlc_graph_add_def, value,
                                   mlc_onnx_reshape(n, added, (MlcOnnxInts){bias, 3}, false));
    return mlc_onnx_set_result(n, value);
}

static const MlcOnnxOperator rows[] = {
    {"DeformConv", 19, MLC_ONNX_NEWEST, 3, 5, .import = import_deform_conv},
    {"GridSample", 16, MLC_ONNX_NEWEST, 2, 2, .import = import_grid_sample},
    {"MaxRoiPool", 1, MLC_ONNX_NEWEST, 2, 2, .import = import_max_roi_pool},
    {"RoiAlign", 10, MLC_ONNX_NEWEST, 3, 3, .import = import_roi_align,
     .found = mlc_onnx_rule_regions},
};
const MlcOnnxOperators mlc_onnx_sampling = MLC_ONNX_OPERATORS(rows);
