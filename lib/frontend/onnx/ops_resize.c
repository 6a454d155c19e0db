// ops_resize.c -- Resize and Upsample, one dimension after the other.
//
// Along a dimension an element of the result is a weighted sum of one, two or four elements of the
// input (nearest, linear, cubic), and which ones and their weights are known when compiling: as
// many gathers with constant indices, multiplied by constants and added up. Where a filter is
// stretched (antialias) they are more, and a product with a constant matrix does it. Dimensions
// that stay as they are cost nothing. Of sizes that are known when the model runs the same is
// computed then (resize_open.c).
#include "resize.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_TAPS = 4, MAX_SIZE = 1 << 20, MAX_MATRIX = 1 << 24 };

typedef struct Resize {
    MlcOnnxNodeImport *n;
    MlcStr mode, coordinates, nearest;
    float cubic;          // the coefficient a
    bool exclude_outside; // weights of what lies outside are 0, the others add up to 1
    bool antialias;       // filters are as wide as a step where the image shrinks
    float extrapolated;   // what lies outside of the image is, of a crop
    size_t rank;
    double starts[MLC_SMALL_RANK], ends[MLC_SMALL_RANK]; // of the crop, of the image's length
    double scales[MLC_SMALL_RANK];
    int64_t sizes[MLC_SMALL_RANK]; // of the result
    MlcAttr open[MLC_SMALL_RANK];  // the size, where it or that of the input is known at run time
} Resize;

static bool
is(MlcStr text, const char *name)
{
    return mlc_str_equal(text, mlc_str(name));
}

// Where in the input position `i` of the result lies.
static double
coordinate(const Resize *r, size_t axis, int64_t i)
{
    int64_t in = mlc_type_dim(mlc_value_type(r->n->inputs[0]), axis), out = r->sizes[axis];
    double scale = r->scales[axis], x = (double)i;
    if (is(r->coordinates, "align_corners"))
        return out == 1 ? 0 : x * (double)(in - 1) / (double)(out - 1);
    if (is(r->coordinates, "tf_crop_and_resize")) {
        double start = r->starts[axis], end = r->ends[axis], last = (double)(in - 1);
        return out == 1 ? 0.5 * (start + end) * last
                        : start * last + x * (end - start) * last / (double)(out - 1);
    }
    if (is(r->coordinates, "asymmetric"))
        return x / scale;
    if (is(r->coordinates, "pytorch_half_pixel") && out == 1)
        return 0;
    double moved = 0;
    if (is(r->coordinates, "half_pixel_symmetric"))
        moved = (double)in / 2 * (1 - (double)out / (scale * (double)in));
    return moved + (x + 0.5) / scale - 0.5;
}

static double
nearest(const Resize *r, double x)
{
    if (is(r->nearest, "floor"))
        return floor(x);
    if (is(r->nearest, "ceil"))
        return ceil(x);
    return is(r->nearest, "round_prefer_ceil") ? floor(x + 0.5) : ceil(x - 0.5);
}

// Keys' weight of what lies at distance |x| (Cubic convolution interpolation, 1981).
static double
cubic_weight(double a, double x)
{
    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? a * (((x - 5) * x + 8) * x - 4) : 0;
}

// What position `i` reads: indices from `first` on, as many as there are weights.
static size_t
find_taps(const Resize *r, size_t axis, int64_t i, int64_t *first, double *weights)
{
    double x = coordinate(r, axis, i), low = floor(x);
    if (is(r->mode, "nearest")) {
        *first = (int64_t)nearest(r, x);
        weights[0] = 1;
        return 1;
    }
    if (is(r->mode, "linear")) {
        *first = (int64_t)low;
        weights[0] = 1 - (x - low);
        weights[1] = x - low;
        return 2;
    }
    *first = (int64_t)low - 1;
    for (int k = 0; k < MAX_TAPS; k++)
        weights[k] = cubic_weight((double)r->cubic, x - low + 1 - k);
    return MAX_TAPS;
}

// Indices and weights of all taps, [tap][position]; whether anything is to do.
static bool
tabulate(const Resize *r, size_t axis, int64_t *indices, double *weights, size_t *taps)
{
    int64_t in = mlc_type_dim(mlc_value_type(r->n->inputs[0]), axis), out = r->sizes[axis], first;
    bool is_same = in == out;
    for (int64_t i = 0; i < out; i++) {
        double here[MAX_TAPS], sum = 0;
        *taps = find_taps(r, axis, i, &first, here);
        for (size_t k = 0; k < *taps; k++) {
            int64_t at = first + (int64_t)k;
            bool is_inside = at >= 0 && at < in;
            here[k] = r->exclude_outside && !is_inside ? 0 : here[k];
            indices[(int64_t)k * out + i] = at < 0 ? 0 : at >= in ? in - 1 : at;
            sum += here[k];
        }
        for (size_t k = 0; k < *taps; k++) {
            weights[(int64_t)k * out + i] =
                r->exclude_outside && sum != 0 ? here[k] / sum : here[k];
            is_same &= here[k] == (first + (int64_t)k == i ? 1 : 0);
        }
    }
    return !is_same;
}

// The filter stretched by what the image shrinks: what each element of the input, or of what is
// repeated beyond its ends, weighs for each of the result, [in][out].
static double *
tabulate_stretched(const Resize *r, size_t axis)
{
    int64_t in = mlc_type_dim(mlc_value_type(r->n->inputs[0]), axis), out = r->sizes[axis];
    bool is_cubic = is(r->mode, "cubic");
    double scale = r->scales[axis], reach = (is_cubic ? 2 : 1) / scale;
    double *weights = MLC_NEW_ARRAY(&r->n->import->arena, double, (size_t)(in * out) + 1);
    for (int64_t i = 0; i < out; i++) {
        double x = coordinate(r, axis, i), sum = 0;
        for (int pass = 0; pass < 2; pass++) // to know the sum, and to divide by it
            for (double at = ceil(x - reach); at <= x + reach; at++) {
                double d = fabs(at - x) * scale;
                double weight = is_cubic ? cubic_weight((double)r->cubic, d) : d < 1 ? 1 - d : 0;
                bool is_inside = at >= 0 && at < (double)in;
                if (r->exclude_outside && !is_inside)
                    continue;
                int64_t held = at < 0 ? 0 : at >= (double)in ? in - 1 : (int64_t)at;
                if (pass == 0)
                    sum += weight;
                else
                    weights[held * out + i] += weight / sum;
            }
    }
    return weights;
}

static MlcValue *
resize_by_matrix(const Resize *r, MlcValue *value, size_t axis)
{
    MlcOnnxNodeImport *n = r->n;
    int64_t perm[MLC_SMALL_RANK], last = (int64_t)r->rank - 1;
    int64_t shape[] = {mlc_type_dim(mlc_value_type(n->inputs[0]), axis), r->sizes[axis]};
    if (shape[0] > MAX_MATRIX / shape[1] || shape[0] < 1)
        return mlc_onnx_unsupported(n, "a size of %" PRId64 " from %" PRId64 ", with antialias",
                                    shape[1], shape[0]),
               NULL;
    for (int64_t i = 0; i <= last; i++)
        perm[i] = i == (int64_t)axis ? last : i == last ? (int64_t)axis : i; // its own inverse
    MlcType element = mlc_type_element(mlc_value_type(value));
    MlcValue *matrix = mlc_onnx_build_floats(n, element, tabulate_stretched(r, axis), shape, 2);
    value = mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, r->rank});
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, value, matrix);
    return value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){perm, r->rank}) : NULL;
}

// Where a crop lies outside of the image along an axis, the value that is asked for.
static MlcValue *
extrapolate(const Resize *r, MlcValue *value, size_t axis)
{
    MlcOnnxNodeImport *n = r->n;
    int64_t in = mlc_type_dim(mlc_value_type(n->inputs[0]), axis), out = r->sizes[axis];
    int64_t shape[MLC_SMALL_RANK];
    bool any = false, *outside = MLC_NEW_ARRAY(&n->import->arena, bool, (size_t)out + 1);
    for (size_t i = 0; i < r->rank; i++)
        shape[i] = i == axis ? out : 1;
    for (int64_t i = 0; i < out; i++) {
        double x = coordinate(r, axis, i);
        any |= outside[i] = x < 0 || x > (double)(in - 1);
    }
    if (!any)
        return value;
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    MlcType type = mlc_tensor_type_get(i1, shape, r->rank, NULL);
    MlcValue *mask = mlc_onnx_build_value(n, mlc_dense_attr_get(type, outside, (size_t)out, false));
    MlcType element = mlc_type_element(mlc_value_type(value));
    return mlc_onnx_select(n, mask, mlc_onnx_build_number(n, element, (double)r->extrapolated),
                           value);
}

static MlcValue *
resize_axis(const Resize *r, MlcValue *value, size_t axis)
{
    MlcOnnxNodeImport *n = r->n;
    if (r->antialias && r->scales[axis] < 1 && !is(r->mode, "nearest"))
        return resize_by_matrix(r, value, axis);
    int64_t out = r->sizes[axis], shape[MLC_SMALL_RANK];
    if (!mlc_onnx_can_list(n, out))
        return NULL;
    size_t count = (size_t)out * MAX_TAPS, taps = 1;
    int64_t *indices = MLC_NEW_ARRAY(&n->import->arena, int64_t, count);
    double *weights = MLC_NEW_ARRAY(&n->import->arena, double, count);
    if (!tabulate(r, axis, indices, weights, &taps))
        return value;
    for (size_t i = 0; i < r->rank; i++)
        shape[i] = i == axis ? out : 1;
    MlcType element = mlc_type_element(mlc_value_type(value));
    MlcValue *sum = NULL;
    for (size_t k = 0; k < taps; k++) {
        MlcOnnxAttrs attrs = {0};
        mlc_onnx_add_int(n, &attrs, "axis", (int64_t)axis);
        MlcValue *operands[] = {value, mlc_onnx_build_ints(n, indices + k * (size_t)out, &out, 1)};
        MlcValue *part = mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs);
        if (taps > 1)
            part = mlc_onnx_build_two(
                n, &mlc_graph_mul_def, part,
                mlc_onnx_build_floats(n, element, weights + k * (size_t)out, shape, r->rank));
        sum = k == 0 ? part : mlc_onnx_build_two(n, &mlc_graph_add_def, sum, part);
        if (!sum)
            return NULL;
    }
    return sum;
}

static MlcValue *
resize_open_axis(const Resize *r, MlcValue *value, size_t axis)
{
    MlcOnnxResizeAxis how = {.mode = r->mode,
                             .coordinates = r->coordinates,
                             .nearest = r->nearest,
                             .cubic = (double)r->cubic,
                             .exclude_outside = r->exclude_outside,
                             .antialias = r->antialias && !is(r->mode, "nearest") &&
                                          (r->scales[axis] == 0 || r->scales[axis] < 1),
                             .in = mlc_size_of_dim(mlc_value_type(r->n->inputs[0]), axis),
                             .out = r->open[axis],
                             .scale = r->scales[axis]};
    return mlc_onnx_resize_open_axis(r->n, value, axis, &how);
}

// ---- what the node says

// Numbers of the constant input `i`, of floats or integers; at most `most`.
static bool
read_numbers(MlcOnnxNodeImport *n, size_t i, double *numbers, int64_t most, size_t *count)
{
    MlcAttr value = mlc_value_constant(n->inputs[i]);
    if (!value)
        return mlc_onnx_unknown_value(n, i);
    int64_t size = mlc_type_num_elements(mlc_attr_type(value)), integer;
    if (size < 0 || size > most)
        return mlc_onnx_invalid(n, "input %zu has %" PRId64 " numbers", i, size);
    *count = (size_t)size;
    for (size_t k = 0; k < *count; k++) {
        MlcAttr element = mlc_elements_attr_element(value, k);
        if (mlc_attr_is(element, MLC_ATTR_FLOAT))
            numbers[k] = mlc_float_attr_as_double(element);
        else if (mlc_onnx_element_int(element, &integer))
            numbers[k] = (double)integer;
        else
            return mlc_onnx_invalid(n, "input %zu must hold integers", i);
    }
    return true;
}

// The sizes that input 3 asks for, some of them known when the model runs: texts, and NaN for their
// numbers.
static bool
read_sizes(MlcOnnxNodeImport *n, double *numbers, MlcAttr *texts, size_t *count)
{
    MlcOnnxSizes sizes;
    int64_t number;
    if (!mlc_onnx_is_sizes(n->inputs[3]))
        return read_numbers(n, 3, numbers, MLC_SMALL_RANK, count);
    if (!mlc_onnx_sizes_of(n, n->inputs[3], &sizes) || sizes.count > MLC_SMALL_RANK)
        return mlc_onnx_invalid(n, "input %d has %zu numbers", 3, sizes.count);
    *count = sizes.count;
    for (size_t i = 0; i < sizes.count; i++) {
        bool is_known = mlc_size_is_number(sizes.items[i], &number);
        texts[i] = is_known ? NULL : sizes.items[i];
        numbers[i] = is_known ? (double)number : (double)NAN;
    }
    return true;
}

// floor(size * scale); NULL: no text says it.
static MlcAttr
scaled(MlcAttr size, double scale)
{
    enum { MAX_PARTS = 64 };
    MlcContext *ctx = mlc_attr_context(size);
    for (int64_t parts = 1; parts <= MAX_PARTS; parts++) {
        double times = scale * (double)parts;
        if (times != floor(times) || times < 1 || times > MAX_SIZE)
            continue;
        MlcAttr product =
            mlc_size_combine(MLC_SIZE_MUL, size, mlc_size_number(ctx, (int64_t)times));
        return mlc_size_combine(MLC_SIZE_FLOORDIV, product, mlc_size_number(ctx, parts));
    }
    return NULL;
}

// An axis that is asked for a number, or `text`, where that or the input's size is none.
static bool
spread_open(Resize *r, size_t axis, double number, MlcAttr text, bool is_size)
{
    MlcContext *ctx = mlc_onnx_context_of(r->n);
    MlcAttr size = mlc_size_of_dim(mlc_value_type(r->n->inputs[0]), axis);
    if (is_size && !text && number >= 0 && number <= MAX_SIZE)
        text = mlc_size_number(ctx, (int64_t)number);
    else if (!is_size && size)
        text = scaled(size, number);
    bool stays = text && text == size;
    if (!size || !text || (!stays && is(r->coordinates, "tf_crop_and_resize")))
        return mlc_onnx_unknown_size(r->n, (int64_t)axis);
    if (!stays) {
        r->open[axis] = text;
        r->scales[axis] = is_size ? 0 : number;
        r->sizes[axis] = MLC_DYNAMIC;
    }
    return true;
}

// Scales or sizes of the axes `axes` (all of them if none are given) in their places.
static bool
spread(Resize *r, MlcOnnxInts axes, const double *numbers, MlcAttr const *texts, size_t count,
       bool are_sizes)
{
    MlcType type = mlc_value_type(r->n->inputs[0]);
    if (count != (axes.count ? axes.count : r->rank))
        return mlc_onnx_invalid(r->n, "%zu scales or sizes for %zu dimensions", count,
                                axes.count ? axes.count : r->rank);
    for (size_t i = 0; i < count; i++) {
        int64_t axis = axes.count ? axes.items[i] : (int64_t)i;
        axis += axis < 0 ? (int64_t)r->rank : 0;
        if (axis < 0 || axis >= (int64_t)r->rank)
            return mlc_onnx_invalid(r->n, "axis %" PRId64 " is out of range for rank %zu",
                                    axes.items[i], r->rank);
        double in = (double)mlc_type_dim(type, (size_t)axis);
        bool is_kept = are_sizes ? numbers[i] == in : numbers[i] == 1;
        bool is_open = texts[i] || mlc_type_dim(type, (size_t)axis) == MLC_DYNAMIC;
        if (is_open && !is_kept && !spread_open(r, (size_t)axis, numbers[i], texts[i], are_sizes))
            return false;
        if (is_kept || is_open)
            continue;
        double scale = are_sizes ? numbers[i] / in : numbers[i];
        double size = are_sizes ? numbers[i] : floor(in * scale);
        if (!(scale > 0) || !(size >= 1 && size <= MAX_SIZE))
            return mlc_onnx_unsupported(r->n, "a size of %g", size);
        r->scales[axis] = scale;
        r->sizes[axis] = (int64_t)size;
    }
    return true;
}

// All sizes by one scale: the smallest that is asked for (not_larger), or the largest.
static bool
keep_aspect_ratio(Resize *r, MlcStr policy, MlcOnnxInts axes)
{
    MlcType type = mlc_value_type(r->n->inputs[0]);
    bool larger = is(policy, "not_smaller"), any = false;
    if (!larger && !is(policy, "not_larger"))
        return is(policy, "stretch") ||
               mlc_onnx_invalid(r->n, "attribute 'keep_aspect_ratio_policy' is '%.*s'",
                                MLC_STR_FMT(policy));
    double chosen = 1;
    for (size_t i = 0; i < r->rank; i++)
        if (r->open[i])
            return mlc_onnx_unknown_size(r->n, (int64_t)i);
    for (size_t i = 0; i < (axes.count ? axes.count : r->rank); i++) {
        int64_t axis = axes.count ? axes.items[i] : (int64_t)i;
        double scale = r->scales[axis + (axis < 0 ? (int64_t)r->rank : 0)];
        chosen = !any || (larger ? scale > chosen : scale < chosen) ? scale : chosen;
        any = true;
    }
    for (size_t i = 0; i < (axes.count ? axes.count : r->rank); i++) {
        int64_t axis = axes.count ? axes.items[i] : (int64_t)i;
        axis += axis < 0 ? (int64_t)r->rank : 0;
        double size = floor((double)mlc_type_dim(type, (size_t)axis) * chosen + 0.5);
        if (!(size >= 1 && size <= MAX_SIZE))
            return mlc_onnx_unsupported(r->n, "a size of %g", size);
        r->scales[axis] = chosen;
        r->sizes[axis] = (int64_t)size;
    }
    return true;
}

static bool
start(Resize *r, MlcOnnxNodeImport *n)
{
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_small_rank(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    r->n = n;
    r->rank = mlc_type_rank(type);
    r->mode = mlc_str("nearest");
    for (size_t i = 0; i < r->rank; i++) {
        r->scales[i] = 1;
        r->sizes[i] = mlc_type_dim(type, i);
    }
    return mlc_onnx_read_str(n, "mode", &r->mode);
}

static bool
build(Resize *r)
{
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    static const char *const coordinates[] = {"half_pixel",    "half_pixel_symmetric",
                                              "align_corners", "pytorch_half_pixel",
                                              "asymmetric",    "tf_crop_and_resize"};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
    bool knows_mode = false, knows_coordinates = false, knows_rounding = false;
    for (size_t i = 0; i < 3; i++)
        knows_mode |= is(r->mode, modes[i]);
    for (size_t i = 0; i < 6; i++)
        knows_coordinates |= is(r->coordinates, coordinates[i]);
    for (size_t i = 0; i < 4; i++)
        knows_rounding |= is(r->nearest, roundings[i]);
    if (!knows_mode || !knows_coordinates || !knows_rounding)
        return mlc_onnx_unsupported(r->n, "mode '%.*s' with '%.*s' and '%.*s'",
                                    MLC_STR_FMT(r->mode), MLC_STR_FMT(r->coordinates),
                                    MLC_STR_FMT(r->nearest));
    MlcValue *value = r->n->inputs[0];
    MlcType element = mlc_type_element(mlc_value_type(value));
    if (!is(r->mode, "nearest") && !mlc_type_is_float(element))
        return mlc_onnx_unsupported(r->n, "elements of type %s", mlc_type_text(element));
    for (size_t i = 0; value && i < r->rank; i++)
        if (r->open[i])
            value = resize_open_axis(r, value, i);
        else if (r->sizes[i] != MLC_DYNAMIC)
            value = resize_axis(r, value, i);
    for (size_t i = 0; value && i < r->rank && is(r->coordinates, "tf_crop_and_resize"); i++)
        if (r->sizes[i] != MLC_DYNAMIC)
            value = extrapolate(r, value, i);
    return mlc_onnx_set_result(r->n, value && value == r->n->inputs[0]
                                         ? mlc_onnx_build_one(r->n, &mlc_graph_identity_def, value)
                                         : value);
}

// The crop: all starts, then all ends, of the axes.
static bool
read_crop(Resize *r, MlcOnnxInts axes)
{
    MlcOnnxNodeImport *n = r->n;
    double numbers[2 * MLC_SMALL_RANK];
    size_t count = 0, num_axes = axes.count ? axes.count : r->rank;
    for (size_t i = 0; i < r->rank; i++)
        r->ends[i] = 1;
    if (!is(r->coordinates, "tf_crop_and_resize"))
        return true;
    if (!mlc_onnx_input_or_null(n, 1))
        return mlc_onnx_invalid(n, "input 1 is required");
    if (!read_numbers(n, 1, numbers, 2 * MLC_SMALL_RANK, &count))
        return false;
    if (count != 2 * num_axes)
        return mlc_onnx_invalid(n, "a crop of %zu numbers for %zu dimensions", count, num_axes);
    for (size_t i = 0; i < num_axes; i++) {
        int64_t axis = axes.count ? axes.items[i] : (int64_t)i;
        axis += axis < 0 ? (int64_t)r->rank : 0; // in range, as `spread` found
        r->starts[axis] = numbers[i];
        r->ends[axis] = numbers[i + num_axes];
        bool is_whole = numbers[i] == 0 && numbers[i + num_axes] == 1;
        if (mlc_type_dim(mlc_value_type(n->inputs[0]), (size_t)axis) == MLC_DYNAMIC && !is_whole)
            return mlc_onnx_unknown_size(n, axis);
    }
    return true;
}

bool
mlc_onnx_import_resize(MlcOnnxNodeImport *n)
{
    bool old = n->import->opset < 11; // input 1 is scales, positions are asymmetric
    Resize r = {.coordinates = mlc_str(old ? "asymmetric" : "half_pixel"),
                .nearest = mlc_str(old ? "floor" : "round_prefer_floor"),
                .cubic = -0.75f};
    MlcStr policy = mlc_str("stretch");
    MlcOnnxInts axes = {0};
    int64_t exclude = 0, antialias = 0;
    double numbers[MLC_SMALL_RANK];
    MlcAttr texts[MLC_SMALL_RANK] = {0};
    size_t count = 0, scales = old ? 1 : 2;
    if (!start(&r, n) || !mlc_onnx_read_str(n, "coordinate_transformation_mode", &r.coordinates) ||
        !mlc_onnx_read_str(n, "nearest_mode", &r.nearest) ||
        !mlc_onnx_read_str(n, "keep_aspect_ratio_policy", &policy) ||
        !mlc_onnx_read_float(n, "cubic_coeff_a", &r.cubic) ||
        !mlc_onnx_read_int(n, "exclude_outside", &exclude) ||
        !mlc_onnx_read_int(n, "antialias", &antialias) ||
        !mlc_onnx_read_float(n, "extrapolation_value", &r.extrapolated) ||
        !mlc_onnx_read_ints(n, "axes", &axes))
        return false;
    r.exclude_outside = exclude != 0;
    r.antialias = antialias != 0;
    if (mlc_onnx_input_or_null(n, scales) &&
        !read_numbers(n, scales, numbers, MLC_SMALL_RANK, &count))
        return false;
    bool by_sizes = count == 0 && !old && mlc_onnx_input_or_null(n, 3);
    if (by_sizes && !read_sizes(n, numbers, texts, &count))
        return false;
    if (!spread(&r, axes, numbers, texts, count, by_sizes) ||
        (by_sizes && !keep_aspect_ratio(&r, policy, axes)))
        return false;
    return read_crop(&r, axes) && build(&r);
}

// The attributes that are scales: of all dimensions, before opset 7 of an image's two.
static bool
read_scales(MlcOnnxNodeImport *n, double numbers[MLC_SMALL_RANK], size_t *count)
{
    bool ok = true;
    if (n->import->opset < 7) {
        float height = 0, width = 0;
        if (!mlc_onnx_read_float(n, "height_scale", &height) ||
            !mlc_onnx_read_float(n, "width_scale", &width))
            return false;
        *count = 4;
        memcpy(numbers, (double[]){1, 1, (double)height, (double)width}, 4 * sizeof *numbers);
        return true;
    }
    const MlcOnnxAttribute *given =
        mlc_onnx_find_attribute(n, "scales", MLC_ONNX_ATTRIBUTE_FLOATS, &ok);
    if (!ok)
        return false;
    if (!given || given->floats.count > MLC_SMALL_RANK)
        return mlc_onnx_invalid(n, "attribute 'scales' is required");
    *count = given->floats.count;
    for (size_t i = 0; i < *count; i++)
        numbers[i] = (double)mlc_onnx_float_at(given->floats, i);
    return true;
}

// Scales are attributes before opset 9; positions are asymmetric.
bool
mlc_onnx_import_upsample(MlcOnnxNodeImport *n)
{
    Resize r = {.coordinates = mlc_str("asymmetric"), .nearest = mlc_str("floor")};
    double numbers[MLC_SMALL_RANK];
    size_t count = 0;
    if (!start(&r, n))
        return false;
    if (is(r.mode, "bilinear"))
        r.mode = mlc_str("linear");
    if (n->num_inputs > 1 ? !read_numbers(n, 1, numbers, MLC_SMALL_RANK, &count)
                          : !read_scales(n, numbers, &count))
        return false;
    return spread(&r, (MlcOnnxInts){0}, numbers, (MlcAttr[MLC_SMALL_RANK]){0}, count, false) &&
           build(&r);
}
