// graph_lower_windows.c -- convolutions and pooling as linalg: named ops where one says exactly the
// same, linalg.generic for other ranks, layouts and groups.
//
// Sums start from the bias, so that nothing is added after the reduction. Padding is its own
// tensor.pad.
#include "graph_lower.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/linalg.h"

// A tensor of `shape` that holds, along the loops listed, the elements of `value`: a bias.
static MlcValue *
broadcast_along(MlcGraphLower *l, MlcValue *value, const MlcTensorShape *shape,
                const unsigned *loops, size_t n)
{
    MlcAffineMap map = mlc_map_of_loops(l->b.ctx, (unsigned)shape->rank, loops, n);
    return mlc_graph_lower_map(l, value, map, shape, "x");
}

static MlcNamedAttr
window_attr(MlcGraphLower *l, const char *name, const int64_t *values, size_t n)
{
    MlcType i64 = mlc_integer_type_get(l->b.ctx, 64, MLC_SIGNLESS);
    int64_t dim = (int64_t)n;
    bool splat = true;
    for (size_t i = 1; i < n; i++)
        splat &= values[i] == values[0];
    MlcType type = mlc_tensor_type_get(i64, &dim, 1, NULL);
    return mlc_named(l->b.ctx, name, mlc_dense_attr_get(type, values, splat ? 8 : 8 * n, splat));
}

// Whether padding of spatial dimension `i` depends on a size that is known when the model runs.
static bool
is_padded_by_size(MlcGraphLower *l, const MlcGraphWindow *w, size_t i)
{
    return mlc_op_attr(l->op, "auto_pad") && w->strides[i] != 1 &&
           mlc_type_dim(mlc_value_type(operand(l, 0)), i + (is_nhwc(l) ? 1 : 2)) == MLC_DYNAMIC;
}

// What `auto_pad` adds to a dimension whose size is known when the model runs: at its beginning,
// and in all. Windows begin as far apart as steps say, the last one at (windows - 1) * step.
typedef struct OpenPads {
    MlcValue *begin, *all, *reach; // reach: from the first window's begin to the last one's end
} OpenPads;

static OpenPads
open_pads(MlcGraphLower *l, const MlcGraphWindow *w, size_t i, MlcValue *size)
{
    MlcBuilder *b = &l->b;
    OpenPads pads;
    int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
    MlcValue *step = mlc_build_index(b, w->strides[i]), *zero = mlc_build_index(b, 0);
    MlcValue *before = mlc_arith_subi(b, size, mlc_build_index(b, 1));
    MlcValue *last = mlc_arith_floordivsi(b, before, step);
    MlcValue *last_at = mlc_arith_muli(b, last, step);
    pads.reach = mlc_arith_addi(b, last_at, mlc_build_index(b, extent));
    pads.reach = mlc_arith_maxsi(b, pads.reach, zero);
    pads.all = mlc_arith_maxsi(b, mlc_arith_subi(b, pads.reach, size), zero);
    MlcValue *half = mlc_arith_floordivsi(b, pads.all, mlc_build_index(b, 2));
    bool upper =
        mlc_str_equal(mlc_string_attr_value(mlc_op_attr(l->op, "auto_pad")), mlc_str("same_upper"));
    pads.begin = upper ? half : mlc_arith_subi(b, pads.all, half);
    return pads;
}

// Of an input with the most padding what this size wants.
static MlcValue *
cut_padding(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *padded)
{
    MlcTensorShape input, shape;
    MlcMixed at[MLC_BUILD_RANK];
    size_t first = is_nhwc(l) ? 1 : 2;
    bool any = false;
    mlc_build_shape_of(&l->b, operand(l, 0), &input);
    mlc_build_shape_of(&l->b, padded, &shape);
    for (size_t i = 0; i < shape.rank; i++) {
        at[i] = mlc_mixed(0);
        if (i < first || i >= first + w->rank || !is_padded_by_size(l, w, i - first))
            continue;
        OpenPads pads = open_pads(l, w, i - first, size_value(l, &input, i));
        MlcValue *most = mlc_build_index(&l->b, w->pad_begin[i - first]);
        at[i].value = mlc_arith_subi(&l->b, most, pads.begin);
        shape.values[i] = pads.reach;
        shape.dims[i] = MLC_DYNAMIC;
        any = true;
    }
    return any ? mlc_build_extract_slice_at(&l->b, padded, at, &shape) : padded;
}

// Pads the spatial dims of the input; where the last windows hang over (ceil_mode), by what they
// need.
static MlcValue *
pad_input(MlcGraphLower *l, const MlcGraphWindow *w, double value)
{
    int64_t low[MLC_BUILD_RANK] = {0}, high[MLC_BUILD_RANK] = {0};
    size_t first = is_nhwc(l) ? 1 : 2;
    MlcType input = mlc_value_type(operand(l, 0));
    for (size_t i = 0; i < w->rank; i++) {
        int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
        bool is_open = mlc_type_dim(input, first + i) == MLC_DYNAMIC;
        int64_t most = bool_attr(l, "ceil_mode") ? w->pad_end[i] + w->strides[i] - 1 : 0;
        int64_t need = is_open ? most
                               : (mlc_type_dim(l->type, first + i) - 1) * w->strides[i] + extent -
                                     mlc_type_dim(input, first + i) - w->pad_begin[i];
        low[first + i] = w->pad_begin[i];
        high[first + i] = need > w->pad_end[i] ? need : w->pad_end[i];
    }
    MlcType element = mlc_type_element(input);
    MlcAttr number = mlc_type_is_float(element) ? mlc_float_attr_get(element, value)
                     : element != l->element    ? mlc_integer_attr_get(element, (int64_t)value)
                                                : mlc_graph_lower_number(l, value);
    return cut_padding(l, w, mlc_build_pad(&l->b, operand(l, 0), low, high, number));
}

// Input position of window `k` of output `o`: o * stride + k * dilation.
static MlcAffineExpr
window_position(MlcGraphLower *l, const MlcGraphWindow *w, size_t i, unsigned o, unsigned k)
{
    MlcContext *ctx = l->b.ctx;
    return mlc_affine_add(mlc_affine_mul_const(mlc_affine_dim(ctx, o), w->strides[i]),
                          mlc_affine_mul_const(mlc_affine_dim(ctx, k), w->dilations[i]));
}

// Splits dim `at` of a tensor into `outer` and the rest.
static MlcValue *
split_dim(MlcGraphLower *l, MlcValue *tensor, size_t at, int64_t outer)
{
    MlcTensorShape old, shape = {0};
    size_t group[MLC_BUILD_RANK];
    mlc_build_shape_of(&l->b, tensor, &old);
    for (size_t i = 0; i < old.rank; i++) {
        if (i == at) {
            group[shape.rank] = i;
            shape.dims[shape.rank++] = outer;
        }
        group[shape.rank] = i;
        shape.values[shape.rank] = old.values[i];
        shape.dims[shape.rank++] = i == at ? old.dims[i] / outer : old.dims[i];
    }
    return mlc_build_expand_to(&l->b, tensor, group, &shape);
}

static MlcValue *
join_dims(MlcGraphLower *l, MlcValue *tensor, size_t at)
{
    MlcTensorShape old, shape = {0};
    size_t group[MLC_BUILD_RANK];
    mlc_build_shape_of(&l->b, tensor, &old);
    for (size_t i = 0; i < old.rank; i++) {
        if (i == at + 1) {
            shape.dims[shape.rank - 1] *= old.dims[i];
        } else {
            shape.values[shape.rank] = old.values[i];
            shape.dims[shape.rank++] = old.dims[i];
        }
        group[i] = shape.rank - 1;
    }
    return mlc_build_collapse_to(&l->b, tensor, group, &shape);
}

typedef struct LoopNumbers {
    unsigned batch, group, channel, in_channel; // of the output and, last, of the reduction
    unsigned output[MLC_GRAPH_MAX_SPATIAL], kernel[MLC_GRAPH_MAX_SPATIAL];
    unsigned count;
} LoopNumbers;

// The loops of a convolution: those of the output in its order (n, [g, o,] spatial..., or
// n, spatial..., [g,] o), then the window's, then input channels. Returns how many are the
// output's.
static unsigned
number_loops(const MlcGraphWindow *w, bool nhwc, bool grouped, LoopNumbers *loop)
{
    loop->batch = loop->count++;
    if (!nhwc) {
        loop->group = grouped ? loop->count++ : 0;
        loop->channel = loop->count++;
    }
    for (size_t i = 0; i < w->rank; i++)
        loop->output[i] = loop->count++;
    if (nhwc) {
        loop->group = grouped ? loop->count++ : 0;
        loop->channel = loop->count++;
    }
    unsigned num_parallel = loop->count;
    for (size_t i = 0; i < w->rank; i++)
        loop->kernel[i] = loop->count++;
    loop->in_channel = loop->count++;
    return num_parallel;
}

// Where the input is read: n, [g,] channels and windows in the layout's order.
static MlcAffineMap
conv_input_map(MlcGraphLower *l, const MlcGraphWindow *w, bool grouped, const LoopNumbers *loop)
{
    MlcContext *ctx = l->b.ctx;
    MlcAffineExpr in[MLC_BUILD_RANK];
    size_t n = 0;
    in[n++] = mlc_affine_dim(ctx, loop->batch);
    for (int pass = 0; pass < 2; pass++) { // spatial dims, and channels, in the layout's order
        if ((pass == 0) == is_nhwc(l)) {
            for (size_t i = 0; i < w->rank; i++)
                in[n++] = window_position(l, w, i, loop->output[i], loop->kernel[i]);
        } else {
            if (grouped)
                in[n++] = mlc_affine_dim(ctx, loop->group);
            in[n++] = mlc_affine_dim(ctx, loop->in_channel);
        }
    }
    return mlc_affine_map_get(ctx, loop->count, 0, in, n);
}

// Where the filter is read: taps and input channels before the output's channels, or behind them.
static MlcAffineMap
conv_filter_map(MlcGraphLower *l, const MlcGraphWindow *w, bool grouped, const LoopNumbers *loop)
{
    MlcContext *ctx = l->b.ctx;
    MlcAffineExpr filter[MLC_BUILD_RANK];
    bool nhwc = is_nhwc(l);
    size_t n = 0;
    for (size_t i = 0; nhwc && i < w->rank; i++)
        filter[n++] = mlc_affine_dim(ctx, loop->kernel[i]);
    if (nhwc)
        filter[n++] = mlc_affine_dim(ctx, loop->in_channel);
    if (grouped)
        filter[n++] = mlc_affine_dim(ctx, loop->group);
    filter[n++] = mlc_affine_dim(ctx, loop->channel);
    if (!nhwc)
        filter[n++] = mlc_affine_dim(ctx, loop->in_channel);
    for (size_t i = 0; !nhwc && i < w->rank; i++)
        filter[n++] = mlc_affine_dim(ctx, loop->kernel[i]);
    return mlc_affine_map_get(ctx, loop->count, 0, filter, n);
}

// Any convolution: all ranks, layouts and groups.
static MlcValue *
generic_conv(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *input, MlcValue *init,
             int64_t groups)
{
    bool nhwc = is_nhwc(l), grouped = groups > 1;
    size_t channel = nhwc ? w->rank + 1 : 1;
    MlcValue *filter = operand(l, 1);
    LoopNumbers loop = {0};
    char iterators[MLC_BUILD_RANK];
    unsigned outs[MLC_BUILD_RANK];
    if (grouped) {
        input = split_dim(l, input, channel, groups);
        filter = split_dim(l, filter, nhwc ? w->rank + 1 : 0, groups);
    }
    unsigned num_parallel = number_loops(w, nhwc, grouped, &loop);
    for (unsigned i = 0; i < loop.count; i++)
        iterators[i] = i < num_parallel ? 'p' : 'r';
    for (unsigned i = 0; i < num_parallel; i++)
        outs[i] = i;
    static const char *const names[] = {"a", "b", "acc"};
    MlcGeneric g = {.inputs = {input, filter},
                    .num_inputs = 2,
                    .maps = {conv_input_map(l, w, grouped, &loop),
                             conv_filter_map(l, w, grouped, &loop),
                             mlc_map_of_loops(l->b.ctx, loop.count, outs, num_parallel)},
                    .output = init,
                    .num_loops = loop.count,
                    .iterators = iterators,
                    .body = has_narrow_factors(l) ? "acc + cast(a) * cast(b)" : "acc + a * b",
                    .names = names};
    MlcValue *result = build_generic(l, &g);
    return grouped ? join_dims(l, result, channel) : result;
}

static bool
is_depthwise(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *filter, int64_t groups)
{
    MlcType type = mlc_value_type(filter);
    return is_nhwc(l) && groups > 1 && mlc_type_dim(type, w->rank) == 1 &&
           mlc_type_dim(type, w->rank + 1) == groups;
}

// What linalg.depthwise_conv_2d_nhwc_hwc is, for windows of any rank and narrow factors: loops n,
// those of the output, c, those of the window.
static MlcValue *
depthwise_conv(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *input, MlcValue *init)
{
    static const char *const names[] = {"a", "b", "acc"};
    MlcContext *ctx = l->b.ctx;
    MlcAffineExpr in[MLC_BUILD_RANK];
    unsigned outs[MLC_BUILD_RANK], taps[MLC_BUILD_RANK];
    char iterators[MLC_BUILD_RANK];
    unsigned rank = (unsigned)w->rank, channel = rank + 1, num_loops = 2 * rank + 2;
    in[0] = mlc_affine_dim(ctx, 0);
    in[channel] = mlc_affine_dim(ctx, channel);
    for (unsigned i = 0; i < rank; i++) {
        in[1 + i] = window_position(l, w, i, 1 + i, channel + 1 + i);
        taps[i] = channel + 1 + i;
    }
    taps[rank] = channel;
    for (unsigned i = 0; i < num_loops; i++) {
        outs[i] = i;
        iterators[i] = i <= channel ? 'p' : 'r';
    }
    MlcGeneric g = {.inputs = {input, join_dims(l, operand(l, 1), rank)},
                    .num_inputs = 2,
                    .maps = {mlc_affine_map_get(ctx, num_loops, 0, in, rank + 2),
                             mlc_map_of_loops(ctx, num_loops, taps, rank + 1),
                             mlc_map_of_loops(ctx, num_loops, outs, rank + 2)},
                    .output = init,
                    .num_loops = num_loops,
                    .iterators = iterators,
                    .body = has_narrow_factors(l) ? "acc + cast(a) * cast(b)" : "acc + a * b",
                    .names = names};
    return build_generic(l, &g);
}

// The named op that is this convolution; NULL: linalg has none. `*filter` is brought to its form.
static const MlcOpDef *
named_conv(MlcGraphLower *l, const MlcGraphWindow *w, int64_t groups, MlcValue **filter)
{
    bool nhwc = is_nhwc(l);
    if (has_narrow_factors(l)) // none has the signs of bytes
        return NULL;
    if (groups == 1 && w->rank == 2)
        return nhwc ? &mlc_linalg_conv_2d_nhwc_hwcf_def : &mlc_linalg_conv_2d_nchw_fchw_def;
    if (groups == 1 && w->rank == 1)
        return nhwc ? &mlc_linalg_conv_1d_nwc_wcf_def : &mlc_linalg_conv_1d_ncw_fcw_def;
    bool depthwise = w->rank == 2 && is_depthwise(l, w, *filter, groups);
    if (depthwise)
        *filter = join_dims(l, *filter, 2); // [kh, kw, 1, C] -> [kh, kw, C]
    return depthwise ? &mlc_linalg_depthwise_conv_2d_nhwc_hwc_def : NULL;
}

// What the sums start from: the bias, else zeros; channels as [groups, channels] if there are
// groups.
static MlcValue *
conv_init(MlcGraphLower *l, MlcTensorShape *shape, unsigned channel, int64_t groups)
{
    MlcValue *bias = num_operands(l) > 2 ? operand(l, 2) : NULL;
    unsigned loops[2] = {channel, channel + 1};
    if (groups > 1) {
        for (size_t i = shape->rank++; i > channel; i--) {
            shape->dims[i] = shape->dims[i - 1];
            shape->values[i] = shape->values[i - 1];
        }
        shape->dims[channel] = groups;
        shape->values[channel] = NULL;
        shape->dims[channel + 1] /= groups;
    }
    if (!bias)
        return mlc_build_filled(&l->b, shape, l->element, 0);
    return groups > 1 ? broadcast_along(l, split_dim(l, bias, 0, groups), shape, loops, 2)
                      : broadcast_along(l, bias, shape, loops, 1);
}

MlcValue *
mlc_graph_lower_conv(MlcGraphLower *l)
{
    MlcGraphWindow w;
    MlcTensorShape shape;
    int64_t groups = mlc_graph_conv_group(l->op);
    bool ok = mlc_graph_open_window(l->op, &w);
    (void)ok; // checked before
    MlcValue *input = pad_input(l, &w, 0), *filter = operand(l, 1);
    mlc_graph_lower_batch_shape(l, &shape);
    unsigned channel = is_nhwc(l) ? (unsigned)shape.rank - 1 : 1;
    const MlcOpDef *named = named_conv(l, &w, groups, &filter);
    bool depthwise = !named && is_depthwise(l, &w, filter, groups);
    MlcValue *init = conv_init(l, &shape, channel, named || depthwise ? 1 : groups);
    if (depthwise)
        return depthwise_conv(l, &w, input, init);
    if (!named)
        return generic_conv(l, &w, input, init, groups);
    static const char *const names[] = {"a", "b", "acc"};
    MlcGeneric g = {.def = named,
                    .inputs = {input, filter},
                    .num_inputs = 2,
                    .output = init,
                    .body = "acc + a * b",
                    .names = names,
                    .extra = {window_attr(l, "dilations", w.dilations, w.rank),
                              window_attr(l, "strides", w.strides, w.rank)},
                    .num_extra = 2};
    return build_generic(l, &g);
}

// A reduction over windows; `mode` 'm' for max, 's' for sum. The window is an operand whose
// elements nobody reads.
static MlcValue *
reduce_windows(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *input, bool is_max,
               double initial)
{
    MlcTensorShape shape, kernel = {.rank = w->rank};
    MlcContext *ctx = l->b.ctx;
    size_t first = is_nhwc(l) ? 1 : 2, rank = w->rank + 2;
    mlc_graph_lower_batch_shape(l, &shape);
    memcpy(kernel.dims, w->kernel, w->rank * sizeof *w->kernel);
    MlcAffineExpr in[MLC_BUILD_RANK];
    unsigned outs[MLC_BUILD_RANK], ks[MLC_BUILD_RANK];
    char iterators[MLC_BUILD_RANK];
    unsigned num_loops = (unsigned)(rank + w->rank);
    for (unsigned i = 0; i < num_loops; i++)
        iterators[i] = i < rank ? 'p' : 'r';
    for (unsigned i = 0; i < rank; i++) {
        bool spatial = i >= first && i < first + w->rank;
        outs[i] = i;
        in[i] = spatial ? window_position(l, w, i - first, i, (unsigned)(rank + i - first))
                        : mlc_affine_dim(ctx, i);
    }
    for (unsigned i = 0; i < w->rank; i++)
        ks[i] = (unsigned)rank + i;
    static const char *const names[] = {"x", "window", "acc"};
    static const MlcOpDef *const named[2][2] = {
        {&mlc_linalg_pooling_nchw_sum_def, &mlc_linalg_pooling_nhwc_sum_def},
        {&mlc_linalg_pooling_nchw_max_def, &mlc_linalg_pooling_nhwc_max_def},
    };
    bool use_named = w->rank == 2;
    MlcGeneric g = {.def = use_named ? named[is_max][is_nhwc(l)] : NULL,
                    .inputs = {input, mlc_build_empty_shape(&l->b, &kernel, l->element)},
                    .num_inputs = 2,
                    .maps = {mlc_affine_map_get(ctx, num_loops, 0, in, rank),
                             mlc_map_of_loops(ctx, num_loops, ks, w->rank),
                             mlc_map_of_loops(ctx, num_loops, outs, rank)},
                    .output = mlc_build_filled(&l->b, &shape, l->element, initial),
                    .num_loops = num_loops,
                    .iterators = iterators,
                    .body = is_max ? "max(acc, x)" : "acc + x",
                    .names = names,
                    .extra = {window_attr(l, "dilations", w->dilations, w->rank),
                              window_attr(l, "strides", w->strides, w->rank)},
                    .num_extra = use_named ? 2 : 0};
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_max_pool(MlcGraphLower *l)
{
    MlcGraphWindow w;
    double lowest = mlc_graph_lower_lowest(l);
    bool ok = mlc_graph_open_window(l->op, &w);
    (void)ok;
    return reduce_windows(l, &w, pad_input(l, &w, lowest), true, lowest);
}

typedef struct OpenMeans {
    MlcGraphLower *l;
    const MlcGraphWindow *window;
    MlcValue *sizes[MLC_GRAPH_MAX_SPATIAL]; // of the input
    MlcValue *pads[MLC_GRAPH_MAX_SPATIAL];  // at the beginning; NULL: those of the window
} OpenMeans;

// The sum over how many elements the window covers: in each dimension from the later of its begin
// and what counts to the earlier of their ends.
static MlcValue *
mean_of_window(MlcBuilder *b, MlcValue *const *args, void *user)
{
    const OpenMeans *m = user;
    const MlcGraphWindow *w = m->window;
    MlcGraphLower *l = m->l;
    bool counts_pads = bool_attr(l, "count_include_pad");
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *count = NULL;
    for (size_t i = 0; i < w->rank; i++) {
        MlcValue *at = mlc_linalg_index(b, (int64_t)(i + (is_nhwc(l) ? 1 : 2)));
        MlcValue *begin = mlc_arith_muli(b, at, mlc_build_index(b, w->strides[i]));
        MlcValue *pads = mlc_build_index(b, w->pad_begin[i]);
        begin = mlc_arith_subi(b, begin, m->pads[i] ? m->pads[i] : pads);
        MlcValue *end = mlc_arith_addi(b, begin, mlc_build_index(b, w->kernel[i]));
        MlcValue *last = mlc_build_index(b, counts_pads ? w->pad_end[i] : 0);
        end = mlc_arith_minsi(b, end, mlc_arith_addi(b, m->sizes[i], last));
        begin = mlc_arith_maxsi(b, begin, mlc_build_index(b, counts_pads ? -w->pad_begin[i] : 0));
        MlcValue *covered = mlc_arith_subi(b, end, begin);
        count = count ? mlc_arith_muli(b, count, covered) : covered;
    }
    MlcValue *number = mlc_arith_sitofp(b, l->element, mlc_arith_index_cast(b, i64, count));
    return mlc_arith_divf(b, args[0], number);
}

static MlcValue *
open_means(MlcGraphLower *l, const MlcGraphWindow *w, MlcValue *sum)
{
    OpenMeans means = {.l = l, .window = w};
    MlcTensorShape input;
    mlc_build_shape_of(&l->b, operand(l, 0), &input);
    for (size_t i = 0; i < w->rank; i++) {
        means.sizes[i] = size_value(l, &input, i + (is_nhwc(l) ? 1 : 2));
        if (is_padded_by_size(l, w, i))
            means.pads[i] = open_pads(l, w, i, means.sizes[i]).begin;
    }
    return mlc_graph_lower_make_each(l, sum, mean_of_window, &means);
}

// Whether windows over an open size may cover different numbers of elements.
static bool
has_open_means(MlcGraphLower *l, const MlcGraphWindow *w)
{
    bool any = false;
    for (size_t i = 0; i < w->rank; i++) {
        bool has_pads = w->pad_begin[i] || w->pad_end[i];
        any |= mlc_type_dim(l->type, i + (is_nhwc(l) ? 1 : 2)) == MLC_DYNAMIC &&
               (bool_attr(l, "ceil_mode") || (has_pads && !bool_attr(l, "count_include_pad")));
    }
    return any;
}

// 1 / (elements covered), one factor per spatial position; NULL if it is `*uniform` everywhere.
static MlcValue *
average_factors(MlcGraphLower *l, const MlcGraphWindow *w, double *uniform)
{
    bool same = true;
    size_t first = is_nhwc(l) ? 1 : 2, total = 1;
    int64_t dims[MLC_GRAPH_MAX_SPATIAL];
    int64_t all = 1;
    bool is_open = false;
    for (size_t i = 0; i < w->rank; i++) {
        dims[i] = mlc_type_dim(l->type, first + i);
        is_open |= dims[i] == MLC_DYNAMIC;
        total *= (size_t)dims[i];
        all *= w->kernel[i];
    }
    *uniform = 1.0 / (double)all;
    // Where a size is open, each window counts all of its elements.
    if (is_open || mlc_graph_window_counts_whole(l->op, w))
        return NULL;
    MlcAttr *elements = mlc_calloc(total, sizeof *elements);
    for (size_t at = 0; at < total; at++) {
        int64_t count = 1;
        size_t rest = at;
        for (size_t i = w->rank; i-- > 0; rest /= (size_t)dims[i])
            count *= mlc_graph_window_count(l->op, w, i, (int64_t)(rest % (size_t)dims[i]));
        *uniform = count ? 1.0 / (double)count : 0;
        elements[at] = mlc_float_attr_get(l->element, *uniform);
        same &= elements[at] == elements[0];
    }
    MlcValue *factors = NULL;
    if (!same) {
        MlcType type = mlc_tensor_type_get(l->element, dims, w->rank, NULL);
        factors = mlc_build_constant(&l->b, mlc_dense_attr_from_elements(type, elements, total));
    }
    mlc_free(elements);
    return factors;
}

MlcValue *
mlc_graph_lower_average_pool(MlcGraphLower *l)
{
    MlcGraphWindow w;
    double uniform = 0;
    bool ok = mlc_graph_open_window(l->op, &w);
    (void)ok;
    MlcValue *sum = reduce_windows(l, &w, pad_input(l, &w, 0), false, 0);
    if (has_open_means(l, &w))
        return open_means(l, &w, sum);
    MlcValue *factors = average_factors(l, &w, &uniform);
    if (!factors)
        return mlc_graph_lower_scale(l, sum, uniform);
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, sum, &shape);
    unsigned loops[MLC_BUILD_RANK];
    for (size_t i = 0; i < w.rank; i++)
        loops[i] = (unsigned)i + (is_nhwc(l) ? 1 : 2);
    static const char *const names[] = {"x", "factor", "out"};
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcGeneric g = {
        .inputs = {sum, factors},
        .num_inputs = 2,
        .maps = {map, mlc_map_of_loops(l->b.ctx, (unsigned)shape.rank, loops, w.rank), map},
        .output = mlc_build_empty_shape(&l->b, &shape, l->element),
        .num_loops = shape.rank,
        .body = "x * factor",
        .names = names};
    return build_generic(l, &g);
}
