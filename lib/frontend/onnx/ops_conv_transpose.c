// ops_conv_transpose.c -- ConvTranspose, as plain convolutions.
//
// Tap k of input i goes to position s i + d k of the result (before it is cropped by the pads), s
// the stride and d the dilation. Positions Y = s Q + r of one phase r get the taps only whose d k
// leaves r when divided by s; without dilation
//
//   result[s Q + r] = sum over j of input[Q - j] * filter[r + s j]
//
// That is a convolution of stride 1 with the taps in reverse. Phases next to each other with as
// many taps are a run: one convolution with that many times the channels. Where s divides the
// kernel all phases are one run; else the first K mod s have one tap more than the others, and a
// dilation may have each phase on its own. The runs' results lie side by side and are interleaved.
// No tap is filled up with zeros: an infinity times zero would be NaN where no tap reaches.
// Everything that convolutions have (layouts, tiles, Winograd) applies. Filters that are constants
// are rearranged when compiling.
//
// Where s is 2 and the crop begins inside of a pair (a kernel of 4 with pads of 1), the phases of
// one pair of results begin at inputs next to each other: all phases at all positions would be one
// position more in each dimension than the result has pairs, half again as much for an image of 4 x
// 4. So each phase has its own window of a small image: they lie side by side as the groups of a
// grouped convolution.
//
// An image of an open size is spread out with zeros between its elements, and one convolution goes
// over it, with all taps in reverse.
#include "node.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>

enum {
    MAX_SPATIAL = 3,
    MAX_SIZE = 1 << 20, // of sizes, strides, ...: products of two do not overflow
    MOST_APART = 16,    // of an image: a larger one gains less than its copies cost
    MAX_RUNS = 64,      // of a dimension: only large kernels with dilations have as many
    MAX_PARTS = 1024,   // of all dimensions
};

// Phases next to each other with taps alike. Phase p of them gets the taps `from` + p + `step` m,
// m < `taps`, from the inputs Q - `lag` - `spread` m. No tap goes to the `empty` phases behind
// them.
typedef struct Run {
    int64_t count, empty;
    int64_t from, step, taps;
    int64_t lag, spread;
} Run;

typedef struct Runs {
    Run items[MAX_RUNS];
    size_t count;
} Runs;

typedef struct Transposed {
    MlcOnnxNodeImport *n;
    size_t rank;                               // spatial dimensions
    int64_t in_channels, out_channels, group;  // channels of the whole
    int64_t in[MAX_SPATIAL], out[MAX_SPATIAL]; // sizes
    int64_t kernel[MAX_SPATIAL], dilation[MAX_SPATIAL];
    int64_t stride[MAX_SPATIAL];
    int64_t begin[MAX_SPATIAL], end[MAX_SPATIAL]; // pads: what is cropped
    int64_t positions[MAX_SPATIAL];               // Q
    int64_t extra[MAX_SPATIAL];                   // behind, which no pad crops
    Runs runs[MAX_SPATIAL];
    bool is_open; // sizes of the image are known when the model runs
} Transposed;

// One number for each spatial dimension (or two: `count`), at least `least`; as they are if absent.
static bool
read_sizes(Transposed *t, const char *name, int64_t *values, size_t count, int64_t least)
{
    MlcOnnxInts given = {0};
    if (!mlc_onnx_read_ints(t->n, name, &given))
        return false;
    if (given.count && given.count != count)
        return mlc_onnx_invalid(t->n, "attribute '%s' has %zu numbers, expected %zu", name,
                                given.count, count);
    for (size_t i = 0; i < given.count; i++) {
        if (given.items[i] < least || given.items[i] > MAX_SIZE)
            return mlc_onnx_invalid(t->n, "attribute '%s' has the number %" PRId64, name,
                                    given.items[i]);
        values[i] = given.items[i];
    }
    return true;
}

static bool
read_shapes(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    MlcType x = mlc_value_type(n->inputs[0]), w = mlc_value_type(n->inputs[1]);
    if (!mlc_type_has_rank(x) || !mlc_type_has_rank(w) || !mlc_type_has_static_shape(w))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(x),
                                    mlc_type_text(w));
    if (mlc_type_rank(x) < 3 || mlc_type_rank(x) != mlc_type_rank(w))
        return mlc_onnx_invalid(n, "inputs of types %s and %s", mlc_type_text(x), mlc_type_text(w));
    t->rank = mlc_type_rank(x) - 2;
    if (t->rank > MAX_SPATIAL)
        return mlc_onnx_unsupported(n, "%zu spatial dimensions", t->rank);
    t->group = 1;
    if (!mlc_onnx_read_int(n, "group", &t->group))
        return false;
    for (size_t i = 0; i < mlc_type_rank(x); i++) {
        int64_t size = mlc_type_dim(x, i), tap = mlc_type_dim(w, i);
        bool is_open = i > 0 && size == MLC_DYNAMIC;
        if (is_open && (i == 1 || !mlc_size_of_dim(x, i)))
            return mlc_onnx_unknown_size(n, (int64_t)i);
        t->is_open |= is_open;
        if (tap < 1 || tap > MAX_SIZE || (i > 0 && !is_open && (size < 1 || size > MAX_SIZE)))
            return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(x),
                                        mlc_type_text(w));
        if (i >= 2) {
            t->in[i - 2] = size;
            t->kernel[i - 2] = tap;
        }
    }
    t->in_channels = mlc_type_dim(x, 1);
    if (t->group < 1 || t->group > t->in_channels || t->in_channels % t->group != 0 ||
        mlc_type_dim(w, 0) != t->in_channels)
        return mlc_onnx_invalid(
            n, "%" PRId64 " channels, a filter of %" PRId64 " in %" PRId64 " groups",
            t->in_channels, mlc_type_dim(w, 0), t->group);
    t->out_channels = mlc_type_dim(w, 1) * t->group;
    return true;
}

// What is cropped, whatever the image's size.
static bool
find_crop(Transposed *t, size_t i, MlcStr auto_pad, int64_t wanted)
{
    bool lower = mlc_str_equal(auto_pad, mlc_str("SAME_LOWER"));
    bool same = lower || mlc_str_equal(auto_pad, mlc_str("SAME_UPPER"));
    if (wanted)
        return mlc_onnx_unknown_size(t->n, (int64_t)i + 2);
    if (same) {
        int64_t total = (t->kernel[i] - 1) * t->dilation[i] + 1 + t->extra[i] - t->stride[i];
        total = total > 0 ? total : 0;
        t->begin[i] = lower ? total - total / 2 : total / 2;
        t->end[i] = total - t->begin[i];
    }
    return true;
}

// The sizes of the result and what is cropped follow from each other.
static bool
find_result_size(Transposed *t, size_t i, int64_t extra, MlcStr auto_pad, int64_t wanted)
{
    bool lower = mlc_str_equal(auto_pad, mlc_str("SAME_LOWER"));
    bool same = lower || mlc_str_equal(auto_pad, mlc_str("SAME_UPPER"));
    int64_t reach = (t->kernel[i] - 1) * t->dilation[i] + 1;
    int64_t full = t->stride[i] * (t->in[i] - 1) + reach;
    if (same && wanted == 0)
        wanted = t->stride[i] * t->in[i];
    if (wanted) {
        int64_t total = full + extra - wanted;
        total = total > 0 ? total : 0;
        t->begin[i] = same && !lower ? total / 2 : total - total / 2;
        t->end[i] = total - t->begin[i];
    }
    t->out[i] = wanted ? wanted : full + extra - t->begin[i] - t->end[i];
    if (t->out[i] < 1)
        return mlc_onnx_invalid(t->n, "size %zu of its result would be %" PRId64, i, t->out[i]);
    int64_t needed = t->begin[i] + t->out[i] > full ? t->begin[i] + t->out[i] : full;
    t->positions[i] = (needed + t->stride[i] - 1) / t->stride[i];
    return true;
}

// The runs of dimension `i`: phase 0 has tap 0.
static bool
find_runs(Transposed *t, size_t i)
{
    int64_t stride = t->stride[i], dilation = t->dilation[i], step = 1;
    while (step * dilation % stride != 0)
        step++;
    // Of each phase, one more than its first tap; 0 where no tap goes.
    int64_t *first = mlc_arena_alloc_array(&t->n->import->arena, (size_t)stride, sizeof *first,
                                           _Alignof(int64_t));
    for (int64_t k = 0; k < step && k < t->kernel[i]; k++)
        first[k * dilation % stride] = k + 1;
    Runs *runs = &t->runs[i];
    Run *last = NULL;
    for (int64_t phase = 0; phase < stride; phase++) {
        int64_t k = first[phase] - 1;
        Run run = {1,
                   0,
                   k,
                   step,
                   (t->kernel[i] - k + step - 1) / step,
                   (k * dilation - phase) / stride,
                   step * dilation / stride};
        if (k < 0) {
            last->empty++;
        } else if (last && !last->empty && k == last->from + last->count && run.lag == last->lag &&
                   run.taps == last->taps) {
            last->count++;
        } else {
            if (runs->count == MAX_RUNS)
                return mlc_onnx_unsupported(t->n,
                                            "a kernel of %" PRId64 " with a dilation of %" PRId64
                                            " and a stride of %" PRId64,
                                            t->kernel[i], dilation, stride);
            last = &runs->items[runs->count++];
            *last = run;
        }
    }
    return true;
}

static bool
read_window(Transposed *t)
{
    int64_t wanted[MAX_SPATIAL] = {0}, kernel[MAX_SPATIAL];
    int64_t pads[2 * MAX_SPATIAL] = {0};
    MlcStr auto_pad = mlc_str("NOTSET");
    for (size_t i = 0; i < t->rank; i++) {
        t->stride[i] = t->dilation[i] = 1;
        kernel[i] = t->kernel[i];
    }
    if (!read_sizes(t, "strides", t->stride, t->rank, 1) ||
        !read_sizes(t, "dilations", t->dilation, t->rank, 1) ||
        !read_sizes(t, "pads", pads, 2 * t->rank, 0) ||
        !read_sizes(t, "kernel_shape", kernel, t->rank, 1) ||
        !read_sizes(t, "output_padding", t->extra, t->rank, 0) ||
        !read_sizes(t, "output_shape", wanted, t->rank, 1) ||
        !mlc_onnx_read_str(t->n, "auto_pad", &auto_pad))
        return false;
    for (size_t i = 0; i < t->rank; i++) {
        if (kernel[i] != t->kernel[i])
            return mlc_onnx_invalid(t->n,
                                    "kernel_shape[%zu] is %" PRId64 ", the weights have %" PRId64,
                                    i, kernel[i], t->kernel[i]);
        t->begin[i] = pads[i];
        t->end[i] = pads[i + t->rank];
        if (t->is_open
                ? !find_crop(t, i, auto_pad, wanted[i])
                : !find_result_size(t, i, t->extra[i], auto_pad, wanted[i]) || !find_runs(t, i))
            return false;
    }
    return true;
}

// Fills up dimension `axis` with zeros behind.
static MlcValue *
fill_up(MlcOnnxNodeImport *n, MlcValue *value, size_t axis, int64_t size)
{
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MLC_SMALL_RANK] = {0};
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!value || mlc_type_dim(type, axis) == size)
        return value;
    size_t rank = mlc_type_rank(type);
    pads[rank + axis] = size - mlc_type_dim(type, axis);
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    mlc_onnx_add_attr(n, &attrs, "value", mlc_float_attr_get(mlc_type_element(type), 0));
    return mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs);
}

// The taps that go to a run of each dimension: `taps` * `step` of each, or for a single phase its
// `taps` alone.
static MlcValue *
cut_taps(Transposed *t, const Run *const *runs)
{
    int64_t starts[MAX_SPATIAL], ends[MAX_SPATIAL], axes[MAX_SPATIAL], steps[MAX_SPATIAL];
    for (size_t i = 0; i < t->rank; i++) {
        const Run *run = runs[i];
        int64_t end = run->from + run->taps * run->step;
        starts[i] = run->from;
        ends[i] = end < t->kernel[i] ? end : t->kernel[i];
        axes[i] = (int64_t)i + 2;
        steps[i] = run->count == 1 ? run->step : 1;
    }
    size_t rank = t->rank;
    MlcValue *taps = mlc_onnx_slice(t->n, t->n->inputs[1], (MlcOnnxInts){starts, rank},
                                    (MlcOnnxInts){ends, rank}, (MlcOnnxInts){axes, rank},
                                    (MlcOnnxInts){steps, rank});
    for (size_t i = 0; i < rank; i++)
        if (runs[i]->count > 1)
            taps = fill_up(t->n, taps, i + 2, runs[i]->taps * runs[i]->step);
    return taps;
}

// [C, O / g, K...] -> [O * phases, C / g, taps...] of a run of each dimension, the taps in reverse.
static MlcValue *
build_filter(Transposed *t, const Run *const *runs)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank, full = 3 + 2 * rank, both = 2 * rank;
    int64_t shape[3 + 2 * MAX_SPATIAL] = {t->group, t->in_channels / t->group,
                                          t->out_channels / t->group};
    int64_t order[3 + 2 * MAX_SPATIAL] = {0, 2}, result[2 + MAX_SPATIAL];
    int64_t starts[2 * MAX_SPATIAL], ends[2 * MAX_SPATIAL], axes[2 * MAX_SPATIAL],
        steps[2 * MAX_SPATIAL];
    result[0] = t->out_channels;
    result[1] = t->in_channels / t->group;
    order[2 + rank] = 1;
    for (size_t i = 0; i < rank; i++) {
        const Run *run = runs[i];
        shape[3 + 2 * i] = result[2 + i] = run->taps;
        shape[4 + 2 * i] = run->count == 1 ? 1 : run->step;
        result[0] *= run->count;
        axes[2 * i] = order[3 + rank + i] = (int64_t)(3 + 2 * i);
        axes[2 * i + 1] = order[2 + i] = (int64_t)(4 + 2 * i);
        starts[2 * i] = steps[2 * i] = -1;
        ends[2 * i] = -run->taps - 1;
        starts[2 * i + 1] = 0;
        steps[2 * i + 1] = 1;
        ends[2 * i + 1] = run->count;
    }
    MlcValue *filter = cut_taps(t, runs);
    filter = filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){shape, full}, true) : NULL;
    filter = filter
                 ? mlc_onnx_slice(n, filter, (MlcOnnxInts){starts, both}, (MlcOnnxInts){ends, both},
                                  (MlcOnnxInts){axes, both}, (MlcOnnxInts){steps, both})
                 : NULL;
    filter = filter ? mlc_onnx_transpose(n, filter, (MlcOnnxInts){order, full}) : NULL;
    return filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){result, rank + 2}, true) : NULL;
}

// The bias of each channel for each of `phases`: channel by channel, or phase by phase.
static MlcValue *
repeat_bias(Transposed *t, MlcValue *bias, int64_t phases, bool by_phase)
{
    int64_t shape[] = {phases, phases}, column[] = {1, 1}, whole = phases * t->out_channels;
    shape[by_phase] = column[by_phase] = t->out_channels;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(t->n, &attrs, "shape", (MlcOnnxInts){shape, 2});
    bias = mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){column, 2}, true);
    bias = bias ? mlc_onnx_build(t->n, &mlc_graph_expand_def, &bias, 1, &attrs) : NULL;
    return bias ? mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){&whole, 1}, true) : NULL;
}

// The results of a run of each dimension: [N, O, phases..., Q...], zeros in empty phases.
static MlcValue *
build_part(Transposed *t, const Run *const *runs, MlcValue *bias)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank;
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MAX_SPATIAL], dilations[MAX_SPATIAL];
    int64_t split[2 + 2 * MAX_SPATIAL] = {0, t->out_channels}, phases = 1;
    for (size_t i = 0; i < rank; i++) {
        phases *= runs[i]->count;
        dilations[i] = runs[i]->taps > 1 ? runs[i]->spread : 1;
        pads[i] = runs[i]->lag + (runs[i]->taps - 1) * dilations[i];
        pads[i + rank] = t->positions[i] - runs[i]->lag - t->in[i];
        split[2 + i] = runs[i]->count;
        split[2 + rank + i] = t->positions[i];
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    mlc_onnx_add_ints(n, &attrs, "dilations", (MlcOnnxInts){dilations, rank});
    mlc_onnx_add_int(n, &attrs, "group", t->group);
    MlcValue *operands[] = {n->inputs[0], build_filter(t, runs),
                            bias ? repeat_bias(t, bias, phases, false) : NULL};
    if (!operands[1] || (bias && !operands[2]))
        return NULL;
    MlcValue *value = mlc_onnx_build(n, &mlc_graph_conv_def, operands, bias ? 3 : 2, &attrs);
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){split, 2 + 2 * rank}, false) : NULL;
    for (size_t i = 0; i < rank; i++)
        value = fill_up(n, value, 2 + i, runs[i]->count + runs[i]->empty);
    return value;
}

// The parts of all runs of the dimensions from `dim` on, side by side.
static MlcValue *
build_parts(Transposed *t, size_t dim, const Run **runs, MlcValue *bias)
{
    MlcValue *parts[MAX_RUNS];
    MlcOnnxAttrs attrs = {0};
    if (dim == t->rank)
        return build_part(t, runs, bias);
    size_t count = t->runs[dim].count;
    for (size_t i = 0; i < count; i++) {
        runs[dim] = &t->runs[dim].items[i];
        if (!(parts[i] = build_parts(t, dim + 1, runs, bias)))
            return NULL;
    }
    mlc_onnx_add_int(t->n, &attrs, "axis", (int64_t)dim + 2);
    return count == 1 ? parts[0]
                      : mlc_onnx_build(t->n, &mlc_graph_concat_def, parts, count, &attrs);
}

// [N, O, phases..., Q...] -> [N, O, Q * stride...], cropped.
static MlcValue *
interleave(Transposed *t, MlcValue *value)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank;
    int64_t order[2 + 2 * MAX_SPATIAL] = {0, 1}, whole[2 + MAX_SPATIAL] = {0, t->out_channels};
    int64_t ends[MAX_SPATIAL], axes[MAX_SPATIAL];
    for (size_t i = 0; i < rank; i++) {
        order[2 + 2 * i] = (int64_t)(2 + rank + i);
        order[3 + 2 * i] = (int64_t)(2 + i);
        whole[2 + i] = t->positions[i] * t->stride[i];
        ends[i] = t->begin[i] + t->out[i];
        axes[i] = (int64_t)i + 2;
    }
    value = mlc_onnx_transpose(n, value, (MlcOnnxInts){order, 2 + 2 * rank});
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){whole, rank + 2}, false) : NULL;
    return value
               ? mlc_onnx_slice(n, value, (MlcOnnxInts){t->begin, rank}, (MlcOnnxInts){ends, rank},
                                (MlcOnnxInts){axes, rank}, (MlcOnnxInts){0})
               : NULL;
}

// Each of the result's channels has its bias; one for all phases cannot be a convolution's.
static MlcValue *
add_bias(Transposed *t, MlcValue *value, MlcValue *bias)
{
    int64_t shape[1 + MAX_SPATIAL] = {t->out_channels, 1, 1, 1};
    bias = mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){shape, 1 + t->rank}, true);
    return mlc_onnx_build_two(t->n, &mlc_graph_add_def, value, bias);
}

static bool
import_in_runs(Transposed *t)
{
    const Run *runs[MAX_SPATIAL];
    MlcValue *bias = mlc_onnx_input_or_null(t->n, 2);
    bool has_empty = false;
    size_t parts = 1;
    for (size_t i = 0; i < t->rank; i++) {
        parts *= t->runs[i].count;
        for (size_t k = 0; k < t->runs[i].count; k++)
            has_empty |= t->runs[i].items[k].empty > 0;
    }
    if (parts > MAX_PARTS)
        return mlc_onnx_unsupported(t->n, "%zu phases with taps of their own", parts);
    MlcValue *value = build_parts(t, 0, runs, has_empty ? NULL : bias);
    value = value ? interleave(t, value) : NULL;
    if (value && bias && has_empty)
        value = add_bias(t, value, bias);
    return mlc_onnx_set_result(t->n, value);
}

// ---- phases with windows of their own

static bool
are_phases_apart(const Transposed *t)
{
    bool are_apart = t->group == 1;
    for (size_t i = 0; i < t->rank; i++)
        are_apart &= t->stride[i] == 2 && t->dilation[i] == 1 && t->begin[i] % 2 == 1 &&
                     (t->kernel[i] == 2 || t->kernel[i] == 4) && t->in[i] <= MOST_APART;
    return are_apart;
}

// [C, O, K...] -> [phases * O, C, taps...]: phases in the order of the results they make, which is
// the reverse, and the taps in reverse.
static MlcValue *
build_filter_apart(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank, full = 2 + 2 * rank;
    int64_t shape[2 + 2 * MAX_SPATIAL] = {t->in_channels, t->out_channels};
    int64_t order[2 + 2 * MAX_SPATIAL], result[2 + MAX_SPATIAL] = {t->out_channels, t->in_channels};
    int64_t starts[2 * MAX_SPATIAL], ends[2 * MAX_SPATIAL], axes[2 * MAX_SPATIAL];
    order[rank] = 1;
    order[rank + 1] = 0;
    for (size_t i = 0; i < rank; i++) {
        int64_t taps = t->kernel[i] / 2;
        shape[2 + 2 * i] = result[2 + i] = taps;
        shape[3 + 2 * i] = 2;
        result[0] *= 2;
        order[i] = (int64_t)(3 + 2 * i);
        order[2 + rank + i] = (int64_t)(2 + 2 * i);
        axes[2 * i] = (int64_t)i;
        ends[2 * i] = -3;
        axes[2 * i + 1] = (int64_t)(2 + rank + i);
        ends[2 * i + 1] = -taps - 1;
        starts[2 * i] = starts[2 * i + 1] = -1;
    }
    MlcValue *filter = mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){shape, full}, true);
    filter = filter ? mlc_onnx_transpose(n, filter, (MlcOnnxInts){order, full}) : NULL;
    filter = filter ? mlc_onnx_slice(n, filter, (MlcOnnxInts){starts, 2 * rank},
                                     (MlcOnnxInts){ends, 2 * rank}, (MlcOnnxInts){axes, 2 * rank},
                                     (MlcOnnxInts){starts, 2 * rank})
                    : NULL;
    return filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){result, rank + 2}, true) : NULL;
}

// The windows of all phases along the channels: of phase `a` from input `begin / 2` + a - taps + 1
// on, one input for each pair of results and the taps.
static MlcValue *
build_windows(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank;
    int64_t pads[2 * (2 + MAX_SPATIAL)] = {0}, first[MAX_SPATIAL], axes[MAX_SPATIAL];
    MlcValue *x = n->inputs[0], *windows[1 << MAX_SPATIAL];
    MlcOnnxAttrs attrs = {0}, along = {0};
    for (size_t i = 0; i < rank; i++) {
        int64_t start = t->begin[i] / 2 - t->kernel[i] / 2 + 1, low = start < 0 ? -start : 0;
        int64_t high = t->begin[i] / 2 + (t->out[i] + 1) / 2 - (t->in[i] - 1);
        pads[2 + i] = low;
        pads[4 + rank + i] = high > 0 ? high : 0;
        first[i] = start + low;
        axes[i] = (int64_t)i + 2;
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * (2 + rank)});
    mlc_onnx_add_attr(n, &attrs, "value",
                      mlc_float_attr_get(mlc_type_element(mlc_value_type(x)), 0));
    x = mlc_onnx_build(n, &mlc_graph_pad_def, &x, 1, &attrs);
    for (size_t phase = 0; x && phase < (size_t)1 << rank; phase++) {
        int64_t starts[MAX_SPATIAL], ends[MAX_SPATIAL];
        for (size_t i = 0; i < rank; i++) {
            starts[i] = first[i] + (int64_t)(phase >> (rank - 1 - i) & 1);
            ends[i] = starts[i] + (t->out[i] + 1) / 2 + t->kernel[i] / 2 - 1;
        }
        windows[phase] =
            mlc_onnx_slice(n, x, (MlcOnnxInts){starts, rank}, (MlcOnnxInts){ends, rank},
                           (MlcOnnxInts){axes, rank}, (MlcOnnxInts){0});
        if (!windows[phase])
            return NULL;
    }
    mlc_onnx_add_int(n, &along, "axis", 1);
    return x ? mlc_onnx_build(n, &mlc_graph_concat_def, windows, (size_t)1 << rank, &along) : NULL;
}

// [N, phases * O, pairs...] -> [N, O, pairs * 2...], without what an odd size lacks.
static MlcValue *
interleave_apart(Transposed *t, MlcValue *value)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank, full = 2 + 2 * rank;
    int64_t split[2 + 2 * MAX_SPATIAL] = {0}, order[2 + 2 * MAX_SPATIAL] = {0, 1 + (int64_t)rank};
    int64_t whole[2 + MAX_SPATIAL] = {0, t->out_channels}, starts[MAX_SPATIAL] = {0},
                      axes[MAX_SPATIAL];
    split[1 + rank] = t->out_channels;
    for (size_t i = 0; i < rank; i++) {
        int64_t pairs = (t->out[i] + 1) / 2;
        split[1 + i] = 2;
        split[2 + rank + i] = pairs;
        order[2 + 2 * i] = (int64_t)(2 + rank + i);
        order[3 + 2 * i] = (int64_t)(1 + i);
        whole[2 + i] = 2 * pairs;
        axes[i] = (int64_t)i + 2;
    }
    value = mlc_onnx_reshape(n, value, (MlcOnnxInts){split, full}, false);
    value = value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){order, full}) : NULL;
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){whole, rank + 2}, false) : NULL;
    return value
               ? mlc_onnx_slice(n, value, (MlcOnnxInts){starts, rank}, (MlcOnnxInts){t->out, rank},
                                (MlcOnnxInts){axes, rank}, (MlcOnnxInts){0})
               : NULL;
}

static bool
import_apart(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MAX_SPATIAL] = {0};
    MlcValue *bias = mlc_onnx_input_or_null(n, 2);
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * t->rank});
    mlc_onnx_add_int(n, &attrs, "group", (int64_t)1 << t->rank);
    MlcValue *operands[] = {build_windows(t), build_filter_apart(t),
                            bias ? repeat_bias(t, bias, (int64_t)1 << t->rank, true) : NULL};
    if (!operands[0] || !operands[1] || (bias && !operands[2]))
        return false;
    MlcValue *value = mlc_onnx_build(n, &mlc_graph_conv_def, operands, bias ? 3 : 2, &attrs);
    return mlc_onnx_set_result(n, value ? interleave_apart(t, value) : NULL);
}

// ---- images of an open size

// stride - 1 zeros behind each element of the dimension.
static MlcValue *
spread_out(Transposed *t, MlcValue *value, size_t axis, int64_t stride)
{
    MlcOnnxNodeImport *n = t->n;
    MlcOnnxAttrs attrs = {0};
    MlcOnnxSizes dims;
    int64_t pads[2 * (MAX_SPATIAL + 3)] = {0};
    if (!value || stride == 1 || !mlc_onnx_dims_of(n, value, &dims))
        return stride == 1 ? value : NULL;
    MlcAttr apart[MAX_SPATIAL + 3], size = mlc_size_number(mlc_onnx_context_of(n), stride);
    size_t rank = dims.count + 1;
    for (size_t i = 0; i < rank; i++)
        apart[i] =
            i == axis + 1 ? mlc_size_number(mlc_onnx_context_of(n), 1) : dims.items[i - (i > axis)];
    value = mlc_onnx_reshape_to(n, value, &(MlcOnnxSizes){apart, rank});
    pads[rank + axis + 1] = stride - 1;
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    mlc_onnx_add_attr(n, &attrs, "value",
                      mlc_float_attr_get(mlc_type_element(mlc_value_type(n->inputs[0])), 0));
    value = value ? mlc_onnx_build(n, &mlc_graph_pad_def, &value, 1, &attrs) : NULL;
    dims.items[axis] = mlc_size_combine(MLC_SIZE_MUL, dims.items[axis], size);
    return value && dims.items[axis] ? mlc_onnx_reshape_to(n, value, &dims) : NULL;
}

// [C, O / groups, K...] -> [O, C / groups, K...], taps in reverse.
static MlcValue *
reverse_filter(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank;
    int64_t in = t->in_channels / t->group, out = t->out_channels / t->group;
    int64_t parts[3 + MAX_SPATIAL] = {t->group, in, out}, order[3 + MAX_SPATIAL] = {0, 2, 1};
    int64_t whole[2 + MAX_SPATIAL] = {t->out_channels, in};
    int64_t starts[MAX_SPATIAL], ends[MAX_SPATIAL], axes[MAX_SPATIAL];
    for (size_t i = 0; i < rank; i++) {
        parts[3 + i] = whole[2 + i] = t->kernel[i];
        order[3 + i] = (int64_t)i + 3;
        starts[i] = -1;
        ends[i] = -t->kernel[i] - 1;
        axes[i] = (int64_t)i + 2;
    }
    MlcValue *filter = mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){parts, rank + 3}, true);
    filter = filter ? mlc_onnx_transpose(n, filter, (MlcOnnxInts){order, rank + 3}) : NULL;
    filter = filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){whole, rank + 2}, true) : NULL;
    return filter
               ? mlc_onnx_slice(n, filter, (MlcOnnxInts){starts, rank}, (MlcOnnxInts){ends, rank},
                                (MlcOnnxInts){axes, rank}, (MlcOnnxInts){starts, rank})
               : NULL;
}

static bool
import_open(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MAX_SPATIAL];
    MlcValue *value = n->inputs[0], *bias = mlc_onnx_input_or_null(n, 2);
    for (size_t i = 0; i < t->rank; i++) {
        int64_t reach = (t->kernel[i] - 1) * t->dilation[i];
        pads[i] = reach - t->begin[i];
        pads[i + t->rank] = reach - t->end[i] + t->extra[i] - (t->stride[i] - 1);
        if (pads[i] < 0 || pads[i + t->rank] < 0)
            return mlc_onnx_unknown_size(n, (int64_t)i + 2);
        value = spread_out(t, value, i + 2, t->stride[i]);
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * t->rank});
    mlc_onnx_add_ints(n, &attrs, "dilations", (MlcOnnxInts){t->dilation, t->rank});
    mlc_onnx_add_int(n, &attrs, "group", t->group);
    MlcValue *operands[] = {value, reverse_filter(t), bias};
    return mlc_onnx_set_result(
        n, value ? mlc_onnx_build(n, &mlc_graph_conv_def, operands, bias ? 3 : 2, &attrs) : NULL);
}

bool
mlc_onnx_import_conv_transpose(MlcOnnxNodeImport *n)
{
    Transposed t = {.n = n};
    if (!read_shapes(&t) || !read_window(&t))
        return false;
    if (t.is_open)
        return import_open(&t);
    return are_phases_apart(&t) ? import_apart(&t) : import_in_runs(&t);
}
