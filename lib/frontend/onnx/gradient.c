// gradient.c -- differentiation in reverse, over graph ops.
//
// From y back, each op that depends on an x turns the gradient of its result into what it gives to
// those of its operands. What an op broadcast is summed up again. What a formula can say has a text
// (derivatives.c); each of the other ops has a rule here, in a table at the end.
//
// What is made are graph ops again, which can be differentiated once more.
#include "gradient.h"

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "order.h"

#include <math.h>

enum { OPS_OF_RULE = 8, MAX_TAPS = 1 << 10, MAX_AXES = 64 };

typedef struct Reverse {
    MlcOnnxNodeImport *n;
    MlcMap active;        // values -> 1: computed from an x; 2: not
    MlcMap gradients;     // of what is active: what came so far
    MLC_VEC(MlcOp *) ops; // that make what is active, each behind those that it reads
} Reverse;

typedef struct Rule {
    const MlcOpDef *op;
    // Gives operands their share of `g`; false after an error.
    bool (*give)(Reverse *r, MlcOp *op, MlcValue *g);
} Rule;

// ---- shapes

static MlcOnnxInts
ints(const int64_t *items, size_t count)
{
    return (MlcOnnxInts){items, count};
}

static size_t
rank_of(const MlcValue *value)
{
    return mlc_type_rank(mlc_value_type(value));
}

static MlcType
element_of(const MlcValue *value)
{
    return mlc_type_element(mlc_value_type(value));
}

static MlcValue *
number(Reverse *r, const MlcValue *like, double value)
{
    return mlc_onnx_build_scalar(r->n, element_of(like), value);
}

static MlcValue *
mul(Reverse *r, MlcValue *a, MlcValue *b)
{
    return mlc_onnx_build_two(r->n, &mlc_graph_mul_def, a, b);
}

static MlcValue *
scaled(Reverse *r, MlcValue *value, double factor)
{
    return value && factor != 1 ? mul(r, value, number(r, value, factor)) : value;
}

MlcValue *
mlc_onnx_reshape_like(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like)
{
    MlcOnnxSizes dims;
    if (!value || mlc_value_type(value) == mlc_value_type(like))
        return value;
    return mlc_onnx_dims_of(n, like, &dims) ? mlc_onnx_reshape_to(n, value, &dims) : NULL;
}

MlcValue *
mlc_onnx_expand_like(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like)
{
    MlcOnnxSizes dims;
    return value && mlc_onnx_dims_of(n, like, &dims) ? mlc_onnx_expand_to(n, value, &dims) : NULL;
}

// A size that is no number is not stretched (docs/internals/sizes.md).
MlcValue *
mlc_onnx_sum_to(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *like)
{
    if (!value)
        return NULL;
    MlcType type = mlc_value_type(value), to = mlc_value_type(like);
    int64_t axes[MAX_AXES];
    size_t count = 0, more = mlc_type_rank(type) - mlc_type_rank(to);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (i < more || (mlc_type_dim(to, i - more) == 1 && mlc_type_dim(type, i) != 1))
            axes[count++] = (int64_t)i;
    if (count)
        value = mlc_onnx_reduce_axes(n, &mlc_graph_reduce_sum_def, value, ints(axes, count));
    return mlc_onnx_reshape_like(n, value, like);
}

MlcValue *
mlc_onnx_with_one(MlcOnnxNodeImport *n, MlcValue *value, size_t axis)
{
    MlcOnnxSizes dims, more;
    if (!value || !mlc_onnx_dims_of(n, value, &dims))
        return NULL;
    more =
        (MlcOnnxSizes){MLC_NEW_ARRAY(&n->import->arena, MlcAttr, dims.count + 1), dims.count + 1};
    size_t at = dims.count - axis;
    for (size_t i = 0; i < more.count; i++)
        more.items[i] = i == at ? mlc_size_number(n->import->ctx, 1) : dims.items[i - (i > at)];
    return mlc_onnx_reshape_to(n, value, &more);
}

static bool
is_active(const Reverse *r, const MlcValue *value)
{
    uint64_t found = 0;
    return mlc_map_get_u64(&r->active, (uint64_t)(uintptr_t)value, &found) && found == 1;
}

static bool
give(Reverse *r, MlcValue *to, MlcValue *gradient)
{
    if (!is_active(r, to))
        return true;
    if (!gradient)
        return false;
    gradient = mlc_onnx_sum_to(r->n, mlc_onnx_cast(r->n, gradient, element_of(to)), to);
    MlcValue *old = mlc_map_get(&r->gradients, to);
    if (gradient && old)
        gradient = mlc_onnx_build_two(r->n, &mlc_graph_add_def, old, gradient);
    mlc_map_set(&r->gradients, to, gradient);
    return gradient != NULL;
}

static bool
give_first(Reverse *r, MlcOp *op, MlcValue *gradient)
{
    return give(r, mlc_op_operand(op, 0), gradient);
}

// ---- products

static MlcValue *
with_last_two_swapped(Reverse *r, MlcValue *value)
{
    int64_t perm[MAX_AXES];
    size_t rank = rank_of(value);
    for (size_t i = 0; i < rank; i++)
        perm[i] = (int64_t)i;
    perm[rank - 2] = (int64_t)rank - 1;
    perm[rank - 1] = (int64_t)rank - 2;
    return mlc_onnx_transpose(r->n, value, ints(perm, rank));
}

static MlcValue *
product(Reverse *r, MlcValue *a, bool swaps_a, MlcValue *b, bool swaps_b)
{
    a = a && swaps_a ? with_last_two_swapped(r, a) : a;
    b = b && swaps_b ? with_last_two_swapped(r, b) : b;
    return mlc_onnx_build_two(r->n, &mlc_graph_matmul_def, a, b);
}

static bool
matmul(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *a = mlc_op_operand(op, 0), *b = mlc_op_operand(op, 1);
    bool is_row = rank_of(a) == 1, is_column = rank_of(b) == 1;
    g = is_row ? mlc_onnx_with_one(r->n, g, is_column ? 0 : 1) : g;
    g = is_column ? mlc_onnx_with_one(r->n, g, 0) : g;
    MlcValue *lhs = is_row ? mlc_onnx_with_one(r->n, a, 1) : a,
             *rhs = is_column ? mlc_onnx_with_one(r->n, b, 0) : b;
    if (!g || !lhs || !rhs)
        return false;
    if (is_active(r, a)) {
        MlcValue *share = product(r, g, false, rhs, true);
        share = share && is_row ? mlc_onnx_reshape_like(r->n, mlc_onnx_sum_to(r->n, share, lhs), a)
                                : share;
        if (!give(r, a, share))
            return false;
    }
    if (!is_active(r, b))
        return true;
    MlcValue *share = product(r, lhs, true, g, false);
    return give(r, b,
                share && is_column
                    ? mlc_onnx_reshape_like(r->n, mlc_onnx_sum_to(r->n, share, rhs), b)
                    : share);
}

static bool
gemm(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *a = mlc_graph_gemm_a(op), *b = mlc_graph_gemm_b(op), *c = mlc_graph_gemm_c(op);
    bool swaps_a = mlc_graph_gemm_trans_a(op), swaps_b = mlc_graph_gemm_trans_b(op);
    MlcValue *scaled_g = scaled(r, g, mlc_float_attr_as_double(mlc_graph_gemm_alpha(op)));
    bool ok = scaled_g != NULL;
    if (ok && is_active(r, a))
        ok = give(r, a,
                  swaps_a ? product(r, b, swaps_b, scaled_g, true)
                          : product(r, scaled_g, false, b, !swaps_b));
    if (ok && is_active(r, b))
        ok = give(r, b,
                  swaps_b ? product(r, scaled_g, true, a, swaps_a)
                          : product(r, a, !swaps_a, scaled_g, false));
    if (ok && c && is_active(r, c))
        ok = give(r, c, scaled(r, g, mlc_float_attr_as_double(mlc_graph_gemm_beta(op))));
    return ok;
}

// ---- windows

// The window with its pads as they are read, end pads such that all windows are whole.
static bool
window_of(Reverse *r, MlcOp *op, MlcGraphWindow *w)
{
    MlcType in = mlc_op_operand_type(op, 0), out = mlc_op_result_type(op, 0);
    bool is_known = mlc_graph_layout(op) == MLC_GRAPH_LAYOUT_NCHW && mlc_graph_window(op, w);
    for (size_t i = 0; is_known && i < w->rank; i++) {
        int64_t size = mlc_type_dim(in, 2 + i), places = mlc_type_dim(out, 2 + i);
        is_known = size != MLC_DYNAMIC && places != MLC_DYNAMIC;
        if (is_known)
            w->pad_end[i] = (places - 1) * w->strides[i] + (w->kernel[i] - 1) * w->dilations[i] +
                            1 - size - w->pad_begin[i];
    }
    return is_known ||
           mlc_onnx_unsupported(r->n, "'%s' of an image of unknown size has no gradient",
                                mlc_op_def(op)->name);
}

static MlcValue *
padded(Reverse *r, MlcValue *value, const int64_t *begin, const int64_t *end, double with)
{
    MlcOnnxAttrs attrs = {0};
    int64_t pads[2 * MAX_AXES] = {0};
    size_t rank = value ? rank_of(value) : 0;
    bool any = false;
    for (size_t i = 2; i < rank; i++) {
        pads[i] = begin[i - 2];
        pads[rank + i] = end[i - 2];
        any |= pads[i] || pads[rank + i];
    }
    if (!any)
        return value;
    mlc_onnx_add_ints(r->n, &attrs, "pads", ints(pads, 2 * rank));
    mlc_onnx_add_attr(
        r->n, &attrs, "value",
        mlc_float_attr_get(mlc_float_type_get(r->n->import->ctx, MLC_FLOAT_F32), with));
    return mlc_onnx_build(r->n, &mlc_graph_pad_def, &value, 1, &attrs);
}

// [a, b, spatial...] of other spatial sizes.
static MlcValue *
with_spatial(Reverse *r, MlcValue *value, const int64_t *spatial, size_t count)
{
    MlcOnnxSizes dims, all;
    if (!value || !mlc_onnx_dims_of(r->n, value, &dims))
        return NULL;
    all = mlc_onnx_sizes_of_numbers(r->n, ints(spatial, count));
    MlcOnnxSizes both = {MLC_NEW_ARRAY(&r->n->import->arena, MlcAttr, count + 2), count + 2};
    for (size_t i = 0; i < both.count; i++)
        both.items[i] = i < 2 ? dims.items[i] : all.items[i - 2];
    return mlc_onnx_reshape_to(r->n, value, &both);
}

// Elements of the spatial dimensions `steps` apart, with zeros between them.
static MlcValue *
spread(Reverse *r, MlcValue *value, const int64_t *steps, size_t rank)
{
    int64_t apart[2 * MLC_GRAPH_MAX_SPATIAL], whole[MLC_GRAPH_MAX_SPATIAL];
    int64_t none[2 * MLC_GRAPH_MAX_SPATIAL] = {0}, behind[2 * MLC_GRAPH_MAX_SPATIAL] = {0};
    bool any = false;
    for (size_t i = 0; i < rank; i++) {
        apart[2 * i] = mlc_type_dim(mlc_value_type(value), 2 + i);
        apart[2 * i + 1] = 1;
        behind[2 * i + 1] = steps[i] - 1;
        whole[i] = apart[2 * i] * steps[i];
        any |= steps[i] > 1;
    }
    if (!any)
        return value;
    value = padded(r, with_spatial(r, value, apart, 2 * rank), none, behind, 0);
    value = with_spatial(r, value, whole, rank);
    for (size_t i = 0; i < rank; i++)
        behind[i] = 1 - steps[i];
    return padded(r, value, none, behind, 0);
}

// Dimension `splits` as [groups, size / groups]; the first three of all in another order, of which
// those from `joins` on become one.
static MlcValue *
regrouped(Reverse *r, MlcValue *value, int64_t groups, size_t splits, const int64_t *perm,
          size_t joins)
{
    MlcContext *ctx = r->n->import->ctx;
    MlcOnnxSizes dims, split, joined;
    if (!value || !mlc_onnx_dims_of(r->n, value, &dims))
        return NULL;
    MlcAttr *items = MLC_NEW_ARRAY(&r->n->import->arena, MlcAttr, 2 * dims.count + 2);
    split = (MlcOnnxSizes){items, dims.count + 1};
    joined = (MlcOnnxSizes){items + split.count, dims.count};
    for (size_t i = 0; i < split.count; i++)
        split.items[i] = dims.items[i - (i > splits)];
    split.items[splits] = mlc_size_number(ctx, groups);
    split.items[splits + 1] =
        mlc_size_exact_quotient(dims.items[splits], mlc_size_number(ctx, groups));
    int64_t all[MAX_AXES];
    for (size_t i = 0; i < split.count; i++)
        all[i] = i < 3 ? perm[i] : (int64_t)i;
    for (size_t i = 0; i < joined.count; i++)
        joined.items[i] = split.items[all[i + (i > joins)]];
    joined.items[joins] =
        mlc_size_combine(MLC_SIZE_MUL, split.items[all[joins]], split.items[all[joins + 1]]);
    value = mlc_onnx_reshape_to(r->n, value, &split);
    value = value ? mlc_onnx_transpose(r->n, value, ints(all, split.count)) : NULL;
    return mlc_onnx_reshape_to(r->n, value, &joined);
}

static MlcValue *
convolved(Reverse *r, MlcValue *image, MlcValue *filter, const int64_t *strides,
          const int64_t *dilations, size_t rank, int64_t group)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_ints(r->n, &attrs, "strides", ints(strides, rank));
    mlc_onnx_add_ints(r->n, &attrs, "dilations", ints(dilations, rank));
    mlc_onnx_add_int(r->n, &attrs, "group", group);
    return image && filter
               ? mlc_onnx_build(r->n, &mlc_graph_conv_def, (MlcValue *[]){image, filter}, 2, &attrs)
               : NULL;
}

// Filters [O, C / group, k...] as [C, O / group, k...], each backwards.
static MlcValue *
turned(Reverse *r, MlcValue *filter, int64_t group, size_t rank)
{
    int64_t starts[MLC_GRAPH_MAX_SPATIAL], ends[MLC_GRAPH_MAX_SPATIAL];
    int64_t axes[MLC_GRAPH_MAX_SPATIAL], steps[MLC_GRAPH_MAX_SPATIAL];
    for (size_t i = 0; i < rank; i++) {
        starts[i] = -1;
        ends[i] = INT64_MIN;
        axes[i] = 2 + (int64_t)i;
        steps[i] = -1;
    }
    filter = regrouped(r, filter, group, 0, (const int64_t[]){0, 2, 1}, 0);
    return filter ? mlc_onnx_slice(r->n, filter, ints(starts, rank), ints(ends, rank),
                                   ints(axes, rank), ints(steps, rank))
                  : NULL;
}

// The image: the gradient spread out, convolved with the filters backwards. Filters: the image
// convolved with the gradient, samples as channels, steps and dilations in each other's place.
static bool
conv(Reverse *r, MlcOp *op, MlcValue *g)
{
    static const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    MlcValue *x = mlc_op_operand(op, 0), *filter = mlc_op_operand(op, 1);
    int64_t group = mlc_graph_conv_group(op), begin[MLC_GRAPH_MAX_SPATIAL];
    int64_t end[MLC_GRAPH_MAX_SPATIAL];
    MlcGraphWindow w;
    bool ok = window_of(r, op, &w);
    for (size_t i = 0; ok && i < w.rank; i++) {
        int64_t reach = (w.kernel[i] - 1) * w.dilations[i];
        begin[i] = reach - w.pad_begin[i];
        end[i] = reach - w.pad_end[i];
    }
    if (ok && is_active(r, x)) {
        MlcValue *apart = padded(r, spread(r, g, w.strides, w.rank), begin, end, 0);
        ok = give(r, x,
                  convolved(r, apart, turned(r, filter, group, w.rank), ones, w.dilations, w.rank,
                            group));
    }
    if (ok && is_active(r, filter)) {
        MlcValue *image = padded(r, x, w.pad_begin, w.pad_end, 0);
        image = regrouped(r, image, group, 1, (const int64_t[]){2, 1, 0}, 1);
        MlcValue *samples = regrouped(r, g, 1, 0, (const int64_t[]){2, 0, 1}, 1);
        MlcValue *share = convolved(r, image, samples, w.dilations, w.strides, w.rank, group);
        ok = give(r, filter, regrouped(r, share, 1, 0, (const int64_t[]){2, 0, 1}, 1));
    }
    if (!ok || mlc_op_num_operands(op) < 3 || !is_active(r, mlc_op_operand(op, 2)))
        return ok;
    int64_t axes[MLC_GRAPH_MAX_SPATIAL + 1] = {0};
    for (size_t i = 0; i < w.rank; i++)
        axes[1 + i] = 2 + (int64_t)i;
    MlcValue *bias = mlc_op_operand(op, 2);
    g = mlc_onnx_reduce_axes(r->n, &mlc_graph_reduce_sum_def, g, ints(axes, w.rank + 1));
    return give(r, bias, mlc_onnx_reshape_like(r->n, g, bias));
}

// The elements that tap `at` of all windows reads.
static MlcValue *
tap_of(Reverse *r, MlcValue *image, const MlcGraphWindow *w, const int64_t *at, MlcType places)
{
    int64_t ends[MLC_GRAPH_MAX_SPATIAL], axes[MLC_GRAPH_MAX_SPATIAL];
    for (size_t i = 0; i < w->rank; i++) {
        axes[i] = 2 + (int64_t)i;
        ends[i] = at[i] + (mlc_type_dim(places, 2 + i) - 1) * w->strides[i] + 1;
    }
    return image ? mlc_onnx_slice(r->n, image, ints(at, w->rank), ints(ends, w->rank),
                                  ints(axes, w->rank), ints(w->strides, w->rank))
                 : NULL;
}

// The gradients of all places, of each the part that goes to the elements of one tap.
typedef struct Taps {
    MlcGraphWindow w;
    MlcType places;
    MlcValue *image, *greatest, *is_taken; // of max_pool; else NULL
    MlcValue *all;                         // of the padded image, so far
} Taps;

static bool
give_tap(Reverse *r, Taps *t, const int64_t *at, MlcType image, MlcValue *g)
{
    int64_t end[MLC_GRAPH_MAX_SPATIAL];
    const MlcGraphWindow *w = &t->w;
    for (size_t i = 0; i < w->rank; i++)
        end[i] = mlc_type_dim(image, 2 + i) + w->pad_begin[i] + w->pad_end[i] - at[i] -
                 (mlc_type_dim(t->places, 2 + i) - 1) * w->strides[i] - 1;
    if (t->greatest) {
        MlcValue *is_it = mlc_onnx_compare(r->n, &mlc_graph_equal_def,
                                           tap_of(r, t->image, w, at, t->places), t->greatest);
        MlcValue *first = is_it;
        if (t->is_taken && is_it) {
            MlcValue *is_free = mlc_onnx_build_one(r->n, &mlc_graph_not_def, t->is_taken);
            first = mlc_onnx_build_two(r->n, &mlc_graph_and_def, is_it, is_free);
            is_it = mlc_onnx_build_two(r->n, &mlc_graph_or_def, is_it, t->is_taken);
        }
        t->is_taken = is_it;
        g = mlc_onnx_select(r->n, first, g, number(r, g, 0));
    }
    MlcValue *share = g ? padded(r, spread(r, g, w->strides, w->rank), at, end, 0) : NULL;
    t->all = t->all && share ? mlc_onnx_build_two(r->n, &mlc_graph_add_def, t->all, share) : share;
    return t->all != NULL;
}

// Of a maximum the first element that is the greatest gets all.
static bool
pool(Reverse *r, MlcOp *op, Taps *t, MlcValue *g)
{
    MlcValue *x = mlc_op_operand(op, 0);
    int64_t num_taps = 1, begin[MLC_GRAPH_MAX_SPATIAL], end[MLC_GRAPH_MAX_SPATIAL];
    for (size_t i = 0; i < t->w.rank; i++) {
        num_taps = num_taps > MAX_TAPS ? num_taps : num_taps * t->w.kernel[i];
        begin[i] = -t->w.pad_begin[i];
        end[i] = -t->w.pad_end[i];
    }
    if (num_taps > MAX_TAPS)
        return mlc_onnx_unsupported(r->n, "'%s' of more than %d elements has no gradient",
                                    mlc_op_def(op)->name, MAX_TAPS);
    if (!mlc_onnx_count_nodes(r->n->import, OPS_OF_RULE * (size_t)num_taps))
        return false;
    for (int64_t tap = 0; tap < num_taps; tap++) {
        int64_t at[MLC_GRAPH_MAX_SPATIAL], left = tap;
        for (size_t i = t->w.rank; i-- > 0; left /= t->w.kernel[i])
            at[i] = left % t->w.kernel[i] * t->w.dilations[i];
        if (!give_tap(r, t, at, mlc_value_type(x), g))
            return false;
    }
    return give(r, x, padded(r, t->all, begin, end, 0));
}

static bool
max_pool(Reverse *r, MlcOp *op, MlcValue *g)
{
    Taps t = {.places = mlc_op_result_type(op, 0), .greatest = mlc_op_result(op, 0)};
    if (!window_of(r, op, &t.w))
        return false;
    t.image = padded(r, mlc_op_operand(op, 0), t.w.pad_begin, t.w.pad_end, -(double)INFINITY);
    return pool(r, op, &t, g);
}

static bool
average_pool(Reverse *r, MlcOp *op, MlcValue *g)
{
    Taps t = {.places = mlc_op_result_type(op, 0)};
    MlcGraphWindow own;
    if (!window_of(r, op, &t.w) || !mlc_graph_window(op, &own))
        return false;
    for (size_t i = 0; g && i < t.w.rank; i++) {
        int64_t shape[MLC_GRAPH_MAX_SPATIAL], count = mlc_type_dim(t.places, 2 + i);
        if (!mlc_onnx_can_list(r->n, count))
            return false;
        double *counts = MLC_NEW_ARRAY(&r->n->import->arena, double, (size_t)count + 1);
        for (int64_t k = 0; k < count; k++)
            counts[k] = (double)mlc_graph_window_count(op, &own, i, k);
        for (size_t k = 0; k < t.w.rank; k++)
            shape[k] = k == i ? count : 1;
        g = mlc_onnx_build_two(r->n, &mlc_graph_div_def, g,
                               mlc_onnx_build_floats(r->n, element_of(g), counts, shape, t.w.rank));
    }
    return g && pool(r, op, &t, g);
}

// ---- shapes

static bool
running_sum(Reverse *r, MlcOp *op, MlcValue *g)
{
    int64_t start = -1, end = INT64_MIN, axis = 1, step = -1;
    for (size_t i = 0; g && i < 2; i++) {
        g = mlc_onnx_slice(r->n, g, ints(&start, 1), ints(&end, 1), ints(&axis, 1), ints(&step, 1));
        g = g && i == 0 ? mlc_onnx_build_one(r->n, &mlc_graph_running_sum_def, g) : g;
    }
    return give_first(r, op, g);
}

static bool
transpose(Reverse *r, MlcOp *op, MlcValue *g)
{
    int64_t perm[MAX_AXES], back[MAX_AXES];
    size_t rank = rank_of(g);
    mlc_graph_permutation(op, perm);
    for (size_t i = 0; i < rank; i++)
        back[perm[i]] = (int64_t)i;
    return give_first(r, op, mlc_onnx_transpose(r->n, g, ints(back, rank)));
}

static bool
concat(Reverse *r, MlcOp *op, MlcValue *g)
{
    int64_t axis = mlc_graph_axis(op);
    MlcAttr start = mlc_size_number(r->n->import->ctx, 0);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *operand = mlc_op_operand(op, i);
        MlcAttr size = mlc_size_of_dim(mlc_value_type(operand), (size_t)axis);
        MlcAttr end = mlc_size_combine(MLC_SIZE_ADD, start, size);
        if (!end)
            return mlc_onnx_unknown_size(r->n, axis);
        if (is_active(r, operand) &&
            !give(
                r, operand,
                mlc_onnx_reshape_like(r->n, mlc_onnx_slice_to(r->n, g, start, end, axis), operand)))
            return false;
        start = end;
    }
    return true;
}

static bool
pad(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcOnnxAttrs attrs = {0};
    MlcAttr pads = mlc_op_attr(op, "pads");
    int64_t opposite[2 * MAX_AXES];
    size_t count = mlc_dense_array_attr_size(pads);
    for (size_t i = 0; i < count; i++)
        opposite[i] = -mlc_dense_array_attr_int(pads, i);
    mlc_onnx_add_ints(r->n, &attrs, "pads", ints(opposite, count));
    return give_first(r, op, mlc_onnx_build(r->n, &mlc_graph_pad_def, &g, 1, &attrs));
}

static bool
tile(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *x = mlc_op_operand(op, 0);
    MlcOnnxSizes from, to, split;
    int64_t axes[MAX_AXES];
    if (!mlc_onnx_dims_of(r->n, x, &from) || !mlc_onnx_dims_of(r->n, g, &to))
        return false;
    split = (MlcOnnxSizes){MLC_NEW_ARRAY(&r->n->import->arena, MlcAttr, 2 * from.count + 1),
                           2 * from.count};
    for (size_t i = 0; i < from.count; i++) {
        axes[i] = 2 * (int64_t)i;
        split.items[2 * i] = mlc_size_exact_quotient(to.items[i], from.items[i]);
        split.items[2 * i + 1] = from.items[i];
        if (!split.items[2 * i])
            return mlc_onnx_unknown_size(r->n, (int64_t)i);
    }
    if (from.count == 0)
        return give(r, x, g);
    g = mlc_onnx_reduce_axes(r->n, &mlc_graph_reduce_sum_def, mlc_onnx_reshape_to(r->n, g, &split),
                             ints(axes, from.count));
    return give(r, x, mlc_onnx_reshape_like(r->n, g, x));
}

static bool
trilu(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_attr(r->n, &attrs, "k", mlc_op_attr(op, "k"));
    mlc_onnx_add_attr(r->n, &attrs, "upper", mlc_op_attr(op, "upper"));
    return give_first(r, op, mlc_onnx_build(r->n, &mlc_graph_trilu_def, &g, 1, &attrs));
}

// ---- indices

static MlcValue *
zeros_like(Reverse *r, MlcValue *like)
{
    return mlc_onnx_expand_like(r->n, number(r, like, 0), like);
}

static MlcValue *
scattered(Reverse *r, const MlcOpDef *def, MlcValue *data, MlcValue *indices, MlcValue *updates,
          const int64_t *axis, bool adds)
{
    MlcOnnxAttrs attrs = {0};
    MlcContext *ctx = r->n->import->ctx;
    if (!data || !indices || !updates)
        return NULL;
    if (axis)
        mlc_onnx_add_int(r->n, &attrs, "axis", *axis);
    if (adds)
        mlc_onnx_add_attr(r->n, &attrs, "reduction",
                          mlc_enum_attr_get(ctx, mlc_context_attr(ctx, mlc_str("graph.scatter")),
                                            MLC_GRAPH_SCATTER_ADD));
    return mlc_onnx_build(r->n, def, (MlcValue *[]){data, indices, updates}, 3, &attrs);
}

// The dimensions from `from` on, `count` of them, in front of all others; or back.
static MlcValue *
in_front(Reverse *r, MlcValue *value, size_t from, size_t count, bool goes_back)
{
    int64_t perm[MAX_AXES], back[MAX_AXES];
    size_t rank = value ? rank_of(value) : 0;
    for (size_t i = 0; i < rank; i++)
        perm[i] = (int64_t)(i < count ? from + i : i < from + count ? i - count : i);
    for (size_t i = 0; i < rank; i++)
        back[perm[i]] = (int64_t)i;
    return value ? mlc_onnx_transpose(r->n, value, ints(goes_back ? back : perm, rank)) : NULL;
}

static bool
gather(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *data = mlc_op_operand(op, 0), *indices = mlc_op_operand(op, 1);
    size_t axis = (size_t)mlc_graph_axis(op);
    MlcValue *zeros = in_front(r, zeros_like(r, data), axis, 1, false);
    g = in_front(r, g, axis, rank_of(indices), false);
    g = scattered(r, &mlc_graph_scatter_nd_def, zeros, mlc_onnx_with_one(r->n, indices, 0), g, NULL,
                  true);
    return give(r, data, in_front(r, g, axis, 1, true));
}

static bool
gather_elements(Reverse *r, MlcOp *op, MlcValue *g)
{
    int64_t axis = mlc_graph_axis(op);
    MlcValue *data = mlc_op_operand(op, 0);
    return give(r, data,
                scattered(r, &mlc_graph_scatter_elements_def, zeros_like(r, data),
                          mlc_op_operand(op, 1), g, &axis, true));
}

static bool
gather_nd(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *data = mlc_op_operand(op, 0);
    if (mlc_graph_gather_nd_batch_dims(op))
        return mlc_onnx_unsupported(r->n, "'%s' with batches has no gradient",
                                    mlc_op_def(op)->name);
    return give(r, data,
                scattered(r, &mlc_graph_scatter_nd_def, zeros_like(r, data), mlc_op_operand(op, 1),
                          g, NULL, true));
}

// Where updates are added, both get g; where they are put, data gets none of it there.
static bool
scatter(Reverse *r, MlcOp *op, MlcValue *g, const MlcOpDef *takes, const int64_t *axis)
{
    MlcValue *data = mlc_op_operand(op, 0), *indices = mlc_op_operand(op, 1);
    MlcValue *updates = mlc_op_operand(op, 2);
    MlcAttr how = mlc_op_attr(op, "reduction");
    bool adds = mlc_enum_attr_value(how) == MLC_GRAPH_SCATTER_ADD;
    MlcOnnxAttrs attrs = {0};
    if (!adds && mlc_enum_attr_value(how) != MLC_GRAPH_SCATTER_NONE)
        return mlc_onnx_unsupported(r->n, "'%s' with a reduction other than 'add' has no gradient",
                                    mlc_op_def(op)->name);
    if (is_active(r, data) &&
        !give(r, data,
              adds ? g
                   : scattered(r, mlc_op_def(op), g, indices, zeros_like(r, updates), axis, false)))
        return false;
    if (!is_active(r, updates))
        return true;
    if (axis)
        mlc_onnx_add_int(r->n, &attrs, "axis", *axis);
    return give(r, updates, mlc_onnx_build(r->n, takes, (MlcValue *[]){g, indices}, 2, &attrs));
}

static bool
scatter_elements(Reverse *r, MlcOp *op, MlcValue *g)
{
    int64_t axis = mlc_graph_axis(op);
    return scatter(r, op, g, &mlc_graph_gather_elements_def, &axis);
}

static bool
scatter_nd(Reverse *r, MlcOp *op, MlcValue *g)
{
    return scatter(r, op, g, &mlc_graph_gather_nd_def, NULL);
}

// A slice of neighbours is padded with zeros. Others are put where they came from, one dimension
// after the other.
static bool
slice(Reverse *r, MlcOp *op, MlcValue *g)
{
    MlcValue *x = mlc_op_operand(op, 0);
    MlcType in = mlc_value_type(x), out = mlc_value_type(g);
    int64_t starts[MAX_AXES], steps[MAX_AXES];
    size_t rank = rank_of(x);
    MlcAttr sizes = mlc_op_attr(op, "start_sizes"), ends = mlc_op_attr(op, "end_sizes");
    for (size_t i = 0; i < rank; i++)
        if ((mlc_type_dim(in, i) == MLC_DYNAMIC || mlc_type_dim(out, i) == MLC_DYNAMIC) &&
            (sizes || ends || mlc_size_of_dim(in, i) != mlc_size_of_dim(out, i)))
            return mlc_onnx_unsupported(r->n, "'%s' of a dimension of unknown size has no gradient",
                                        mlc_op_def(op)->name);
    mlc_graph_slice_bounds(op, starts, steps);
    for (size_t i = 0; g && i < rank; i++) {
        int64_t size = mlc_type_dim(in, i), count = mlc_type_dim(out, i), axis = (int64_t)i;
        if (size == MLC_DYNAMIC || (count == size && steps[i] == 1))
            continue;
        if (!mlc_onnx_can_list(r->n, count))
            return false;
        MlcOnnxSizes dims;
        if (!mlc_onnx_dims_of(r->n, g, &dims))
            return false;
        dims.items[i] = mlc_size_number(r->n->import->ctx, size);
        MlcValue *zeros = mlc_onnx_expand_to(r->n, number(r, g, 0), &dims);
        int64_t *places = MLC_NEW_ARRAY(&r->n->import->arena, int64_t, (size_t)count + 1);
        for (int64_t k = 0; k < count; k++)
            places[k] = starts[i] + k * steps[i];
        MlcValue *indices = mlc_onnx_build_ints(r->n, places, (int64_t[]){count, 1}, 2);
        zeros = in_front(r, zeros, i, 1, false);
        g = scattered(r, &mlc_graph_scatter_nd_def, zeros, indices, in_front(r, g, i, 1, false),
                      NULL, false);
        g = in_front(r, g, (size_t)axis, 1, true);
    }
    return give(r, x, g);
}

#define RULE(name)                                                                                 \
    {                                                                                              \
        &mlc_graph_##name##_def, name                                                              \
    }

static const Rule rules[] = {
    RULE(average_pool),    RULE(concat),    RULE(conv),        RULE(gather),
    RULE(gather_elements), RULE(gather_nd), RULE(gemm),        RULE(matmul),
    RULE(max_pool),        RULE(pad),       RULE(running_sum), RULE(scatter_elements),
    RULE(scatter_nd),      RULE(slice),     RULE(tile),        RULE(transpose),
    RULE(trilu),
};

// ---- from y back

// "'fc1' (graph.scan)"
static bool
no_gradient(Reverse *r, MlcOp *op)
{
    MlcStr name = mlc_loc_name_str(mlc_op_loc(op));
    return mlc_onnx_unsupported(r->n, "no gradient is known of '%s', which '%.*s' is made of",
                                mlc_op_def(op)->name, MLC_STR_FMT(name));
}

static bool
give_by_texts(Reverse *r, MlcOp *op, MlcValue *g)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        bool is_known = true;
        MlcValue *operand = mlc_op_operand(op, i);
        uint64_t num_refused = r->n->import->num_unsupported + r->n->import->num_invalid;
        if (!is_active(r, operand))
            continue;
        MlcValue *share = mlc_onnx_derivative(r->n, op, i, g, &is_known);
        if (!is_known)
            return no_gradient(r, op);
        if (!share && num_refused != r->n->import->num_unsupported + r->n->import->num_invalid)
            return false;
        if (share && !give(r, operand, share))
            return false;
    }
    return true;
}

static bool
give_back(Reverse *r, MlcOp *op, MlcValue *g)
{
    bool is_small = mlc_op_num_results(op) == 1 && mlc_op_num_regions(op) == 0 &&
                    mlc_type_has_small_rank(mlc_op_result_type(op, 0));
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        is_small &= mlc_type_has_small_rank(mlc_op_operand_type(op, i));
    if (!is_small)
        return no_gradient(r, op);
    if (!mlc_onnx_count_nodes(r->n->import, OPS_OF_RULE))
        return false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].op == mlc_op_def(op))
            return rules[i].give(r, op, g);
    return give_by_texts(r, op, g);
}

typedef struct Visit {
    MlcOp *op;
    MlcValueVec reads; // its operands, and what its regions take from outside
    size_t next;
} Visit;

static MlcWalk
add_reads(MlcOp *op, void *user)
{
    MlcValueVec *reads = user;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(reads, mlc_op_operand(op, i));
    return MLC_WALK_CONTINUE;
}

static void
leave(Reverse *r, const Visit *visit)
{
    MlcOp *op = visit->op;
    bool any = false;
    for (size_t i = 0; i < visit->reads.size; i++)
        any |= is_active(r, visit->reads.data[i]);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        bool is_float = mlc_type_is_float(mlc_type_element(mlc_op_result_type(op, i)));
        mlc_map_set_u64(&r->active, (uint64_t)(uintptr_t)mlc_op_result(op, i),
                        any && is_float ? 1 : 2);
    }
    if (any)
        mlc_vec_push(&r->ops, op);
}

// Depth first, with a stack of our own. What is no float has no gradient.
static void
find_active(Reverse *r, MlcValue *y)
{
    MLC_VEC(Visit) stack = {0};
    MlcValue *value = y;
    for (;;) {
        MlcOp *def = value ? mlc_value_def(value) : NULL;
        if (def && !mlc_map_has(&r->active, value)) {
            Visit visit = {.op = def};
            mlc_op_walk_preorder(def, add_reads, &visit.reads);
            mlc_map_set_u64(&r->active, (uint64_t)(uintptr_t)value, 2); // until it is known
            mlc_vec_push(&stack, visit);
        }
        Visit *top = stack.size ? &stack.data[stack.size - 1] : NULL;
        if (!top)
            break;
        if (top->next < top->reads.size) {
            value = top->reads.data[top->next++];
            continue;
        }
        leave(r, top);
        mlc_vec_release(&top->reads);
        stack.size--;
        value = NULL;
    }
    mlc_vec_release(&stack);
}

bool
mlc_onnx_differentiate(MlcOnnxNodeImport *n, MlcValue *y, MlcValue *const *xs, size_t num_xs,
                       MlcValue **gradients)
{
    Reverse r = {.n = n};
    mlc_map_init(&r.active);
    mlc_map_init(&r.gradients);
    for (size_t i = 0; i < num_xs; i++)
        mlc_map_set_u64(&r.active, (uint64_t)(uintptr_t)xs[i], 1);
    find_active(&r, y);
    bool ok = !is_active(&r, y) || give(&r, y, mlc_onnx_expand_like(n, number(&r, y, 1), y));
    for (size_t i = r.ops.size; ok && i-- > 0;) {
        MlcValue *g = mlc_map_get(&r.gradients, mlc_op_result(r.ops.data[i], 0));
        ok = !g || give_back(&r, r.ops.data[i], g);
    }
    for (size_t i = 0; ok && i < num_xs; i++) {
        MlcValue *g = mlc_map_get(&r.gradients, xs[i]);
        gradients[i] = g ? g : zeros_like(&r, xs[i]);
        ok = gradients[i] != NULL;
    }
    mlc_map_release(&r.active);
    mlc_map_release(&r.gradients);
    mlc_vec_release(&r.ops);
    return ok;
}
