// graph_to_linalg.c -- every graph op as linalg on tensors.
//
// Named linalg ops where one says exactly what the graph op does (2-d convolutions and pools,
// matrix products), linalg.generic for the rest; ops with a scalar body in their record (a user's
// YAML included) all go one way. Accumulators start from the bias, so that nothing is added after
// the reduction. Broadcasting drops dimensions of size 1, so that all indexing maps are projected
// permutations. Padding is its own tensor.pad. Float ops carry fastmath<contract>. Dimension names
// (#graph.dims) end here. Legal after: no op of the graph dialect but graph.kernel's, whose body is
// inlined. Checked before anything is changed, every op that cannot be lowered is an error.
#include "linalg_builder.h"

#include "mlc/body.h"
#include "mlc/graph.h"
#include "mlc/pass.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Lower {
    MlcLb lb;
    MlcOp *op;             // being lowered
    MlcType type, element; // of its result
} Lower;

static MlcValue *
operand(const Lower *l, size_t i)
{
    return mlc_op_operand(l->op, i);
}

static size_t
num_operands(const Lower *l)
{
    return mlc_op_num_operands(l->op);
}

static size_t
rank_of(MlcValue *value)
{
    return mlc_type_rank(mlc_value_type(value));
}

static bool
is_nhwc(const Lower *l)
{
    return mlc_graph_layout(l->op) == MLC_GRAPH_NHWC;
}

static bool
bool_attr(const Lower *l, const char *name)
{
    MlcAttr attr = mlc_op_attr(l->op, name);
    return attr && mlc_attr_as_bool(attr);
}

static double
float_attr(const Lower *l, const char *name)
{
    return mlc_float_attr_as_double(mlc_op_attr(l->op, name));
}

static MlcAffineMap
identity_map(Lower *l, size_t rank)
{
    return mlc_affine_map_identity(l->lb.ctx, (unsigned)rank);
}

// The map of the loops marked `keep`.
static MlcAffineMap
map_without(Lower *l, size_t num_loops, const bool *dropped)
{
    unsigned loops[MLC_LB_MAX_RANK];
    size_t n = 0;
    for (unsigned i = 0; i < num_loops; i++)
        if (!dropped[i])
            loops[n++] = i;
    return mlc_lb_map(l->lb.ctx, (unsigned)num_loops, loops, n);
}

static const char all_parallel[] = "pppppppppppppppppppppppp";

// ---- element by element

// The result's size `i` taken from an operand that has it; operands are aligned at their ends.
static void
elementwise_shape(Lower *l, MlcLbShape *shape)
{
    *shape = (MlcLbShape){.rank = mlc_type_rank(l->type)};
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = mlc_type_dim(l->type, i);
        for (size_t k = 0;
             shape->dims[i] == MLC_DYNAMIC && !shape->values[i] && k < num_operands(l); k++) {
            size_t rank = rank_of(operand(l, k)), at = i + rank - shape->rank;
            if (i + rank >= shape->rank &&
                mlc_type_dim(mlc_value_type(operand(l, k)), at) == MLC_DYNAMIC)
                shape->values[i] = mlc_lb_dim(&l->lb, operand(l, k), at);
        }
    }
}

// The operand and its map in loops over `shape`, dims of size 1 that are broadcast dropped from
// both.
static MlcValue *
broadcast_operand(Lower *l, MlcValue *value, const MlcLbShape *shape, MlcAffineMap *map)
{
    MlcLbShape old, kept = {0};
    unsigned loops[MLC_LB_MAX_RANK];
    size_t group[MLC_LB_MAX_RANK];
    bool drops = false;
    mlc_lb_shape_of(&l->lb, value, &old);
    for (size_t i = 0; i < old.rank; i++) {
        size_t loop = i + shape->rank - old.rank;
        bool drop = old.dims[i] == 1 && shape->dims[loop] != 1;
        drops |= drop;
        if (!drop) {
            loops[kept.rank] = (unsigned)loop;
            kept.dims[kept.rank] = old.dims[i];
            kept.values[kept.rank++] = old.values[i];
        }
        group[i] = kept.rank ? kept.rank - 1
                             : 0; // a dropped dim joins the one before, at the start the one after
    }
    *map = mlc_lb_map(l->lb.ctx, (unsigned)shape->rank, loops, kept.rank);
    return drops ? mlc_lb_collapse(&l->lb, value, group, &kept) : value;
}

static MlcValue *
lower_elementwise(Lower *l)
{
    const MlcOpDef *def = mlc_op_def(l->op);
    const char *names[MLC_LB_MAX_INPUTS + 1];
    MlcLbShape shape;
    elementwise_shape(l, &shape);
    MlcLbGeneric g = {.num_inputs = num_operands(l),
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .body = def->body,
                      .names = names,
                      .attrs = l->op};
    for (size_t i = 0; i < g.num_inputs; i++) {
        names[i] = def->operands[i].name;
        g.inputs[i] = broadcast_operand(l, operand(l, i), &shape, &g.maps[i]);
    }
    names[g.num_inputs] = "(result)"; // no name that a body can say
    g.maps[g.num_inputs] = identity_map(l, shape.rank);
    g.output = mlc_lb_empty(&l->lb, &shape, l->element);
    return mlc_lb_generic(&l->lb, &g);
}

// A tensor of `shape` that holds, along the loops listed, the elements of `value`: a bias.
static MlcValue *
broadcast_along(Lower *l, MlcValue *value, const MlcLbShape *shape, const unsigned *loops, size_t n)
{
    static const char *const names[] = {"x", "out"};
    MlcLbGeneric g = {.inputs = {value},
                      .num_inputs = 1,
                      .maps = {mlc_lb_map(l->lb.ctx, (unsigned)shape->rank, loops, n),
                               identity_map(l, shape->rank)},
                      .output = mlc_lb_empty(&l->lb, shape, l->element),
                      .num_loops = shape->rank,
                      .iterators = all_parallel,
                      .body = "x",
                      .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

// `body` over x, element by element.
static MlcValue *
map_elements(Lower *l, MlcValue *x, const char *body)
{
    static const char *const names[] = {"x", "out"};
    MlcLbShape shape;
    mlc_lb_shape_of(&l->lb, x, &shape);
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcLbGeneric g = {.inputs = {x},
                      .num_inputs = 1,
                      .maps = {map, map},
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .body = body,
                      .names = names,
                      .attrs = l->op};
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
scale_elements(Lower *l, MlcValue *x, double factor)
{
    char body[64];
    snprintf(body, sizeof body, "x * %.17g", factor);
    return map_elements(l, x, body);
}

// ---- windows

// The result's shape where only the batch (dim 0) may be dynamic.
static void
batch_shape(Lower *l, MlcLbShape *shape)
{
    *shape = (MlcLbShape){.rank = mlc_type_rank(l->type)};
    for (size_t i = 0; i < shape->rank; i++)
        shape->dims[i] = mlc_type_dim(l->type, i);
    if (shape->rank && shape->dims[0] == MLC_DYNAMIC)
        shape->values[0] = mlc_lb_dim(&l->lb, operand(l, 0), 0);
}

static MlcNamedAttr
window_attr(Lower *l, const char *name, const int64_t *values, size_t n)
{
    MlcType i64 = mlc_integer_type_get(l->lb.ctx, 64, MLC_SIGNLESS);
    int64_t dim = (int64_t)n;
    bool splat = true;
    for (size_t i = 1; i < n; i++)
        splat &= values[i] == values[0];
    MlcType type = mlc_tensor_type_get(i64, &dim, 1, NULL);
    return mlc_named(l->lb.ctx, name, mlc_dense_attr_get(type, values, splat ? 8 : 8 * n, splat));
}

// Pads the spatial dims of the input; where the last windows hang over (ceil_mode), by what they
// need.
static MlcValue *
pad_input(Lower *l, const MlcGraphWindow *w, double value)
{
    int64_t low[MLC_LB_MAX_RANK] = {0}, high[MLC_LB_MAX_RANK] = {0};
    size_t first = is_nhwc(l) ? 1 : 2;
    MlcType input = mlc_value_type(operand(l, 0));
    for (size_t i = 0; i < w->rank; i++) {
        int64_t extent = (w->kernel[i] - 1) * w->dilations[i] + 1;
        int64_t need = (mlc_type_dim(l->type, first + i) - 1) * w->strides[i] + extent -
                       mlc_type_dim(input, first + i) - w->pad_begin[i];
        low[first + i] = w->pad_begin[i];
        high[first + i] = need > w->pad_end[i] ? need : w->pad_end[i];
    }
    return mlc_lb_pad(&l->lb, operand(l, 0), low, high, mlc_float_attr_get(l->element, value));
}

// Input position of window `k` of output `o`: o * stride + k * dilation.
static MlcAffineExpr
window_position(Lower *l, const MlcGraphWindow *w, size_t i, unsigned o, unsigned k)
{
    MlcContext *ctx = l->lb.ctx;
    return mlc_affine_add(mlc_affine_mul_const(mlc_affine_dim(ctx, o), w->strides[i]),
                          mlc_affine_mul_const(mlc_affine_dim(ctx, k), w->dilations[i]));
}

// Splits dim `at` of a tensor into `outer` and the rest.
static MlcValue *
split_dim(Lower *l, MlcValue *tensor, size_t at, int64_t outer)
{
    MlcLbShape old, shape = {0};
    size_t group[MLC_LB_MAX_RANK];
    mlc_lb_shape_of(&l->lb, tensor, &old);
    for (size_t i = 0; i < old.rank; i++) {
        if (i == at) {
            group[shape.rank] = i;
            shape.dims[shape.rank++] = outer;
        }
        group[shape.rank] = i;
        shape.values[shape.rank] = old.values[i];
        shape.dims[shape.rank++] = i == at ? old.dims[i] / outer : old.dims[i];
    }
    return mlc_lb_expand(&l->lb, tensor, group, &shape);
}

static MlcValue *
join_dims(Lower *l, MlcValue *tensor, size_t at)
{
    MlcLbShape old, shape = {0};
    size_t group[MLC_LB_MAX_RANK];
    mlc_lb_shape_of(&l->lb, tensor, &old);
    for (size_t i = 0; i < old.rank; i++) {
        if (i == at + 1) {
            shape.dims[shape.rank - 1] *= old.dims[i];
        } else {
            shape.values[shape.rank] = old.values[i];
            shape.dims[shape.rank++] = old.dims[i];
        }
        group[i] = shape.rank - 1;
    }
    return mlc_lb_collapse(&l->lb, tensor, group, &shape);
}

typedef struct LoopNumbers {
    unsigned batch, group, channel, in_channel; // of the output and, last, of the reduction
    unsigned output[MLC_GRAPH_MAX_SPATIAL], kernel[MLC_GRAPH_MAX_SPATIAL];
    unsigned count;
} LoopNumbers;

// Any convolution: all ranks, layouts and groups. Loops are those of the output in its order, then
// the window's, then input channels.
static MlcValue *
generic_conv(Lower *l, const MlcGraphWindow *w, MlcValue *input, MlcValue *init, int64_t groups)
{
    bool nhwc = is_nhwc(l), grouped = groups > 1;
    size_t n = w->rank, channel = nhwc ? n + 1 : 1;
    MlcValue *filter = operand(l, 1);
    LoopNumbers loop = {0};
    char iterators[MLC_LB_MAX_RANK];
    if (grouped) {
        input = split_dim(l, input, channel, groups);
        filter = split_dim(l, filter, nhwc ? n + 1 : 0, groups);
    }
    // Output order: n, [g, o,] spatial..., or n, spatial..., [g,] o.
    loop.batch = loop.count++;
    if (!nhwc) {
        loop.group = grouped ? loop.count++ : 0;
        loop.channel = loop.count++;
    }
    for (size_t i = 0; i < n; i++)
        loop.output[i] = loop.count++;
    if (nhwc) {
        loop.group = grouped ? loop.count++ : 0;
        loop.channel = loop.count++;
    }
    unsigned num_parallel = loop.count;
    for (size_t i = 0; i < n; i++)
        loop.kernel[i] = loop.count++;
    loop.in_channel = loop.count++;
    for (unsigned i = 0; i < loop.count; i++)
        iterators[i] = i < num_parallel ? 'p' : 'r';

    MlcContext *ctx = l->lb.ctx;
    MlcAffineExpr in[MLC_LB_MAX_RANK], fi[MLC_LB_MAX_RANK];
    size_t num_in = 0, num_fi = 0;
    in[num_in++] = mlc_affine_dim(ctx, loop.batch);
    for (int pass = 0; pass < 2; pass++) { // spatial dims, and channels, in the layout's order
        if ((pass == 0) == nhwc) {
            for (size_t i = 0; i < n; i++)
                in[num_in++] = window_position(l, w, i, loop.output[i], loop.kernel[i]);
        } else {
            if (grouped)
                in[num_in++] = mlc_affine_dim(ctx, loop.group);
            in[num_in++] = mlc_affine_dim(ctx, loop.in_channel);
        }
    }
    for (size_t i = 0; nhwc && i < n; i++)
        fi[num_fi++] = mlc_affine_dim(ctx, loop.kernel[i]);
    if (nhwc)
        fi[num_fi++] = mlc_affine_dim(ctx, loop.in_channel);
    if (grouped)
        fi[num_fi++] = mlc_affine_dim(ctx, loop.group);
    fi[num_fi++] = mlc_affine_dim(ctx, loop.channel);
    if (!nhwc)
        fi[num_fi++] = mlc_affine_dim(ctx, loop.in_channel);
    for (size_t i = 0; !nhwc && i < n; i++)
        fi[num_fi++] = mlc_affine_dim(ctx, loop.kernel[i]);

    unsigned outs[MLC_LB_MAX_RANK];
    for (unsigned i = 0; i < num_parallel; i++)
        outs[i] = i;
    static const char *const names[] = {"a", "b", "acc"};
    MlcLbGeneric g = {.inputs = {input, filter},
                      .num_inputs = 2,
                      .maps = {mlc_affine_map_get(ctx, loop.count, 0, in, num_in),
                               mlc_affine_map_get(ctx, loop.count, 0, fi, num_fi),
                               mlc_lb_map(ctx, loop.count, outs, num_parallel)},
                      .output = init,
                      .num_loops = loop.count,
                      .iterators = iterators,
                      .body = "acc + a * b",
                      .names = names};
    MlcValue *result = mlc_lb_generic(&l->lb, &g);
    return grouped ? join_dims(l, result, channel) : result;
}

// The named op that is this convolution; NULL: linalg has none. `*filter` is brought to its form.
static const char *
named_conv(Lower *l, const MlcGraphWindow *w, int64_t groups, MlcValue **filter)
{
    bool nhwc = is_nhwc(l);
    MlcType type = mlc_value_type(*filter);
    if (groups == 1 && w->rank == 2)
        return nhwc ? "linalg.conv_2d_nhwc_hwcf" : "linalg.conv_2d_nchw_fchw";
    if (groups == 1 && w->rank == 1)
        return nhwc ? "linalg.conv_1d_nwc_wcf" : "linalg.conv_1d_ncw_fcw";
    bool depthwise = nhwc && w->rank == 2 && groups > 1 && mlc_type_dim(type, 2) == 1 &&
                     mlc_type_dim(type, 3) == groups;
    if (depthwise)
        *filter = join_dims(l, *filter, 2); // [kh, kw, 1, C] -> [kh, kw, C]
    return depthwise ? "linalg.depthwise_conv_2d_nhwc_hwc" : NULL;
}

// What the sums start from: the bias, else zeros; channels as [groups, channels] if there are
// groups.
static MlcValue *
conv_init(Lower *l, MlcLbShape *shape, unsigned channel, int64_t groups)
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
        return mlc_lb_filled(&l->lb, shape, l->element, 0);
    return groups > 1 ? broadcast_along(l, split_dim(l, bias, 0, groups), shape, loops, 2)
                      : broadcast_along(l, bias, shape, loops, 1);
}

static MlcValue *
lower_conv(Lower *l)
{
    MlcGraphWindow w;
    MlcLbShape shape;
    int64_t groups = mlc_attr_as_int(mlc_op_attr(l->op, "group"));
    bool ok = mlc_graph_window(l->op, &w);
    (void)ok; // checked before
    MlcValue *input = pad_input(l, &w, 0), *filter = operand(l, 1);
    batch_shape(l, &shape);
    unsigned channel = is_nhwc(l) ? (unsigned)shape.rank - 1 : 1;
    const char *name = named_conv(l, &w, groups, &filter);
    bool is_named_conv = name && mlc_context_op(l->lb.ctx, mlc_str(name));
    MlcValue *init = conv_init(l, &shape, channel, is_named_conv ? 1 : groups);
    if (!is_named_conv)
        return generic_conv(l, &w, input, init, groups);
    static const char *const names[] = {"a", "b", "acc"};
    MlcLbGeneric g = {.name = name,
                      .inputs = {input, filter},
                      .num_inputs = 2,
                      .output = init,
                      .body = "acc + a * b",
                      .names = names,
                      .extra = {window_attr(l, "dilations", w.dilations, w.rank),
                                window_attr(l, "strides", w.strides, w.rank)},
                      .num_extra = 2};
    return mlc_lb_generic(&l->lb, &g);
}

// A reduction over windows; `mode` 'm' for max, 's' for sum. The window is an operand whose
// elements nobody reads.
static MlcValue *
reduce_windows(Lower *l, const MlcGraphWindow *w, MlcValue *input, bool is_max, double initial)
{
    MlcLbShape shape, kernel = {.rank = w->rank};
    MlcContext *ctx = l->lb.ctx;
    size_t first = is_nhwc(l) ? 1 : 2, rank = w->rank + 2;
    batch_shape(l, &shape);
    memcpy(kernel.dims, w->kernel, w->rank * sizeof *w->kernel);
    MlcAffineExpr in[MLC_LB_MAX_RANK];
    unsigned outs[MLC_LB_MAX_RANK], ks[MLC_LB_MAX_RANK];
    char iterators[MLC_LB_MAX_RANK];
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
    const char *named = is_max
                            ? (is_nhwc(l) ? "linalg.pooling_nhwc_max" : "linalg.pooling_nchw_max")
                            : (is_nhwc(l) ? "linalg.pooling_nhwc_sum" : "linalg.pooling_nchw_sum");
    bool use_named = w->rank == 2 && mlc_context_op(ctx, mlc_str(named));
    MlcLbGeneric g = {.name = use_named ? named : NULL,
                      .inputs = {input, mlc_lb_empty(&l->lb, &kernel, l->element)},
                      .num_inputs = 2,
                      .maps = {mlc_affine_map_get(ctx, num_loops, 0, in, rank),
                               mlc_lb_map(ctx, num_loops, ks, w->rank),
                               mlc_lb_map(ctx, num_loops, outs, rank)},
                      .output = mlc_lb_filled(&l->lb, &shape, l->element, initial),
                      .num_loops = num_loops,
                      .iterators = iterators,
                      .body = is_max ? "max(acc, x)" : "acc + x",
                      .names = names,
                      .extra = {window_attr(l, "dilations", w->dilations, w->rank),
                                window_attr(l, "strides", w->strides, w->rank)},
                      .num_extra = use_named ? 2 : 0};
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_max_pool(Lower *l)
{
    MlcGraphWindow w;
    bool ok = mlc_graph_window(l->op, &w);
    (void)ok;
    return reduce_windows(l, &w, pad_input(l, &w, -__builtin_inf()), true, -__builtin_inf());
}

// 1 / (elements covered), one factor per spatial position; NULL if it is `*uniform` everywhere.
static MlcValue *
average_factors(Lower *l, const MlcGraphWindow *w, double *uniform)
{
    bool same = true;
    size_t first = is_nhwc(l) ? 1 : 2, total = 1;
    int64_t dims[MLC_GRAPH_MAX_SPATIAL];
    for (size_t i = 0; i < w->rank; i++) {
        dims[i] = mlc_type_dim(l->type, first + i);
        total *= (size_t)dims[i];
    }
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
        factors = mlc_build_constant(&l->lb.b, mlc_dense_attr_from_elements(type, elements, total));
    }
    mlc_free(elements);
    return factors;
}

static MlcValue *
lower_average_pool(Lower *l)
{
    MlcGraphWindow w;
    double uniform = 0;
    bool ok = mlc_graph_window(l->op, &w);
    (void)ok;
    MlcValue *factors = average_factors(l, &w, &uniform);
    MlcValue *sum = reduce_windows(l, &w, pad_input(l, &w, 0), false, 0);
    if (!factors)
        return scale_elements(l, sum, uniform);
    MlcLbShape shape;
    mlc_lb_shape_of(&l->lb, sum, &shape);
    unsigned loops[MLC_LB_MAX_RANK];
    for (size_t i = 0; i < w.rank; i++)
        loops[i] = (unsigned)i + (is_nhwc(l) ? 1 : 2);
    static const char *const names[] = {"x", "factor", "out"};
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcLbGeneric g = {
        .inputs = {sum, factors},
        .num_inputs = 2,
        .maps = {map, mlc_lb_map(l->lb.ctx, (unsigned)shape.rank, loops, w.rank), map},
        .output = mlc_lb_empty(&l->lb, &shape, l->element),
        .num_loops = shape.rank,
        .iterators = all_parallel,
        .body = "x * factor",
        .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

// ---- reductions

// Reduces the marked dims of x, which go; `body` over x and acc.
static MlcValue *
reduce(Lower *l, MlcValue *x, const bool *marked, const char *body, double initial)
{
    static const char *const names[] = {"x", "acc"};
    MlcLbShape old, shape = {0};
    char iterators[MLC_LB_MAX_RANK];
    mlc_lb_shape_of(&l->lb, x, &old);
    for (size_t i = 0; i < old.rank; i++) {
        iterators[i] = marked[i] ? 'r' : 'p';
        if (!marked[i]) {
            shape.values[shape.rank] = old.values[i];
            shape.dims[shape.rank++] = old.dims[i];
        }
    }
    MlcLbGeneric g = {.inputs = {x},
                      .num_inputs = 1,
                      .maps = {identity_map(l, old.rank), map_without(l, old.rank, marked)},
                      .output = mlc_lb_filled(&l->lb, &shape, l->element, initial),
                      .num_loops = old.rank,
                      .iterators = iterators,
                      .body = body,
                      .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

// Puts the reduced dims back as sizes of 1.
static MlcValue *
keep_dims(Lower *l, MlcValue *reduced, const bool *marked, size_t rank)
{
    MlcLbShape old, shape = {.rank = rank};
    size_t group[MLC_LB_MAX_RANK], next = 0;
    mlc_lb_shape_of(&l->lb, reduced, &old);
    for (size_t i = 0; i < rank; i++) {
        shape.dims[i] = marked[i] ? 1 : old.dims[next];
        shape.values[i] = marked[i] ? NULL : old.values[next];
        next += !marked[i];
        group[i] = next ? next - 1 : 0; // ones at the start join the first dim
    }
    return mlc_lb_expand(&l->lb, reduced, group, &shape);
}

// The identity of max over the element type.
static double
lowest(const Lower *l)
{
    if (mlc_type_is_float(l->element))
        return -__builtin_inf();
    return -(double)(UINT64_C(1) << (mlc_type_bit_width(l->element) - 1));
}

typedef enum Reduction { REDUCE_SUM, REDUCE_MEAN, REDUCE_MAX, REDUCE_MIN } Reduction;

static MlcValue *
reduce_op(Lower *l, const bool *marked, bool keep, Reduction kind)
{
    static const char *const bodies[] = {"acc + x", "acc + x", "max(acc, x)", "min(acc, x)"};
    bool is_float = mlc_type_is_float(l->element);
    double highest = is_float ? -lowest(l) : -lowest(l) - 1;
    double initial = kind == REDUCE_MAX ? lowest(l) : kind == REDUCE_MIN ? highest : 0, count = 1;
    MlcType input = mlc_value_type(operand(l, 0));
    MlcValue *value = reduce(l, operand(l, 0), marked, bodies[kind], initial);
    for (size_t i = 0; i < mlc_type_rank(input); i++)
        if (marked[i])
            count *= (double)mlc_type_dim(input, i);
    if (kind == REDUCE_MEAN && is_float)
        value = scale_elements(l, value, 1 / count);
    else if (kind == REDUCE_MEAN) {
        char body[48];
        snprintf(body, sizeof body, "x / %.0f", count);
        value = map_elements(l, value, body);
    }
    return keep ? keep_dims(l, value, marked, mlc_type_rank(input)) : value;
}

static MlcValue *
lower_reduction(Lower *l, Reduction kind)
{
    bool marked[MLC_LB_MAX_RANK];
    mlc_graph_reduced_axes(l->op, marked);
    return reduce_op(l, marked, bool_attr(l, "keepdims"), kind);
}

static MlcValue *
lower_reduce_mean(Lower *l)
{
    return lower_reduction(l, REDUCE_MEAN);
}

static MlcValue *
lower_reduce_sum(Lower *l)
{
    return lower_reduction(l, REDUCE_SUM);
}

static MlcValue *
lower_reduce_max(Lower *l)
{
    return lower_reduction(l, REDUCE_MAX);
}

static MlcValue *
lower_reduce_min(Lower *l)
{
    return lower_reduction(l, REDUCE_MIN);
}

static MlcValue *
lower_global_pool(Lower *l, Reduction kind)
{
    bool marked[MLC_LB_MAX_RANK] = {0};
    size_t rank = mlc_type_rank(l->type);
    for (size_t i = 0; i < rank - 2; i++)
        marked[(is_nhwc(l) ? 1 : 2) + i] = true;
    return reduce_op(l, marked, true, kind);
}

static MlcValue *
lower_global_average_pool(Lower *l)
{
    return lower_global_pool(l, REDUCE_MEAN);
}

static MlcValue *
lower_global_max_pool(Lower *l)
{
    return lower_global_pool(l, REDUCE_MAX);
}

// e^(x - max) / sum, along one axis.
static MlcValue *
lower_softmax(Lower *l)
{
    static const char *const minus[] = {"x", "largest", "out"};
    static const char *const over[] = {"x", "sum", "out"};
    bool marked[MLC_LB_MAX_RANK] = {0};
    MlcLbShape shape;
    mlc_lb_shape_of(&l->lb, operand(l, 0), &shape);
    marked[mlc_graph_axis(l->op)] = true;
    MlcAffineMap all = identity_map(l, shape.rank), rest = map_without(l, shape.rank, marked);
    MlcLbGeneric g = {
        .inputs = {operand(l, 0), reduce(l, operand(l, 0), marked, "max(acc, x)", lowest(l))},
        .num_inputs = 2,
        .maps = {all, rest, all},
        .output = mlc_lb_empty(&l->lb, &shape, l->element),
        .num_loops = shape.rank,
        .iterators = all_parallel,
        .body = "exp(x - largest)",
        .names = minus};
    MlcValue *powers = mlc_lb_generic(&l->lb, &g);
    g.inputs[0] = powers;
    g.inputs[1] = reduce(l, powers, marked, "acc + x", 0);
    g.output = mlc_lb_empty(&l->lb, &shape, l->element);
    g.body = "x / sum";
    g.names = over;
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_batch_norm(Lower *l)
{
    static const char *const names[] = {"x", "scale", "bias", "mean", "variance", "out"};
    MlcLbShape shape;
    mlc_lb_shape_of(&l->lb, operand(l, 0), &shape);
    unsigned channel = is_nhwc(l) ? (unsigned)shape.rank - 1 : 1;
    MlcLbGeneric g = {.num_inputs = 5,
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .body = "(x - mean) * (scale / sqrt(variance + epsilon)) + bias",
                      .names = names,
                      .attrs = l->op};
    for (size_t i = 0; i < 5; i++) {
        g.inputs[i] = operand(l, i);
        g.maps[i] = mlc_lb_map(l->lb.ctx, (unsigned)shape.rank, &channel, 1);
    }
    g.maps[0] = g.maps[5] = identity_map(l, shape.rank);
    return mlc_lb_generic(&l->lb, &g);
}

// ---- products

static MlcValue *
product(Lower *l, const char *name, MlcValue *a, MlcValue *b, MlcValue *init)
{
    static const char *const names[] = {"a", "b", "acc"};
    MlcLbGeneric g = {.name = name,
                      .inputs = {a, b},
                      .num_inputs = 2,
                      .output = init,
                      .body = "acc + a * b",
                      .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
transposed(Lower *l, MlcValue *matrix)
{
    static const char *const names[] = {"x", "out"};
    MlcLbShape old, shape = {.rank = 2};
    mlc_lb_shape_of(&l->lb, matrix, &old);
    for (size_t i = 0; i < 2; i++) {
        shape.dims[i] = old.dims[1 - i];
        shape.values[i] = old.values[1 - i];
    }
    MlcLbGeneric g = {
        .inputs = {matrix},
        .num_inputs = 1,
        .maps = {mlc_lb_map(l->lb.ctx, 2, (const unsigned[]){1, 0}, 2), identity_map(l, 2)},
        .output = mlc_lb_empty(&l->lb, &shape, l->element),
        .num_loops = 2,
        .iterators = all_parallel,
        .body = "x",
        .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

// The bias of a Gemm over the whole result.
static MlcValue *
broadcast_matrix(Lower *l, MlcValue *c, const MlcLbShape *shape)
{
    static const char *const names[] = {"x", "out"};
    MlcLbGeneric g = {.num_inputs = 1,
                      .maps = {[1] = identity_map(l, shape->rank)},
                      .num_loops = shape->rank,
                      .iterators = all_parallel,
                      .body = "x * beta",
                      .names = names,
                      .attrs = l->op};
    g.inputs[0] = broadcast_operand(l, c, shape, &g.maps[0]);
    g.output = mlc_lb_empty(&l->lb, shape, l->element);
    if (!mlc_type_is_float(l->element) || float_attr(l, "beta") == 1)
        g.body = "x";
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_gemm(Lower *l)
{
    static const char *const names[] = {"product", "c", "out"};
    bool is_scaled = float_attr(l, "alpha") != 1;
    bool trans_b = bool_attr(l, "trans_b");
    MlcValue *a = operand(l, 0), *b = operand(l, 1);
    a = bool_attr(l, "trans_a") ? transposed(l, a) : a;
    MlcLbShape shape = {.rank = 2}, rows, columns;
    mlc_lb_shape_of(&l->lb, a, &rows);
    mlc_lb_shape_of(&l->lb, b, &columns);
    shape.dims[0] = rows.dims[0];
    shape.values[0] = rows.values[0];
    shape.dims[1] = columns.dims[!trans_b];
    shape.values[1] = columns.values[!trans_b];
    MlcValue *c = num_operands(l) > 2 ? broadcast_matrix(l, operand(l, 2), &shape) : NULL;
    MlcValue *init = c && !is_scaled ? c : mlc_lb_filled(&l->lb, &shape, l->element, 0);
    // A transposed b is read as it lies, row by row; constant ones were stored plain by
    // graph_layout.
    MlcValue *result =
        product(l, trans_b ? "linalg.matmul_transpose_b" : "linalg.matmul", a, b, init);
    if (!is_scaled)
        return result;
    if (!c)
        return map_elements(l, result, "x * alpha");
    MlcAffineMap map = identity_map(l, 2);
    MlcLbGeneric g = {.inputs = {result, c},
                      .num_inputs = 2,
                      .maps = {map, map, map},
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = 2,
                      .iterators = all_parallel,
                      .body = "alpha * product + c",
                      .names = names,
                      .attrs = l->op};
    return mlc_lb_generic(&l->lb, &g);
}

// Batches that broadcast, and vectors: loops over the result's dims, then the inner one.
static MlcValue *
generic_matmul(Lower *l, MlcValue *init)
{
    static const char *const names[] = {"a", "b", "acc"};
    MlcContext *ctx = l->lb.ctx;
    size_t rank = mlc_type_rank(l->type);
    size_t rank_a = rank_of(operand(l, 0)), rank_b = rank_of(operand(l, 1));
    size_t batch = rank - (rank_a > 1) - (rank_b > 1);
    unsigned inner = (unsigned)rank, row = (unsigned)batch,
             column = (unsigned)(batch + (rank_a > 1));
    MlcLbShape loops = {.rank = batch};
    char iterators[MLC_LB_MAX_RANK];
    for (size_t i = 0; i <= rank; i++)
        iterators[i] = i < rank ? 'p' : 'r';
    for (size_t i = 0; i < batch; i++)
        loops.dims[i] = mlc_type_dim(l->type, i);
    MlcLbGeneric g = {.num_inputs = 2,
                      .output = init,
                      .num_loops = rank + 1,
                      .iterators = iterators,
                      .body = "acc + a * b",
                      .names = names};
    for (size_t k = 0; k < 2; k++) { // drop batch dims of size 1 that are broadcast
        MlcLbShape old, kept = {0};
        unsigned dims[MLC_LB_MAX_RANK];
        size_t group[MLC_LB_MAX_RANK];
        mlc_lb_shape_of(&l->lb, operand(l, k), &old);
        size_t matrix = old.rank > 1 ? 2 : 1;
        for (size_t i = 0; i < old.rank; i++) {
            bool in_batch = i + matrix < old.rank;
            size_t loop = in_batch ? i + batch - (old.rank - matrix) : 0;
            if (!in_batch || old.dims[i] != 1 || loops.dims[loop] == 1) {
                bool last = i + 1 == old.rank;
                dims[kept.rank] = in_batch ? (unsigned)loop
                                  : k == 0 ? (last ? inner : row)
                                           : (last && matrix == 2 ? column : inner);
                kept.values[kept.rank] = old.values[i];
                kept.dims[kept.rank++] = old.dims[i];
            }
            group[i] = kept.rank ? kept.rank - 1 : 0;
        }
        g.inputs[k] = mlc_lb_collapse(&l->lb, operand(l, k), group, &kept);
        g.maps[k] = mlc_lb_map(ctx, (unsigned)rank + 1, dims, kept.rank);
    }
    unsigned outs[MLC_LB_MAX_RANK];
    for (unsigned i = 0; i < rank; i++)
        outs[i] = i;
    g.maps[2] = mlc_lb_map(ctx, (unsigned)rank + 1, outs, rank);
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_matmul(Lower *l)
{
    MlcLbShape shape;
    MlcType a = mlc_value_type(operand(l, 0)), b = mlc_value_type(operand(l, 1));
    batch_shape(l, &shape);
    MlcValue *init = mlc_lb_filled(&l->lb, &shape, l->element, 0);
    if (mlc_type_rank(a) == 2 && mlc_type_rank(b) == 2)
        return product(l, "linalg.matmul", operand(l, 0), operand(l, 1), init);
    if (mlc_type_rank(a) == 3 && mlc_type_rank(b) == 3 &&
        mlc_type_dim(a, 0) == mlc_type_dim(b, 0) &&
        mlc_context_op(l->lb.ctx, mlc_str("linalg.batch_matmul")))
        return product(l, "linalg.batch_matmul", operand(l, 0), operand(l, 1), init);
    return generic_matmul(l, init);
}

// ---- shapes

static MlcValue *
lower_reshape(Lower *l)
{
    MlcLbShape shape;
    batch_shape(l, &shape);
    return mlc_lb_reshape(&l->lb, operand(l, 0), &shape);
}

static MlcValue *
lower_transpose(Lower *l)
{
    static const char *const names[] = {"x", "out"};
    int64_t perm[MLC_LB_MAX_RANK];
    unsigned loops[MLC_LB_MAX_RANK];
    MlcLbShape old, shape;
    mlc_graph_permutation(l->op, perm);
    mlc_lb_shape_of(&l->lb, operand(l, 0), &old);
    shape.rank = old.rank;
    for (size_t i = 0; i < old.rank; i++) {
        shape.dims[i] = old.dims[perm[i]];
        shape.values[i] = old.values[perm[i]];
        loops[perm[i]] = (unsigned)i;
    }
    MlcLbGeneric g = {.inputs = {operand(l, 0)},
                      .num_inputs = 1,
                      .maps = {mlc_lb_map(l->lb.ctx, (unsigned)old.rank, loops, old.rank),
                               identity_map(l, old.rank)},
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = old.rank,
                      .iterators = all_parallel,
                      .body = "x",
                      .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_concat(Lower *l)
{
    MlcLbShape shape;
    int64_t offsets[MLC_LB_MAX_RANK] = {0}, axis = mlc_graph_axis(l->op);
    batch_shape(l, &shape);
    MlcValue *result = mlc_lb_empty(&l->lb, &shape, l->element);
    for (size_t i = 0; i < num_operands(l); i++) {
        result = mlc_lb_insert_slice(&l->lb, operand(l, i), result, offsets);
        offsets[axis] += mlc_type_dim(mlc_value_type(operand(l, i)), (size_t)axis);
    }
    return result;
}

static MlcValue *
lower_pad(Lower *l)
{
    int64_t low[MLC_LB_MAX_RANK], high[MLC_LB_MAX_RANK];
    size_t rank = mlc_type_rank(l->type);
    MlcAttr pads = mlc_op_attr(l->op, "pads");
    for (size_t i = 0; i < rank; i++) {
        bool ok = mlc_int_list_attr_get(pads, i, &low[i]) &&
                  mlc_int_list_attr_get(pads, i + rank, &high[i]);
        (void)ok;
    }
    MlcAttr value = mlc_float_attr_get(l->element, float_attr(l, "value"));
    return mlc_lb_pad(&l->lb, operand(l, 0), low, high, value);
}

// Moves elements: the result's are those of `value` that `map` says, loops being those of the
// result.
static MlcValue *
copy_elements(Lower *l, MlcValue *value, MlcAffineMap map, const MlcLbShape *shape)
{
    static const char *const names[] = {"x", "out"};
    MlcLbGeneric g = {.inputs = {value},
                      .num_inputs = 1,
                      .maps = {map, identity_map(l, shape->rank)},
                      .output = mlc_lb_empty(&l->lb, shape, l->element),
                      .num_loops = shape->rank,
                      .iterators = all_parallel,
                      .body = "x",
                      .names = names};
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_expand(Lower *l)
{
    MlcLbShape shape;
    MlcAffineMap map;
    elementwise_shape(l, &shape);
    MlcValue *value = broadcast_operand(l, operand(l, 0), &shape, &map);
    return copy_elements(l, value, map, &shape);
}

// As if the result had two dimensions for each that is repeated, which then become one.
static MlcValue *
lower_tile(Lower *l)
{
    MlcAttr repeats = mlc_op_attr(l->op, "repeats");
    MlcLbShape old, split = {0}, shape;
    unsigned loops[MLC_LB_MAX_RANK];
    size_t group[MLC_LB_MAX_RANK];
    mlc_lb_shape_of(&l->lb, operand(l, 0), &old);
    shape = old;
    for (size_t i = 0; i < old.rank; i++) {
        int64_t count = 1;
        bool ok = mlc_int_list_attr_get(repeats, i, &count);
        (void)ok;
        if (count != 1) {
            group[split.rank] = i;
            split.dims[split.rank++] = count;
            shape.dims[i] *= count;
        }
        group[split.rank] = i;
        loops[i] = (unsigned)split.rank;
        split.values[split.rank] = old.values[i];
        split.dims[split.rank++] = old.dims[i];
    }
    MlcAffineMap map = mlc_lb_map(l->lb.ctx, (unsigned)split.rank, loops, old.rank);
    return mlc_lb_collapse(&l->lb, copy_elements(l, operand(l, 0), map, &split), group, &shape);
}

static MlcValue *
compare_ints(Lower *l, int64_t predicate, MlcValue *a, MlcValue *b)
{
    MlcType i1 = mlc_integer_type_get(l->lb.ctx, 1, MLC_SIGNLESS);
    MlcNamedAttr attr = mlc_named(l->lb.ctx, "predicate", mlc_i64_attr_get(l->lb.ctx, predicate));
    MlcValue *operands[] = {a, b};
    return mlc_op_result(mlc_build_op(&l->lb.b, "arith.cmpi", &i1, 1, operands, 2, &attr, 1, 0), 0);
}

enum { SIGNED_LESS = 2, SIGNED_LESS_EQUAL = 3, SIGNED_GREATER_EQUAL = 5 }; // of arith.cmpi

static MlcValue *
trilu_element(MlcLb *lb, MlcValue *const *args, void *user)
{
    Lower *l = user;
    size_t rank = mlc_type_rank(l->type);
    MlcValue *row = mlc_lb_index(lb, rank - 2), *column = mlc_lb_index(lb, rank - 1);
    MlcValue *diagonal = mlc_build(&lb->b, "arith.subi", NULL, column, row);
    MlcValue *k = mlc_build_index(&lb->b, mlc_attr_as_int(mlc_op_attr(l->op, "k")));
    int64_t predicate = bool_attr(l, "upper") ? SIGNED_GREATER_EQUAL : SIGNED_LESS_EQUAL;
    MlcValue *zero = mlc_type_is_float(l->element) ? mlc_build_float(&lb->b, l->element, 0)
                                                   : mlc_build_int(&lb->b, l->element, 0);
    MlcValue *kept = compare_ints(l, predicate, diagonal, k);
    return mlc_build(&lb->b, "arith.select", l->element, kept, args[0], zero);
}

static MlcValue *
lower_trilu(Lower *l)
{
    MlcLbShape shape;
    mlc_lb_shape_of(&l->lb, operand(l, 0), &shape);
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcLbGeneric g = {.inputs = {operand(l, 0)},
                      .num_inputs = 1,
                      .maps = {map, map},
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .make = trilu_element,
                      .user = l};
    return mlc_lb_generic(&l->lb, &g);
}

// ---- elements found by indices: reads of `data` in the body

// An index as read, counted from the end where it is negative. One that is outside all the same
// takes the nearest element: no input may make a kernel read what is not its own.
static MlcValue *
index_within(Lower *l, MlcValue *raw, size_t dim)
{
    MlcBuilder *b = &l->lb.b;
    MlcType data = mlc_value_type(operand(l, 0)), index = mlc_index_type_get(l->lb.ctx);
    MlcValue *zero = mlc_build_index(b, 0), *one = mlc_build_index(b, 1);
    MlcValue *size = mlc_type_dim(data, dim) == MLC_DYNAMIC
                         ? mlc_lb_dim(&l->lb, operand(l, 0), dim)
                         : mlc_build_index(b, mlc_type_dim(data, dim));
    MlcValue *at = mlc_build(b, "arith.index_cast", index, raw);
    MlcValue *from_end = mlc_build(b, "arith.addi", NULL, at, size);
    MlcValue *is_negative = compare_ints(l, SIGNED_LESS, at, zero);
    at = mlc_build(b, "arith.select", index, is_negative, from_end, at);
    at = mlc_build(b, "arith.maxsi", NULL, at, zero);
    return mlc_build(b, "arith.minsi", NULL, at, mlc_build(b, "arith.subi", NULL, size, one));
}

static MlcValue *
extract(Lower *l, MlcValue *tensor, MlcValue *const *index)
{
    MlcValue *operands[MLC_LB_MAX_RANK + 1] = {tensor};
    size_t rank = rank_of(tensor);
    memcpy(operands + 1, index, rank * sizeof *index);
    return mlc_build_value(&l->lb.b, "tensor.extract", mlc_type_element(mlc_value_type(tensor)),
                           operands, rank + 1);
}

static MlcValue *
gathered_element(MlcLb *lb, MlcValue *const *args, void *user)
{
    Lower *l = user;
    MlcValue *index[MLC_LB_MAX_RANK];
    size_t axis = (size_t)mlc_graph_axis(l->op), count = rank_of(operand(l, 1));
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        index[i] = i == axis ? index_within(l, args[0], i)
                             : mlc_lb_index(lb, i < axis ? i : i + count - 1);
    return extract(l, operand(l, 0), index);
}

static MlcValue *
element_along_axis(MlcLb *lb, MlcValue *const *args, void *user)
{
    Lower *l = user;
    MlcValue *index[MLC_LB_MAX_RANK];
    size_t axis = (size_t)mlc_graph_axis(l->op);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++)
        index[i] = i == axis ? index_within(l, args[0], i) : mlc_lb_index(lb, i);
    return extract(l, operand(l, 0), index);
}

// The result's loops are those of the indices but their last, then of what data has behind.
static MlcValue *
element_of_tuple(MlcLb *lb, MlcValue *const *args, void *user)
{
    Lower *l = user;
    MlcValue *index[MLC_LB_MAX_RANK], *tuple[MLC_LB_MAX_RANK];
    size_t last = rank_of(operand(l, 1)) - 1;
    size_t batch = (size_t)mlc_attr_as_int(mlc_op_attr(l->op, "batch_dims"));
    size_t count = (size_t)mlc_type_dim(mlc_value_type(operand(l, 1)), last);
    (void)args;
    for (size_t i = 0; i < last; i++)
        tuple[i] = mlc_lb_index(lb, i);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++) {
        bool is_chosen = i >= batch && i < batch + count;
        if (is_chosen)
            tuple[last] = mlc_build_index(&lb->b, (int64_t)(i - batch));
        index[i] = is_chosen ? index_within(l, extract(l, operand(l, 1), tuple), i)
                             : mlc_lb_index(lb, i < batch ? i : i - batch - count + last);
    }
    return extract(l, operand(l, 0), index);
}

// A loop nest over the result; the indices, if they are an input, run along its loops from `first`.
static MlcValue *
lower_indexed(Lower *l, size_t first, size_t num_inputs,
              MlcValue *(*make)(MlcLb *lb, MlcValue *const *args, void *user))
{
    unsigned loops[MLC_LB_MAX_RANK];
    MlcLbShape shape;
    bool of_indices = first == 0 && rank_of(operand(l, 1)) > 0; // the first size
    batch_shape(l, &shape);
    if (shape.rank && shape.dims[0] == MLC_DYNAMIC && of_indices)
        shape.values[0] = mlc_lb_dim(&l->lb, operand(l, 1), 0);
    for (size_t i = 0; i < rank_of(operand(l, 1)); i++)
        loops[i] = (unsigned)(first + i);
    MlcLbGeneric g = {.num_inputs = num_inputs,
                      .output = mlc_lb_empty(&l->lb, &shape, l->element),
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .make = make,
                      .user = l};
    if (num_inputs) {
        g.inputs[0] = operand(l, 1);
        g.maps[0] = mlc_lb_map(l->lb.ctx, (unsigned)shape.rank, loops, rank_of(operand(l, 1)));
    }
    g.maps[num_inputs] = identity_map(l, shape.rank);
    return mlc_lb_generic(&l->lb, &g);
}

// start + index * step in each dimension
static MlcValue *
sliced_element(MlcLb *lb, MlcValue *const *args, void *user)
{
    Lower *l = user;
    int64_t starts[MLC_LB_MAX_RANK], steps[MLC_LB_MAX_RANK];
    MlcValue *index[MLC_LB_MAX_RANK];
    (void)args;
    mlc_graph_slice(l->op, starts, steps);
    for (size_t i = 0; i < rank_of(operand(l, 0)); i++) {
        MlcValue *step = mlc_build_index(&lb->b, steps[i]);
        MlcValue *start = mlc_build_index(&lb->b, starts[i]);
        index[i] = mlc_build(&lb->b, "arith.muli", NULL, mlc_lb_index(lb, i), step);
        index[i] = mlc_build(&lb->b, "arith.addi", NULL, index[i], start);
    }
    return extract(l, operand(l, 0), index);
}

// Neighbours are a window, through which consumers read; other steps name every element.
static MlcValue *
lower_slice(Lower *l)
{
    int64_t starts[MLC_LB_MAX_RANK], steps[MLC_LB_MAX_RANK];
    MlcLbShape shape;
    bool is_window = true;
    batch_shape(l, &shape);
    mlc_graph_slice(l->op, starts, steps);
    for (size_t i = 0; i < shape.rank; i++)
        is_window &= steps[i] == 1;
    MlcLbGeneric g = {.maps = {identity_map(l, shape.rank)},
                      .num_loops = shape.rank,
                      .iterators = all_parallel,
                      .make = sliced_element,
                      .user = l};
    if (is_window) {
        MlcValue *window = mlc_lb_extract_slice(&l->lb, operand(l, 0), starts, &shape);
        return copy_elements(l, window, g.maps[0], &shape);
    }
    g.output = mlc_lb_empty(&l->lb, &shape, l->element);
    return mlc_lb_generic(&l->lb, &g);
}

static MlcValue *
lower_gather(Lower *l)
{
    return lower_indexed(l, (size_t)mlc_graph_axis(l->op), 1, gathered_element);
}

static MlcValue *
lower_gather_elements(Lower *l)
{
    return lower_indexed(l, 0, 1, element_along_axis);
}

static MlcValue *
lower_gather_nd(Lower *l)
{
    return lower_indexed(l, 0, 0, element_of_tuple);
}

static MlcValue *
lower_identity(Lower *l)
{
    return operand(l, 0);
}

static MlcValue *
lower_constant(Lower *l)
{
    return mlc_build_constant(&l->lb.b, mlc_op_attr(l->op, "value"));
}

// ---- which op goes which way

typedef struct Lowering {
    const char *name;
    MlcValue *(*lower)(Lower *l);
    bool is_static; // sizes other than the first must be known
} Lowering;

static const Lowering lowerings[] = {
    {"graph.average_pool", lower_average_pool, true},
    {"graph.batch_norm", lower_batch_norm, false},
    {"graph.concat", lower_concat, true},
    {"graph.constant", lower_constant, false},
    {"graph.conv", lower_conv, true},
    {"graph.expand", lower_expand, false},
    {"graph.flatten", lower_reshape, true},
    {"graph.gather", lower_gather, true},
    {"graph.gather_elements", lower_gather_elements, true},
    {"graph.gather_nd", lower_gather_nd, true},
    {"graph.gemm", lower_gemm, false},
    {"graph.global_average_pool", lower_global_average_pool, true},
    {"graph.global_max_pool", lower_global_max_pool, true},
    {"graph.identity", lower_identity, false},
    {"graph.matmul", lower_matmul, true},
    {"graph.max_pool", lower_max_pool, true},
    {"graph.pad", lower_pad, false},
    {"graph.reduce_max", lower_reduce_max, true},
    {"graph.reduce_mean", lower_reduce_mean, true},
    {"graph.reduce_min", lower_reduce_min, true},
    {"graph.reduce_sum", lower_reduce_sum, true},
    {"graph.reshape", lower_reshape, true},
    {"graph.slice", lower_slice, true},
    {"graph.softmax", lower_softmax, false},
    {"graph.tile", lower_tile, true},
    {"graph.transpose", lower_transpose, false},
    {"graph.trilu", lower_trilu, false},
};

static bool
has_body(MlcOp *op)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) || !mlc_op_def(op)->body ||
        mlc_op_num_results(op) != 1)
        return false;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

// From the dialect `graph`, or one loaded from YAML that gives its elementwise ops a body.
static bool
find_lowering(MlcOp *op, Lowering *found)
{
    for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++)
        if (mlc_str_equal(mlc_op_name(op), mlc_str(lowerings[i].name))) {
            *found = lowerings[i];
            return true;
        }
    *found = (Lowering){.lower = lower_elementwise};
    return has_body(op);
}

static bool
is_graph_op(MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    return name.size > 6 && memcmp(name.data, "graph.", 6) == 0;
}

static bool
is_named(MlcOp *op, const char *name)
{
    return mlc_str_equal(mlc_op_name(op), mlc_str(name));
}

// ---- checks, before anything changes

static bool
check_type(MlcOp *op, MlcType type, bool is_static)
{
    if (!mlc_type_has_rank(type))
        return mlc_op_error(op,
                            "cannot be lowered: the rank of %s is unknown (run graph-infer-shapes)",
                            mlc_type_text(type));
    if (mlc_type_rank(type) > MLC_GRAPH_MAX_RANK)
        return mlc_op_error(op, "cannot be lowered: rank %zu is more than %d", mlc_type_rank(type),
                            MLC_GRAPH_MAX_RANK);
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_INTEGER) &&
        mlc_integer_type_signedness(element) != MLC_SIGNLESS)
        return mlc_op_error(op, "cannot be lowered: elements of type %s are not supported yet",
                            mlc_type_text(element));
    for (size_t i = 1; is_static && i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            return mlc_op_error(op, "cannot be lowered: size %zu of %s is unknown", i,
                                mlc_type_text(type));
    return true;
}

// A slice's result has the same unknown size as its input, or a known one where it cuts.
static bool
takes_unknown_whole(MlcOp *op)
{
    MlcAttr starts = mlc_op_attr(op, "starts"), ends = mlc_op_attr(op, "ends");
    MlcAttr axes = mlc_op_attr(op, "axes"), steps = mlc_op_attr(op, "steps");
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    for (size_t i = 0; i < mlc_int_list_attr_size(starts); i++) {
        int64_t axis = (int64_t)i, start = 0, end = 0, step = 1;
        bool ok = mlc_int_list_attr_get(starts, i, &start) &&
                  mlc_int_list_attr_get(ends, i, &end) &&
                  (!axes || mlc_int_list_attr_get(axes, i, &axis)) &&
                  (!steps || mlc_int_list_attr_get(steps, i, &step));
        axis += axis < 0 ? (int64_t)mlc_type_rank(type) : 0;
        if (ok && mlc_type_dim(type, (size_t)axis) == MLC_DYNAMIC &&
            (start != 0 || end != INT64_MAX || step != 1))
            return false;
    }
    return true;
}

static bool
check_details(MlcOp *op)
{
    MlcGraphWindow window;
    MlcAttr pads = mlc_op_attr(op, "pads");
    int64_t pad;
    bool is_window = is_named(op, "graph.conv") || is_named(op, "graph.max_pool") ||
                     is_named(op, "graph.average_pool");
    if (is_window && !mlc_graph_window(op, &window))
        return mlc_op_error(op, "cannot be lowered: its window is unknown");
    if (is_window && mlc_type_dim(mlc_value_type(mlc_op_result(op, 0)), 0) == MLC_DYNAMIC &&
        mlc_type_dim(mlc_value_type(mlc_op_operand(op, 0)), 0) != MLC_DYNAMIC)
        return mlc_op_error(op, "cannot be lowered: the batch size contradicts the input's");
    if (is_named(op, "graph.slice") && !takes_unknown_whole(op))
        return mlc_op_error(op, "cannot be lowered: it cuts a dimension of unknown size");
    if (is_named(op, "graph.pad"))
        for (size_t i = 0; i < mlc_int_list_attr_size(pads); i++)
            if (mlc_int_list_attr_get(pads, i, &pad) && pad < 0)
                return mlc_op_error(op, "cannot be lowered: negative pads are not supported yet");
    if ((is_named(op, "graph.reshape") || is_named(op, "graph.flatten")) &&
        !mlc_lb_can_reshape(mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_result(op, 0))))
        return mlc_op_error(op, "cannot be lowered: a reshape of unknown sizes");
    return true;
}

static bool
check_op(MlcOp *op)
{
    Lowering lowering;
    if (is_named(op, "graph.kernel") || is_named(op, "graph.yield"))
        return true;
    if (!find_lowering(op, &lowering))
        return !is_graph_op(op) || mlc_op_error(op, "cannot be lowered to linalg: no rule for it");
    bool ok = check_type(op, mlc_value_type(mlc_op_result(op, 0)), lowering.is_static);
    for (size_t i = 0; ok && i < mlc_op_num_operands(op); i++)
        ok = check_type(op, mlc_value_type(mlc_op_operand(op, i)), lowering.is_static);
    if (ok && lowering.lower == lower_elementwise && mlc_op_num_operands(op) > MLC_LB_MAX_INPUTS)
        return mlc_op_error(op, "cannot be lowered: more than %d operands", MLC_LB_MAX_INPUTS);
    return ok && check_details(op);
}

// ---- the conversion

// Dimension names end here: tensors get plain types.
static MlcType
plain_type(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_tensor_type_encoding(type) ||
        !mlc_attr_isa(mlc_tensor_type_encoding(type), "graph.dims"))
        return type;
    return mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type), mlc_type_rank(type),
                               NULL);
}

static void
make_plain(MlcValue *value)
{
    MlcType type = mlc_value_type(value), plain = plain_type(type);
    if (plain != type)
        mlc_value_set_type(value, plain);
}

static void
make_plain_function(MlcOp *func)
{
    MlcAttr attr = mlc_op_attr(func, "function_type");
    if (!mlc_attr_is(attr, MLC_ATTR_TYPE) ||
        !mlc_type_is(mlc_type_attr_value(attr), MLC_TYPE_FUNCTION))
        return;
    MlcType old = mlc_type_attr_value(attr);
    size_t num_inputs = mlc_function_type_num_inputs(old),
           num_results = mlc_function_type_num_results(old);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&types, plain_type(mlc_function_type_inputs(old)[i]));
    for (size_t i = 0; i < num_results; i++)
        mlc_vec_push(&types, plain_type(mlc_function_type_results(old)[i]));
    MlcType type = mlc_function_type_get(mlc_op_context(func), types.data, num_inputs,
                                         types.data + num_inputs, num_results);
    if (type != old)
        mlc_op_set_attr(func, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&types);
}

static void
make_plain_inside(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            make_plain(mlc_op_result(op, i));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                make_plain(mlc_block_arg(block, i));
    }
    make_plain_function(root);
}

// A kernel that was not outlined: its ops take its place.
static void
inline_kernel(MlcOp *kernel)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(kernel, 0));
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_value_replace_uses(mlc_block_arg(body, i), mlc_op_operand(kernel, i));
    MlcOp *yield = mlc_block_last(body);
    for (size_t i = 0; i < mlc_op_num_operands(yield); i++)
        mlc_vec_push(&results, mlc_op_operand(yield, i));
    mlc_op_erase(yield);
    mlc_block_splice(mlc_op_block(kernel), kernel, body);
    mlc_op_replace(kernel, results.data, results.size);
    mlc_vec_release(&results);
}

static bool
lower_op(MlcOp *op)
{
    Lowering lowering;
    if (is_named(op, "graph.kernel")) {
        inline_kernel(op);
        return true;
    }
    if (is_named(op, "graph.yield") || !find_lowering(op, &lowering))
        return true;
    MlcContext *ctx = mlc_op_context(op);
    Lower l = {.op = op, .type = mlc_value_type(mlc_op_result(op, 0))};
    l.element = mlc_type_element(l.type);
    l.lb = (MlcLb){.ctx = ctx, .fastmath = mlc_fastmath_contract(ctx)};
    mlc_builder_init(&l.lb.b, ctx);
    mlc_builder_before(&l.lb.b, op);
    MlcValue *value = lowering.lower(&l);
    if (!value)
        return mlc_op_error(op, "cannot be lowered to linalg");
    if (mlc_value_type(value) != l.type) // a batch size that one side knows
        value = mlc_build_value(&l.lb.b, "tensor.cast", l.type, &value, 1);
    mlc_op_replace(op, &value, 1);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        ok &= check_op(op);
    if (!ok)
        return false;
    make_plain_inside(root);
    MLC_FOR_EACH_POSTORDER (op, root)
        if (op != root)
            ok &= lower_op(op);
    return ok;
}

static const char *const dialects[] = {"arith", "linalg", "math", "tensor", NULL};

MLC_PASS(graph_to_linalg, .flag = "graph-to-linalg",
         .summary = "Lower graph ops to linalg on tensors", .anchor = "func.func",
         .dependent_dialects = dialects, .run = run)
