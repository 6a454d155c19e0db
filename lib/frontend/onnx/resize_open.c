// resize_open.c -- see resize.h.
//
// What ops_resize.c tabulates when compiling is computed by the model, of doubles as there: for
// each position of the result where it lies in the input, which elements that reads, and their
// weights.
#include "resize.h"

#include "mlc/dialects/graph_sizes.h"

#include <math.h>

enum { MAX_TAPS = 4 };

typedef struct Open {
    MlcOnnxNodeImport *n;
    const MlcOnnxResizeAxis *how;
    MlcType f64, i64;
    MlcValue *in, *out;   // the sizes, as f64
    MlcValue *low, *part; // of each position: the element before, and how far behind it
} Open;

static bool
is(MlcStr text, const char *name)
{
    return mlc_str_equal(text, mlc_str(name));
}

static MlcValue *
number(const Open *o, double value)
{
    return mlc_onnx_build_scalar(o->n, o->f64, value);
}

static MlcValue *
add(const Open *o, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(o->n, &mlc_graph_add_def, a, b);
}

static MlcValue *
sub(const Open *o, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(o->n, &mlc_graph_sub_def, a, b);
}

static MlcValue *
mul(const Open *o, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(o->n, &mlc_graph_mul_def, a, b);
}

static MlcValue *
divide(const Open *o, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(o->n, &mlc_graph_div_def, a, b);
}

static MlcValue *
one(const Open *o, const MlcOpDef *op, MlcValue *x)
{
    return mlc_onnx_build_one(o->n, op, x);
}

// Where in the input the positions x of the result lie.
static MlcValue *
coordinates(const Open *o, MlcValue *x)
{
    MlcStr kind = o->how->coordinates;
    MlcValue *first = number(o, 1), *half = number(o, 0.5);
    MlcValue *scale = o->how->scale != 0 ? number(o, o->how->scale) : divide(o, o->out, o->in);
    if (is(kind, "align_corners")) {
        MlcValue *last = mlc_onnx_build_two(o->n, &mlc_graph_max_def, sub(o, o->out, first), first);
        return divide(o, mul(o, x, sub(o, o->in, first)), last);
    }
    if (is(kind, "asymmetric"))
        return divide(o, x, scale);
    MlcValue *at = sub(o, divide(o, add(o, x, half), scale), half);
    if (is(kind, "half_pixel_symmetric")) {
        MlcValue *lost = sub(o, first, divide(o, o->out, mul(o, scale, o->in)));
        at = add(o, at, mul(o, mul(o, o->in, half), lost));
    }
    if (is(kind, "pytorch_half_pixel"))
        at = mlc_onnx_select(o->n, mlc_onnx_compare(o->n, &mlc_graph_equal_def, o->out, first),
                             number(o, 0), at);
    return at;
}

static MlcValue *
nearest(const Open *o, MlcValue *x)
{
    MlcStr kind = o->how->nearest;
    if (is(kind, "floor"))
        return one(o, &mlc_graph_floor_def, x);
    if (is(kind, "ceil"))
        return one(o, &mlc_graph_ceil_def, x);
    if (is(kind, "round_prefer_ceil"))
        return one(o, &mlc_graph_floor_def, add(o, x, number(o, 0.5)));
    return one(o, &mlc_graph_ceil_def, sub(o, x, number(o, 0.5)));
}

// Keys' weight at a distance of up to 1, and of 1 to 2 (ops_resize.c).
static MlcValue *
inner_weight(const Open *o, MlcValue *d)
{
    double a = o->how->cubic;
    MlcValue *line = sub(o, mul(o, d, number(o, a + 2)), number(o, a + 3));
    return add(o, mul(o, mul(o, line, d), d), number(o, 1));
}

static MlcValue *
outer_weight(const Open *o, MlcValue *d)
{
    MlcValue *sum = mul(o, sub(o, d, number(o, 5)), d);
    sum = sub(o, mul(o, add(o, sum, number(o, 8)), d), number(o, 4));
    return mul(o, sum, number(o, o->how->cubic));
}

static MlcValue *
weight(const Open *o, size_t tap)
{
    MlcValue *before = o->part, *behind = sub(o, number(o, 1), o->part);
    if (is(o->how->mode, "linear"))
        return tap == 0 ? behind : before;
    if (tap == 0 || tap == 3)
        return outer_weight(o, add(o, tap == 0 ? before : behind, number(o, 1)));
    return inner_weight(o, tap == 1 ? before : behind);
}

// Weights of what lies outside are 0, and the others add up to 1.
static void
exclude_outside(const Open *o, MlcValue *const *places, MlcValue **weights, size_t count)
{
    MlcOnnxNodeImport *n = o->n;
    MlcValue *sum = number(o, 0), *zero = number(o, 0);
    for (size_t k = 0; k < count; k++) {
        MlcValue *is_behind = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, places[k], zero);
        MlcValue *is_before = mlc_onnx_compare(n, &mlc_graph_less_def, places[k], o->in);
        MlcValue *is_inside = mlc_onnx_build_two(n, &mlc_graph_and_def, is_behind, is_before);
        weights[k] = mlc_onnx_select(n, is_inside, weights[k], zero);
        sum = add(o, sum, weights[k]);
    }
    sum =
        mlc_onnx_select(n, mlc_onnx_compare(n, &mlc_graph_equal_def, sum, zero), number(o, 1), sum);
    for (size_t k = 0; k < count; k++)
        weights[k] = divide(o, weights[k], sum);
}

static MlcValue *
rows_at(const Open *o, MlcValue *value, MlcValue *places, size_t axis)
{
    places = mlc_onnx_cast(o->n, places, o->i64);
    return mlc_onnx_gather_held(o->n, value, places, o->how->in, axis);
}

static MlcValue *
weighted_sum(const Open *o, MlcValue *value, size_t axis)
{
    MlcOnnxNodeImport *n = o->n;
    MlcValue *places[MAX_TAPS], *weights[MAX_TAPS], *sum = NULL;
    MlcAttr shape[MLC_SMALL_RANK];
    MlcType type = mlc_value_type(value);
    size_t rank = mlc_type_rank(type);
    bool is_linear = is(o->how->mode, "linear");
    size_t count = is_linear ? 2 : MAX_TAPS;
    for (size_t i = 0; i < rank; i++)
        shape[i] = i == axis ? o->how->out : mlc_size_number(n->import->ctx, 1);
    for (size_t k = 0; k < count; k++) {
        places[k] = add(o, o->low, number(o, (double)k - (is_linear ? 0 : 1)));
        weights[k] = weight(o, k);
    }
    if (o->how->exclude_outside)
        exclude_outside(o, places, weights, count);
    for (size_t k = 0; k < count; k++) {
        MlcValue *part = mlc_onnx_cast(n, weights[k], mlc_type_element(type));
        part = mlc_onnx_reshape_to(n, part, &(MlcOnnxSizes){shape, rank});
        part = mlc_onnx_build_two(n, &mlc_graph_mul_def, rows_at(o, value, places[k], axis), part);
        sum = k == 0 ? part : add(o, sum, part);
    }
    return sum;
}

// ---- filters that are as wide as a step of the result

// How many elements a filter may reach beyond the ends. The result has at least one.
static MlcAttr
reach(const Open *o)
{
    MlcContext *ctx = mlc_onnx_context_of(o->n);
    int64_t width = is(o->how->mode, "cubic") ? 2 : 1;
    MlcAttr one = mlc_size_number(ctx, 1);
    if (o->how->scale != 0)
        return mlc_size_number(ctx, (int64_t)ceil((double)width / o->how->scale) + 1);
    MlcAttr steps = mlc_size_combine(MLC_SIZE_FLOORDIV, o->how->in,
                                     mlc_size_combine(MLC_SIZE_MAX, o->how->out, one));
    steps = mlc_size_combine(MLC_SIZE_ADD, steps, one);
    steps = mlc_size_combine(MLC_SIZE_MUL, steps, mlc_size_number(ctx, width));
    return mlc_size_combine(MLC_SIZE_ADD, steps, one);
}

// The weight at a distance, in steps of the result or, where the image grows, of the input.
static MlcValue *
weight_at(const Open *o, MlcValue *d)
{
    MlcOnnxNodeImport *n = o->n;
    MlcValue *zero = number(o, 0), *first = number(o, 1);
    if (is(o->how->mode, "linear"))
        return mlc_onnx_build_two(n, &mlc_graph_max_def, sub(o, first, d), zero);
    MlcValue *is_near = mlc_onnx_compare(n, &mlc_graph_less_or_equal_def, d, first);
    MlcValue *is_far = mlc_onnx_compare(n, &mlc_graph_less_def, d, number(o, 2));
    MlcValue *outer = mlc_onnx_select(n, is_far, outer_weight(o, d), zero);
    return mlc_onnx_select(n, is_near, inner_weight(o, d), outer);
}

// What each element of the input, and each place that a filter may reach beyond its ends, `at`,
// weighs for the positions `x` of the result: [places, positions].
static MlcValue *
stretched_weights(const Open *o, MlcValue *at, MlcValue *x, MlcAttr places)
{
    MlcOnnxNodeImport *n = o->n;
    MlcAttr one_size = mlc_size_number(mlc_onnx_context_of(n), 1);
    MlcAttr column[] = {places, one_size}, row[] = {one_size, o->how->out};
    int64_t axis = 0;
    MlcValue *scale = o->how->scale != 0 ? number(o, o->how->scale) : divide(o, o->out, o->in);
    scale = mlc_onnx_build_two(n, &mlc_graph_min_def, scale, number(o, 1));
    at = mlc_onnx_reshape_to(n, at, &(MlcOnnxSizes){column, 2});
    x = mlc_onnx_reshape_to(n, x, &(MlcOnnxSizes){row, 2});
    MlcValue *weights = weight_at(o, mul(o, one(o, &mlc_graph_abs_def, sub(o, at, x)), scale));
    if (o->how->exclude_outside) {
        MlcValue *zero = number(o, 0);
        MlcValue *is_behind = mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, at, zero);
        MlcValue *is_before = mlc_onnx_compare(n, &mlc_graph_less_def, at, o->in);
        weights = mlc_onnx_select(
            n, mlc_onnx_build_two(n, &mlc_graph_and_def, is_behind, is_before), weights, zero);
    }
    MlcValue *sums =
        mlc_onnx_reduce_axes(n, &mlc_graph_reduce_sum_def, weights, (MlcOnnxInts){&axis, 1});
    sums = mlc_onnx_reshape_to(n, sums, &(MlcOnnxSizes){row, 2});
    return divide(o, weights, sums);
}

// A product with those weights, of the input with its first and last element repeated.
static MlcValue *
stretched_sum(const Open *o, MlcValue *value, MlcValue *x, size_t axis)
{
    MlcOnnxNodeImport *n = o->n;
    MlcAttr beyond = reach(o);
    MlcAttr twice = mlc_size_combine(MLC_SIZE_MUL, beyond, mlc_size_number(n->import->ctx, 2));
    MlcAttr places = mlc_size_combine(MLC_SIZE_ADD, o->how->in, twice);
    if (!places)
        return mlc_onnx_unknown_size(n, (int64_t)axis), NULL;
    int64_t perm[MLC_SMALL_RANK], last = (int64_t)mlc_type_rank(mlc_value_type(value)) - 1;
    for (int64_t i = 0; i <= last; i++)
        perm[i] = i == (int64_t)axis ? last : i == last ? (int64_t)axis : i; // its own inverse
    MlcOnnxInts swap = {perm, (size_t)last + 1};
    MlcValue *at = mlc_onnx_cast(n, mlc_onnx_build_count_to(n, places, 0, 1), o->f64);
    at = sub(o, at, mlc_onnx_cast(n, mlc_onnx_build_size(n, beyond), o->f64));
    MlcValue *weights = stretched_weights(o, at, x, places);
    value = rows_at(o, value, at, axis);
    if (!value || !weights)
        return NULL;
    weights = mlc_onnx_cast(n, weights, mlc_type_element(mlc_value_type(value)));
    value = mlc_onnx_transpose(n, value, swap);
    value = mlc_onnx_build_two(n, &mlc_graph_matmul_def, value, weights);
    return value ? mlc_onnx_transpose(n, value, swap) : NULL;
}

MlcValue *
mlc_onnx_resize_open_axis(MlcOnnxNodeImport *n, MlcValue *value, size_t axis,
                          const MlcOnnxResizeAxis *how)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    Open o = {.n = n,
              .how = how,
              .f64 = mlc_float_type_get(ctx, MLC_FLOAT_F64),
              .i64 = mlc_integer_type_get(ctx, 64, MLC_SIGNLESS)};
    o.in = mlc_onnx_cast(n, mlc_onnx_build_size(n, how->in), o.f64);
    o.out = mlc_onnx_cast(n, mlc_onnx_build_size(n, how->out), o.f64);
    MlcValue *x = mlc_onnx_cast(n, mlc_onnx_build_count_to(n, how->out, 0, 1), o.f64);
    x = coordinates(&o, x);
    if (is(how->mode, "nearest"))
        return x ? rows_at(&o, value, nearest(&o, x), axis) : NULL;
    if (how->antialias)
        return x ? stretched_sum(&o, value, x, axis) : NULL;
    o.low = one(&o, &mlc_graph_floor_def, x);
    o.part = sub(&o, x, o.low);
    return o.part ? weighted_sum(&o, value, axis) : NULL;
}
