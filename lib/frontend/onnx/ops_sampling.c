// ops_sampling.c -- ONNX operators: images read at places that are computed.
//
// A place becomes whole pixels around it, each held within the image, and a weight for each; pixels
// are gathered, with all their channels, multiplied and added up.
#include "sampling.h"

#include "mlc/dialects/graph_geometry.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_SPATIAL = 3 };

MlcValue *
mlc_onnx_number_like(MlcOnnxNodeImport *n, MlcValue *value, double number)
{
    return value ? mlc_onnx_build_number(n, mlc_type_element(mlc_value_type(value)), number) : NULL;
}

// value op number
MlcValue *
mlc_onnx_by(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value, double number)
{
    return mlc_onnx_build_two(n, op, value, mlc_onnx_number_like(n, value, number));
}

MlcValue *
mlc_onnx_is(MlcOnnxNodeImport *n, MlcValue *value, const MlcOpDef *op, double number)
{
    return mlc_onnx_compare(n, op, value, mlc_onnx_number_like(n, value, number));
}

// Within [low, high], the latter one number; NaN is the lower bound.
MlcValue *
mlc_onnx_hold(MlcOnnxNodeImport *n, MlcValue *value, double low, MlcValue *high)
{
    value = mlc_onnx_select(n, mlc_onnx_is(n, value, &mlc_graph_greater_def, low), value,
                            mlc_onnx_number_like(n, value, low));
    return mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_less_def, value, high), value, high);
}

MlcValue *
mlc_onnx_whole(MlcOnnxNodeImport *n, MlcValue *value)
{
    return mlc_onnx_cast(n, value, mlc_onnx_i64(n));
}

// [..., C, ...spatial] with the channels last, or back.
MlcValue *
mlc_onnx_move_channels(MlcOnnxNodeImport *n, MlcValue *value, bool to_end)
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
MlcValue *
mlc_onnx_gather_pixels(MlcOnnxNodeImport *n, MlcValue *image, MlcValue *tuples, int64_t batch_dims,
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

bool
mlc_onnx_read_choice(MlcOnnxNodeImport *n, const char *name, const char *const *texts,
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
    if (!mlc_onnx_read_choice(n, "mode", modes, mode_means, 5, &mode) ||
        !mlc_onnx_read_choice(n, "padding_mode", paddings, padding_means, 3, &padding) ||
        !mlc_onnx_read_int(n, "align_corners", &aligns))
        return false;
    *grid = (Grid){.mode = (Mode)mode, .padding = (Padding)padding, .aligns = aligns != 0};
    return true;
}

// A size, or what is so much more, as one number of the type of `value`'s elements.
MlcValue *
mlc_onnx_size_like(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr size, double more)
{
    int64_t known;
    if (!value || !size)
        return NULL;
    if (mlc_size_is_number(size, &known))
        return mlc_onnx_number_like(n, value, (double)known + more);
    MlcValue *number =
        mlc_onnx_cast(n, mlc_onnx_build_size(n, size), mlc_type_element(mlc_value_type(value)));
    return more == 0 ? number : mlc_onnx_by(n, &mlc_graph_add_def, number, more);
}

// Mirrored at both ends until it is between them: `low`, and what is `range` more, one number that
// is no less than 0.
static MlcValue *
reflect(MlcOnnxNodeImport *n, MlcValue *x, double low, MlcValue *range)
{
    MlcValue *none = mlc_onnx_by(n, &mlc_graph_mul_def, x, 0),
             *high = mlc_onnx_by(n, &mlc_graph_add_def, range, low);
    MlcValue *below = mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_number_like(n, x, low), x);
    MlcValue *beyond = mlc_onnx_build_two(n, &mlc_graph_max_def, below,
                                          mlc_onnx_build_two(n, &mlc_graph_sub_def, x, high));
    MlcValue *turns = mlc_onnx_build_one(n, &mlc_graph_floor_def,
                                         mlc_onnx_build_two(n, &mlc_graph_div_def, beyond, range));
    MlcValue *rest = mlc_onnx_build_two(n, &mlc_graph_sub_def, beyond,
                                        mlc_onnx_build_two(n, &mlc_graph_mul_def, turns, range));
    MlcValue *pairs =
        mlc_onnx_build_one(n, &mlc_graph_floor_def, mlc_onnx_by(n, &mlc_graph_mul_def, turns, 0.5));
    MlcValue *odd = mlc_onnx_build_two(n, &mlc_graph_sub_def, turns,
                                       mlc_onnx_by(n, &mlc_graph_mul_def, pairs, 2));
    MlcValue *from_low =
        mlc_onnx_compare(n, &mlc_graph_equal_def, mlc_onnx_is(n, odd, &mlc_graph_equal_def, 0),
                         mlc_onnx_is(n, below, &mlc_graph_greater_def, 0));
    MlcValue *mirrored = mlc_onnx_select(n, from_low, mlc_onnx_by(n, &mlc_graph_add_def, rest, low),
                                         mlc_onnx_build_two(n, &mlc_graph_sub_def, high, rest));
    x = mlc_onnx_select(n, mlc_onnx_is(n, beyond, &mlc_graph_greater_def, 0), mirrored, x);
    return mlc_onnx_select(n, mlc_onnx_is(n, range, &mlc_graph_greater_def, 0), x, none);
}

// The weight of the pixel `offset` from the one below x, where `t` is how far x is from that.
static MlcValue *
cubic_weight(MlcOnnxNodeImport *n, MlcValue *t, int64_t offset)
{
    const double a = -0.75;
    MlcValue *d = offset <= 0 ? mlc_onnx_by(n, &mlc_graph_add_def, t, (double)-offset)
                              : mlc_onnx_build_two(n, &mlc_graph_sub_def,
                                                   mlc_onnx_number_like(n, t, (double)offset), t);
    bool is_near = offset == 0 || offset == 1;
    // |d| <= 1: (a + 2) d^3 - (a + 3) d^2 + 1; up to 2: a d^3 - 5 a d^2 + 8 a d - 4 a
    MlcValue *sum = mlc_onnx_by(n, &mlc_graph_mul_def, d, is_near ? a + 2 : a);
    sum = mlc_onnx_by(n, &mlc_graph_sub_def, sum, is_near ? a + 3 : 5 * a);
    sum = mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, d);
    sum = is_near ? sum : mlc_onnx_by(n, &mlc_graph_add_def, sum, 8 * a);
    sum = mlc_onnx_build_two(n, &mlc_graph_mul_def, sum, d);
    return mlc_onnx_by(n, &mlc_graph_add_def, sum, is_near ? 1 : -4 * a);
}

// The pixel `x`, a whole number, of a dimension of `size`.
static void
set_pixel(MlcOnnxNodeImport *n, const Grid *grid, MlcValue *x, MlcAttr size, size_t i,
          MlcOnnxTaps *taps)
{
    MlcValue *last = mlc_onnx_size_like(n, x, size, -1);
    if (grid->padding == PAD_ZEROS) {
        MlcValue *starts = mlc_onnx_is(n, x, &mlc_graph_greater_or_equal_def, 0);
        MlcValue *ends = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, x, last);
        taps->inside[i] = mlc_onnx_select(n, starts, ends, starts);
    }
    if (grid->padding == PAD_REFLECTION)
        x = reflect(n, x, grid->aligns ? 0 : -0.5,
                    mlc_onnx_size_like(n, x, size, grid->aligns ? -1 : 0));
    taps->pixel[i] = mlc_onnx_whole(n, mlc_onnx_hold(n, x, 0, last));
}

// From places in [-1, 1] to the pixels around them. What lies outside is brought inside before it
// is taken apart; of cubic interpolation, as torch and onnxruntime do, only its pixels are.
static void
find_taps(MlcOnnxNodeImport *n, const Grid *grid, MlcValue *x, MlcAttr size, MlcOnnxTaps *taps)
{
    double low = grid->aligns ? 0 : -0.5;
    MlcValue *last = mlc_onnx_size_like(n, x, size, -1);
    MlcValue *high = mlc_onnx_size_like(n, x, size, -1 - low);
    x = mlc_onnx_by(n, &mlc_graph_add_def, x, 1);
    if (grid->aligns)
        x = mlc_onnx_build_two(n, &mlc_graph_mul_def, mlc_onnx_by(n, &mlc_graph_div_def, x, 2),
                               last);
    else
        x = mlc_onnx_by(n, &mlc_graph_div_def,
                        mlc_onnx_by(n, &mlc_graph_sub_def,
                                    mlc_onnx_build_two(n, &mlc_graph_mul_def, x,
                                                       mlc_onnx_size_like(n, x, size, 0)),
                                    1),
                        2);
    if (grid->mode == MODE_NEAREST)
        x = mlc_onnx_build_one(n, &mlc_graph_round_def, x);
    if (grid->padding == PAD_BORDER && grid->mode != MODE_CUBIC) {
        MlcValue *starts = mlc_onnx_is(n, x, &mlc_graph_less_def, low);
        MlcValue *ends = mlc_onnx_compare(n, &mlc_graph_greater_def, x, high);
        x = mlc_onnx_select(n, starts, mlc_onnx_number_like(n, x, 0), x);
        x = mlc_onnx_select(n, ends, last, x);
    }
    if (grid->padding == PAD_REFLECTION && grid->mode != MODE_CUBIC)
        x = reflect(n, x, low, mlc_onnx_size_like(n, x, size, grid->aligns ? -1 : 0));
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = grid->mode == MODE_NEAREST ? 1 : grid->mode == MODE_LINEAR ? 2 : 4;
    for (size_t i = 0; i < taps->count; i++) {
        int64_t offset = (int64_t)i - (grid->mode == MODE_CUBIC);
        set_pixel(n, grid, mlc_onnx_by(n, &mlc_graph_add_def, base, (double)offset), size, i, taps);
        if (grid->mode == MODE_CUBIC)
            taps->weight[i] = cubic_weight(n, t, offset);
        else if (grid->mode == MODE_LINEAR)
            taps->weight[i] =
                i ? t : mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_number_like(n, t, 1), t);
    }
}

// The pixels of one tap in each dimension, times their weight.
static MlcValue *
weighted_pixels(MlcOnnxNodeImport *n, MlcValue *image, const MlcOnnxTaps *taps, const size_t *tap,
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
    MlcValue *pixels = mlc_onnx_gather_pixels(
        n, image, mlc_onnx_concat(n, places, rank, (int64_t)rank + 1), 1, true);
    if (weight) // of a place that is infinite it is no number, but then the pixel is outside
        pixels =
            mlc_onnx_build_two(n, &mlc_graph_mul_def, pixels, mlc_onnx_cast(n, weight, element));
    return inside ? mlc_onnx_select(n, inside, pixels, mlc_onnx_number_like(n, pixels, 0)) : pixels;
}

// Whether all sizes are known, or have a name.
bool
mlc_onnx_has_sizes(MlcType type)
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
    bool is_known = mlc_onnx_has_sizes(image) && mlc_onnx_has_sizes(places);
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
    MlcOnnxTaps taps[MAX_SPATIAL] = {0};
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
    MlcValue *image = mlc_onnx_move_channels(n, n->inputs[0], true), *sum = NULL;
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
    return mlc_onnx_set_result(n, mlc_onnx_move_channels(n, sum, false));
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
deform_taps(MlcOnnxNodeImport *n, MlcValue *x, int64_t size, MlcOnnxTaps *taps)
{
    const Grid grid = {.mode = MODE_LINEAR, .padding = PAD_ZEROS, .aligns = true};
    MlcValue *base = mlc_onnx_build_one(n, &mlc_graph_floor_def, x);
    MlcValue *t = mlc_onnx_build_two(n, &mlc_graph_sub_def, x, base);
    taps->count = 2;
    for (size_t i = 0; i < 2; i++) {
        set_pixel(n, &grid, mlc_onnx_by(n, &mlc_graph_add_def, base, (double)i),
                  mlc_size_number(n->import->ctx, size), i, taps);
        taps->weight[i] =
            i ? t : mlc_onnx_build_two(n, &mlc_graph_sub_def, mlc_onnx_number_like(n, t, 1), t);
    }
}

// What all taps read, [batch * groups, taps, positions, channels of a group].
static MlcValue *
deformed_columns(MlcOnnxNodeImport *n, const Deform *d)
{
    MlcOnnxTaps taps[2] = {0};
    int64_t shape[] = {d->batch * d->offset_group, d->channels / d->offset_group, d->in[0],
                       d->in[1]};
    int64_t places[] = {shape[0], d->taps, d->positions, 1};
    MlcValue *image = mlc_onnx_reshape(n, n->inputs[0], (MlcOnnxInts){shape, 4}, true), *sum = NULL;
    image = mlc_onnx_move_channels(n, image, true);
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
};
const MlcOnnxOperators mlc_onnx_sampling = MLC_ONNX_OPERATORS(rows);
