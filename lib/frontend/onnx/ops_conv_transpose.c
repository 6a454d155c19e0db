// ops_conv_transpose.c -- ConvTranspose, as one plain convolution.
//
// Tap k of input i goes to position s i + k of the result (before it is cropped by the pads), s the
// stride. Positions Y = s Q + r of one phase r get the taps k = r + s j only, from the inputs Q -
// j:
//
//   result[s Q + r] = sum over j of input[Q - j] * filter[r + s j]
//
// That is a convolution of stride 1 with ceil(K / s) taps in reverse. All phases together are one
// convolution with s times the channels (for each spatial dimension), whose result is then
// interleaved. No zeros are multiplied but those that fill up the last tap, and everything that
// convolutions have (layouts, tiles, Winograd) applies. Filters that are constants are rearranged
// when compiling.
//
// Where s is 2 and the crop begins inside of a pair (a kernel of 4 with pads of 1), the phases of
// one pair of results begin at inputs next to each other: all phases at all positions would be one
// position more in each dimension than the result has pairs, half again as much for an image of 4 x
// 4. So each phase has its own window of a small image: they lie side by side as the groups of a
// grouped convolution.
#include "node.h"

#include <inttypes.h>

enum {
    MAX_SPATIAL = 3,
    MAX_SIZE = 1 << 20, // of sizes, strides, ...: products of two do not overflow
    MOST_APART = 16,    // of an image: a larger one gains less than its copies cost
};

typedef struct Transposed {
    MlcOnnxNodeImport *n;
    size_t rank;                               // spatial dimensions
    int64_t in_channels, out_channels, group;  // channels of the whole
    int64_t in[MAX_SPATIAL], out[MAX_SPATIAL]; // sizes
    int64_t kernel[MAX_SPATIAL], dilation[MAX_SPATIAL];
    int64_t stride[MAX_SPATIAL];
    int64_t begin[MAX_SPATIAL], end[MAX_SPATIAL];   // pads: what is cropped
    int64_t taps[MAX_SPATIAL], phases[MAX_SPATIAL]; // of each phase; positions Q
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
        if (i > 0 && size == MLC_DYNAMIC)
            return mlc_onnx_unknown_size(n, (int64_t)i);
        if (tap < 1 || tap > MAX_SIZE || (i > 0 && (size < 1 || size > MAX_SIZE)))
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
    t->taps[i] = (reach + t->stride[i] - 1) / t->stride[i];
    t->phases[i] = (needed + t->stride[i] - 1) / t->stride[i];
    return true;
}

static bool
read_window(Transposed *t)
{
    int64_t extra[MAX_SPATIAL] = {0}, wanted[MAX_SPATIAL] = {0}, kernel[MAX_SPATIAL];
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
        !read_sizes(t, "output_padding", extra, t->rank, 0) ||
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
        if (!find_result_size(t, i, extra[i], auto_pad, wanted[i]))
            return false;
    }
    return true;
}

// Fills up dimension `axis` with zeros behind.
static MlcValue *
fill_up(MlcOnnxNodeImport *n, MlcValue *value, size_t axis, int64_t size)
{
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MLC_ONNX_MAX_RANK] = {0};
    MlcType type = value ? mlc_value_type(value) : NULL;
    if (!value || mlc_type_dim(type, axis) == size)
        return value;
    size_t rank = mlc_type_rank(type);
    pads[rank + axis] = size - mlc_type_dim(type, axis);
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * rank});
    mlc_onnx_add_attr(n, &attrs, "value", mlc_float_attr_get(mlc_type_element(type), 0));
    return mlc_onnx_build(n, "graph.pad", &value, 1, &attrs);
}

// Zeros between the taps of dimension `i`: each tap becomes a row of `dilation`.
static MlcValue *
dilate(Transposed *t, MlcValue *filter, size_t i)
{
    int64_t shape[MLC_ONNX_MAX_RANK], size = (t->kernel[i] - 1) * t->dilation[i] + 1, start = 0;
    int64_t axis = (int64_t)i + 2;
    size_t rank = t->rank + 2;
    if (!filter || t->dilation[i] == 1)
        return filter;
    for (size_t k = 0; k < rank; k++)
        shape[k + (k > i + 2)] = mlc_type_dim(mlc_value_type(filter), k);
    shape[i + 3] = 1;
    filter = mlc_onnx_reshape(t->n, filter, (MlcOnnxInts){shape, rank + 1}, true);
    filter = fill_up(t->n, filter, i + 3, t->dilation[i]);
    for (size_t k = i + 3; k < rank; k++)
        shape[k] = shape[k + 1];
    shape[i + 2] *= t->dilation[i];
    filter = filter ? mlc_onnx_reshape(t->n, filter, (MlcOnnxInts){shape, rank}, true) : NULL;
    return filter ? mlc_onnx_slice(t->n, filter, (MlcOnnxInts){&start, 1}, (MlcOnnxInts){&size, 1},
                                   (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0})
                  : NULL;
}

// [C, O / g, K...] -> [O * phases, C / g, taps...], the taps in reverse.
static MlcValue *
build_filter(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    MlcValue *filter = n->inputs[1];
    size_t rank = t->rank, full = 3 + 2 * rank;
    int64_t shape[3 + 2 * MAX_SPATIAL] = {t->group, t->in_channels / t->group,
                                          t->out_channels / t->group};
    int64_t order[3 + 2 * MAX_SPATIAL] = {0, 2}, result[2 + MAX_SPATIAL];
    int64_t starts[MAX_SPATIAL], ends[MAX_SPATIAL], axes[MAX_SPATIAL], steps[MAX_SPATIAL];
    result[0] = t->out_channels;
    result[1] = t->in_channels / t->group;
    order[2 + rank] = 1;
    for (size_t i = 0; i < rank; i++) {
        filter = fill_up(n, dilate(t, filter, i), i + 2, t->taps[i] * t->stride[i]);
        shape[3 + 2 * i] = result[2 + i] = t->taps[i];
        shape[4 + 2 * i] = t->stride[i];
        result[0] *= t->stride[i];
        order[2 + i] = (int64_t)(4 + 2 * i);
        order[3 + rank + i] = (int64_t)(3 + 2 * i);
        starts[i] = steps[i] = -1;
        ends[i] = -t->taps[i] - 1;
        axes[i] = (int64_t)i + 2;
    }
    filter = filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){shape, full}, true) : NULL;
    filter = filter ? mlc_onnx_transpose(n, filter, (MlcOnnxInts){order, full}) : NULL;
    filter = filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){result, rank + 2}, true) : NULL;
    return filter
               ? mlc_onnx_slice(n, filter, (MlcOnnxInts){starts, rank}, (MlcOnnxInts){ends, rank},
                                (MlcOnnxInts){axes, rank}, (MlcOnnxInts){steps, rank})
               : NULL;
}

// The bias of each channel for all its phases.
static MlcValue *
build_bias(Transposed *t, MlcValue *bias)
{
    int64_t phases = 1;
    for (size_t i = 0; i < t->rank; i++)
        phases *= t->stride[i];
    int64_t shape[] = {t->out_channels, phases}, whole = t->out_channels * phases;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(t->n, &attrs, "shape", (MlcOnnxInts){shape, 2});
    int64_t column[] = {t->out_channels, 1};
    bias = mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){column, 2}, true);
    bias = bias ? mlc_onnx_build(t->n, "graph.expand", &bias, 1, &attrs) : NULL;
    return bias ? mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){&whole, 1}, true) : NULL;
}

// [N, O * phases, Q...] -> [N, O, Q * stride...], cropped.
static MlcValue *
interleave(Transposed *t, MlcValue *value)
{
    MlcOnnxNodeImport *n = t->n;
    size_t rank = t->rank;
    int64_t split[2 + 2 * MAX_SPATIAL] = {0, t->out_channels}, order[2 + 2 * MAX_SPATIAL] = {0, 1};
    int64_t whole[2 + MAX_SPATIAL] = {0, t->out_channels}, ends[MAX_SPATIAL], axes[MAX_SPATIAL];
    bool has_phases = false;
    for (size_t i = 0; i < rank; i++) {
        split[2 + i] = t->stride[i];
        split[2 + rank + i] = t->phases[i];
        order[2 + 2 * i] = (int64_t)(2 + rank + i);
        order[3 + 2 * i] = (int64_t)(2 + i);
        whole[2 + i] = t->phases[i] * t->stride[i];
        ends[i] = t->begin[i] + t->out[i];
        axes[i] = (int64_t)i + 2;
        has_phases |= t->stride[i] > 1;
    }
    if (has_phases) {
        size_t full = 2 + 2 * rank;
        value = mlc_onnx_reshape(n, value, (MlcOnnxInts){split, full}, false);
        value = value ? mlc_onnx_transpose(n, value, (MlcOnnxInts){order, full}) : NULL;
        value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){whole, rank + 2}, false) : NULL;
    }
    return value
               ? mlc_onnx_slice(n, value, (MlcOnnxInts){t->begin, rank}, (MlcOnnxInts){ends, rank},
                                (MlcOnnxInts){axes, rank}, (MlcOnnxInts){0})
               : NULL;
}

// ---- phases with windows of their own

static bool
are_phases_apart(const Transposed *t)
{
    bool are_apart = t->group == 1;
    for (size_t i = 0; i < t->rank; i++)
        are_apart &=
            t->stride[i] == 2 && t->begin[i] % 2 == 1 && t->taps[i] <= 2 && t->in[i] <= MOST_APART;
    return are_apart;
}

// [C, O, K...] -> [phases * O, C, taps...]: phases in the order of the results they make, which is
// the reverse, and the taps in reverse.
static MlcValue *
build_filter_apart(Transposed *t)
{
    MlcOnnxNodeImport *n = t->n;
    MlcValue *filter = n->inputs[1];
    size_t rank = t->rank, full = 2 + 2 * rank;
    int64_t shape[2 + 2 * MAX_SPATIAL] = {t->in_channels, t->out_channels};
    int64_t order[2 + 2 * MAX_SPATIAL], result[2 + MAX_SPATIAL] = {t->out_channels, t->in_channels};
    int64_t starts[2 * MAX_SPATIAL], ends[2 * MAX_SPATIAL], axes[2 * MAX_SPATIAL];
    order[rank] = 1;
    order[rank + 1] = 0;
    for (size_t i = 0; i < rank; i++) {
        filter = fill_up(n, dilate(t, filter, i), i + 2, t->taps[i] * 2);
        shape[2 + 2 * i] = result[2 + i] = t->taps[i];
        shape[3 + 2 * i] = 2;
        result[0] *= 2;
        order[i] = (int64_t)(3 + 2 * i);
        order[2 + rank + i] = (int64_t)(2 + 2 * i);
        axes[2 * i] = (int64_t)i;
        ends[2 * i] = -3;
        axes[2 * i + 1] = (int64_t)(2 + rank + i);
        ends[2 * i + 1] = -t->taps[i] - 1;
        starts[2 * i] = starts[2 * i + 1] = -1;
    }
    filter = filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){shape, full}, true) : NULL;
    filter = filter ? mlc_onnx_transpose(n, filter, (MlcOnnxInts){order, full}) : NULL;
    filter = filter ? mlc_onnx_slice(n, filter, (MlcOnnxInts){starts, 2 * rank},
                                     (MlcOnnxInts){ends, 2 * rank}, (MlcOnnxInts){axes, 2 * rank},
                                     (MlcOnnxInts){starts, 2 * rank})
                    : NULL;
    return filter ? mlc_onnx_reshape(n, filter, (MlcOnnxInts){result, rank + 2}, true) : NULL;
}

// The bias of each channel, phase by phase.
static MlcValue *
build_bias_apart(Transposed *t, MlcValue *bias)
{
    int64_t phases = (int64_t)1 << t->rank, row[] = {1, t->out_channels},
            shape[] = {phases, t->out_channels}, whole = phases * t->out_channels;
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(t->n, &attrs, "shape", (MlcOnnxInts){shape, 2});
    bias = mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){row, 2}, true);
    bias = bias ? mlc_onnx_build(t->n, "graph.expand", &bias, 1, &attrs) : NULL;
    return bias ? mlc_onnx_reshape(t->n, bias, (MlcOnnxInts){&whole, 1}, true) : NULL;
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
        int64_t start = t->begin[i] / 2 - t->taps[i] + 1, low = start < 0 ? -start : 0;
        int64_t high = t->begin[i] / 2 + (t->out[i] + 1) / 2 - (t->in[i] - 1);
        pads[2 + i] = low;
        pads[4 + rank + i] = high > 0 ? high : 0;
        first[i] = start + low;
        axes[i] = (int64_t)i + 2;
    }
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * (2 + rank)});
    mlc_onnx_add_attr(n, &attrs, "value",
                      mlc_float_attr_get(mlc_type_element(mlc_value_type(x)), 0));
    x = mlc_onnx_build(n, "graph.pad", &x, 1, &attrs);
    for (size_t phase = 0; x && phase < (size_t)1 << rank; phase++) {
        int64_t starts[MAX_SPATIAL], ends[MAX_SPATIAL];
        for (size_t i = 0; i < rank; i++) {
            starts[i] = first[i] + (int64_t)(phase >> (rank - 1 - i) & 1);
            ends[i] = starts[i] + (t->out[i] + 1) / 2 + t->taps[i] - 1;
        }
        windows[phase] =
            mlc_onnx_slice(n, x, (MlcOnnxInts){starts, rank}, (MlcOnnxInts){ends, rank},
                           (MlcOnnxInts){axes, rank}, (MlcOnnxInts){0});
        if (!windows[phase])
            return NULL;
    }
    mlc_onnx_add_int(n, &along, "axis", 1);
    return x ? mlc_onnx_build(n, "graph.concat", windows, (size_t)1 << rank, &along) : NULL;
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
                            bias ? build_bias_apart(t, bias) : NULL};
    if (!operands[0] || !operands[1] || (bias && !operands[2]))
        return false;
    MlcValue *value = mlc_onnx_build(n, "graph.conv", operands, bias ? 3 : 2, &attrs);
    return mlc_onnx_set_result(n, value ? interleave_apart(t, value) : NULL);
}

bool
mlc_onnx_import_conv_transpose(MlcOnnxNodeImport *n)
{
    Transposed t = {.n = n};
    if (!read_shapes(&t) || !read_window(&t))
        return false;
    if (are_phases_apart(&t))
        return import_apart(&t);
    int64_t pads[2 * MAX_SPATIAL];
    for (size_t i = 0; i < t.rank; i++) {
        pads[i] = t.taps[i] - 1;
        pads[i + t.rank] = t.phases[i] - t.in[i];
    }
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(n, &attrs, "pads", (MlcOnnxInts){pads, 2 * t.rank});
    mlc_onnx_add_int(n, &attrs, "group", t.group);
    MlcValue *operands[] = {n->inputs[0], build_filter(&t), NULL};
    MlcValue *bias = mlc_onnx_input_or_null(n, 2);
    if (bias)
        operands[2] = build_bias(&t, bias);
    if (!operands[1] || (bias && !operands[2]))
        return false;
    MlcValue *value = mlc_onnx_build(n, "graph.conv", operands, bias ? 3 : 2, &attrs);
    return mlc_onnx_set_result(n, value ? interleave(&t, value) : NULL);
}
