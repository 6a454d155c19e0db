// trees.c -- see trees.h: trees of seven comparisons become trees of one.
//
// graph.tree_ensemble knows "at most": what is more, or NaN, goes right. x < v is x <= v', with v'
// the number before v; x > v and x >= v have their children exchanged. A row with NaN where that
// must go left is compared by the negative: x <= t goes left unless -x <= t', with t' the number
// before -t; so the negatives are columns behind the others. A set is a balanced tree over the ends
// of the intervals that are in it or not.
//
// Nodes of a tree are put in order of their level, so children come behind their parents. Every
// node is visited once: a cycle, or a part that two nodes share, is told and ends the walk.
#include "trees.h"

#include "mlc/dialects/graph_sizes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_WEIGHTS = 1 << 26, MAX_TARGETS = 1 << 20, MAX_FEATURES = 1 << 20 };

// A child that is a node of the result, not of the model: INNER + its place.
#define INNER (INT64_C(1) << 40)

typedef struct Range {
    int32_t first, last; // none: last < first
} Range;

typedef struct Build {
    MlcOnnxNodeImport *n;
    const MlcOnnxTrees *trees;
    bool is_wide; // rows of f64
    bool has_negatives;
    int64_t num_features;
    // The result's nodes.
    double *thresholds;
    int32_t *features;
    MlcOnnxTreeChild *left, *right;
    size_t count;
    // Of the model's nodes: where their part of the result begins; the queue of a walk.
    int32_t *places;
    int64_t *queue;
    size_t num_queued;
    // Of leaves: their targets, and the tree that leads there.
    Range *targets;
    int32_t *owners;
    bool are_shared; // a leaf by two trees
    // Of trees.
    Range *of_tree;
} Build;

// ---- numbers of the rows' type

static double
before(const Build *b, double value)
{
    if (value == -INFINITY)
        return NAN; // nothing is at most what comes before it
    return b->is_wide ? nextafter(value, -INFINITY) : (double)nextafterf((float)value, -INFINITY);
}

// The largest number of the type that is at most `value`.
static double
rounded_down(const Build *b, double value)
{
    if (b->is_wide || isnan(value))
        return value;
    float narrow = (float)value;
    return (double)narrow > value ? before(b, (double)narrow) : (double)narrow;
}

// The largest that is less.
static double
less_than(const Build *b, double value)
{
    double down = rounded_down(b, value);
    return down == value ? before(b, down) : down;
}

// ---- nodes of the result

static MlcOnnxTreeChild
add_node(Build *b, int64_t feature, double threshold, MlcOnnxTreeChild left, MlcOnnxTreeChild right)
{
    size_t i = b->count++;
    b->features[i] = (int32_t)feature;
    b->thresholds[i] = threshold;
    b->left[i] = left;
    b->right[i] = right;
    return INNER + (int64_t)i;
}

// x <= threshold: left, else right; NaN goes to `missing`, which is one of them.
static void
add_comparison(Build *b, const MlcOnnxTreeNode *node, double threshold, MlcOnnxTreeChild left,
               MlcOnnxTreeChild right, bool missing_is_left)
{
    if (!missing_is_left || left == right) {
        add_node(b, node->feature, threshold, left, right);
        return;
    }
    b->has_negatives = true;
    double negative = isnan(threshold) ? INFINITY : before(b, -threshold);
    add_node(b, b->num_features + node->feature, negative, right, left);
}

static int
compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The ends of intervals, the first of which is outside of the set unless `*begins_inside`.
static size_t
ends_of_set(Build *b, const double *members, size_t count, double *ends, bool *begins_inside)
{
    double *sorted = MLC_NEW_ARRAY(&b->n->import->arena, double, count + 1);
    size_t num_sorted = 0, num_ends = 0;
    for (size_t i = 0; i < count; i++)
        if (rounded_down(b, members[i]) == members[i]) // else no number is equal to it; nor to NaN
            sorted[num_sorted++] = members[i];
    qsort(sorted, num_sorted, sizeof *sorted, compare_numbers);
    *begins_inside = num_sorted && sorted[0] == -INFINITY;
    for (size_t i = 0; i < num_sorted; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1])
            continue;
        double outside = before(b, sorted[i]);
        if (num_ends && ends[num_ends - 1] == outside)
            ends[num_ends - 1] = sorted[i]; // next to the one before
        else {
            if (!isnan(outside))
                ends[num_ends++] = outside;
            ends[num_ends++] = sorted[i];
        }
    }
    return num_ends;
}

typedef struct Intervals {
    const double *ends;
    bool begins_inside;
    int64_t feature;
    MlcOnnxTreeChild inside, outside;
} Intervals;

// A balanced tree that finds in which of the intervals `low` to `high` a number is.
static MlcOnnxTreeChild
add_intervals(Build *b, const Intervals *of, size_t low, size_t high)
{
    if (low == high)
        return (low % 2 != 0) != of->begins_inside ? of->inside : of->outside;
    size_t middle = low + (high - low) / 2;
    MlcOnnxTreeChild node = add_node(b, of->feature, of->ends[middle], 0, 0);
    size_t i = (size_t)(node - INNER);
    MlcOnnxTreeChild left = add_intervals(b, of, low, middle);
    MlcOnnxTreeChild right = add_intervals(b, of, middle + 1, high);
    b->left[i] = left;
    b->right[i] = right;
    return node;
}

// Whether a number is one of some. NaN comes to the last interval, which is outside.
static void
add_set(Build *b, const MlcOnnxTreeNode *node, const double *members, size_t count,
        MlcOnnxTreeChild inside, MlcOnnxTreeChild outside)
{
    double *ends = MLC_NEW_ARRAY(&b->n->import->arena, double, 2 * count + 1);
    Intervals of = {.ends = ends, .feature = node->feature, .inside = inside, .outside = outside};
    MlcOnnxTreeChild missing = node->missing_is_yes ? node->yes : node->no;
    size_t num_ends = ends_of_set(b, members, count, ends, &of.begins_inside);
    if (missing != outside) { // a number is at most infinity
        MlcOnnxTreeChild numbers = INNER + (int64_t)b->count + 1;
        if (num_ends == 0)
            numbers = outside;
        add_node(b, node->feature, INFINITY, numbers, missing);
    } else if (num_ends == 0)
        add_node(b, node->feature, NAN, outside, outside);
    if (num_ends > 0)
        add_intervals(b, &of, 0, num_ends);
}

static void
add_model_node(Build *b, const MlcOnnxTreeNode *node)
{
    double v = node->value;
    MlcOnnxTreeChild yes = node->yes, no = node->no;
    bool to_yes = node->missing_is_yes;
    if (isnan(v) && node->mode < MLC_ONNX_TREE_EQ) // no number compares with NaN
        add_comparison(b, node, INFINITY, no, to_yes ? yes : no, false);
    else if (node->mode == MLC_ONNX_TREE_LEQ)
        add_comparison(b, node, rounded_down(b, v), yes, no, to_yes);
    else if (node->mode == MLC_ONNX_TREE_LT)
        add_comparison(b, node, less_than(b, v), yes, no, to_yes);
    else if (node->mode == MLC_ONNX_TREE_GT)
        add_comparison(b, node, rounded_down(b, v), no, yes, !to_yes);
    else if (node->mode == MLC_ONNX_TREE_GTE)
        add_comparison(b, node, less_than(b, v), no, yes, !to_yes);
    else if (node->mode == MLC_ONNX_TREE_EQ)
        add_set(b, node, &v, 1, yes, no);
    else if (node->mode == MLC_ONNX_TREE_NEQ)
        add_set(b, node, &v, 1, no, yes);
    else
        add_set(b, node, node->members, node->num_members, yes, no);
}

// ---- trees

static void
widen(Range *range, Range by)
{
    range->first = by.first < range->first ? by.first : range->first;
    range->last = by.last > range->last ? by.last : range->last;
}

static bool
reach_leaf(Build *b, size_t tree, int64_t leaf)
{
    if (leaf >= (int64_t)b->trees->num_leaves)
        return mlc_onnx_invalid(b->n, "leaf %" PRId64 " of %zu", leaf, b->trees->num_leaves);
    b->are_shared |= b->owners[leaf] >= 0 && b->owners[leaf] != (int32_t)tree;
    b->owners[leaf] = (int32_t)tree;
    widen(&b->of_tree[tree], b->targets[leaf]);
    return true;
}

static bool
reach(Build *b, size_t tree, MlcOnnxTreeChild child)
{
    if (child < 0)
        return reach_leaf(b, tree, ~child);
    if (child >= (int64_t)b->trees->num_nodes)
        return mlc_onnx_invalid(b->n, "node %" PRId64 " of %zu", child, b->trees->num_nodes);
    if (b->places[child] != -1)
        return mlc_onnx_invalid(b->n, "node %" PRId64 " of its trees is reached twice", child);
    b->places[child] = 0;
    b->queue[b->num_queued++] = child;
    return true;
}

// The nodes of one tree, level by level.
static bool
add_tree(Build *b, size_t tree)
{
    b->num_queued = 0;
    b->of_tree[tree] = (Range){INT32_MAX, -1};
    if (!reach(b, tree, b->trees->roots[tree]))
        return false;
    for (size_t i = 0; i < b->num_queued; i++) {
        const MlcOnnxTreeNode *node = &b->trees->nodes[b->queue[i]];
        if (node->feature < 0 || node->feature >= b->num_features)
            return mlc_onnx_invalid(
                b->n, "node %" PRId64 " of its trees looks at feature %" PRId64 " of %" PRId64,
                b->queue[i], node->feature, b->num_features);
        b->places[b->queue[i]] = (int32_t)b->count;
        add_model_node(b, node);
        if (!reach(b, tree, node->yes) || !reach(b, tree, node->no))
            return false;
    }
    return true;
}

static int32_t
place_of(const Build *b, MlcOnnxTreeChild child)
{
    if (child >= INNER)
        return (int32_t)(child - INNER);
    return child >= 0 ? b->places[child] : (int32_t)((int64_t)b->count + ~child);
}

// ---- weights

static bool
read_targets(Build *b)
{
    const MlcOnnxTrees *t = b->trees;
    for (size_t i = 0; i < t->num_leaves; i++) {
        b->targets[i] = (Range){INT32_MAX, -1};
        b->owners[i] = -1;
    }
    for (size_t i = 0; i < t->num_weights; i++) {
        const MlcOnnxTreeWeight *w = &t->weights[i];
        if (w->target < 0 || w->target >= t->num_targets)
            return mlc_onnx_invalid(b->n, "target %" PRId64 " of %" PRId64, w->target,
                                    t->num_targets);
        if (isinf(w->value) && t->aggregate != MLC_GRAPH_AGGREGATE_SUM)
            return mlc_onnx_unsupported(b->n,
                                        "an infinite weight, and the least or the most of all");
        widen(&b->targets[w->leaf], (Range){(int32_t)w->target, (int32_t)w->target});
    }
    return true;
}

// The first target of each tree; how many the leaves of every tree have weights for.
static int64_t
cut_targets(Build *b, int32_t *firsts)
{
    int64_t width = 1, count = b->trees->num_targets;
    for (size_t t = 0; t < b->trees->num_roots; t++) {
        int64_t own = (int64_t)b->of_tree[t].last - b->of_tree[t].first + 1;
        width = own > width ? own : width;
    }
    width = b->are_shared ? count : width;
    for (size_t t = 0; t < b->trees->num_roots; t++) {
        int64_t first = b->of_tree[t].last < 0 ? 0 : b->of_tree[t].first;
        firsts[t] = (int32_t)(first + width > count ? count - width : first);
    }
    return width;
}

static double
joined(MlcGraphAggregate how, double a, double b)
{
    return how == MLC_GRAPH_AGGREGATE_SUM   ? a + b
           : how == MLC_GRAPH_AGGREGATE_MIN ? fmin(a, b)
                                            : fmax(a, b);
}

static double
nothing(MlcGraphAggregate how)
{
    return how == MLC_GRAPH_AGGREGATE_SUM   ? 0
           : how == MLC_GRAPH_AGGREGATE_MIN ? INFINITY
                                            : -INFINITY;
}

static MlcAttr
floats_attr(MlcOnnxNodeImport *n, MlcType type, const double *numbers, size_t count)
{
    if (mlc_type_bit_width(mlc_type_element(type)) == 64)
        return mlc_dense_attr_get(type, numbers, count * sizeof *numbers, false);
    float *narrow = MLC_NEW_ARRAY(&n->import->arena, float, count + 1);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)numbers[i];
    return mlc_dense_attr_get(type, narrow, count * sizeof *narrow, false);
}

// [leaves, width]; NULL after an error. Two weights of a leaf for one target are put together here.
static MlcAttr
build_weights(Build *b, const int32_t *firsts, int64_t width)
{
    const MlcOnnxTrees *t = b->trees;
    size_t count;
    if (!mlc_mul_size(t->num_leaves, (size_t)width, &count) || count > MAX_WEIGHTS)
        return mlc_onnx_unsupported(b->n, "%zu leaves with %" PRId64 " weights each", t->num_leaves,
                                    width),
               NULL;
    double *weights = MLC_NEW_ARRAY(&b->n->import->arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        weights[i] = nothing(t->aggregate);
    for (size_t i = 0; i < t->num_weights; i++) {
        const MlcOnnxTreeWeight *w = &t->weights[i];
        if (b->owners[w->leaf] < 0) // nothing leads there
            continue;
        double *of = &weights[w->leaf * width + w->target - firsts[b->owners[w->leaf]]];
        *of = joined(t->aggregate, *of, w->value);
    }
    const int64_t shape[] = {(int64_t)t->num_leaves, width};
    bool is_wide = t->are_wide;
    for (size_t i = 0; i < count && !is_wide; i++)
        is_wide = (double)(float)weights[i] != weights[i] && !isnan(weights[i]);
    MlcType element =
        mlc_float_type_get(mlc_onnx_context_of(b->n), is_wide ? MLC_FLOAT_F64 : MLC_FLOAT_F32);
    MlcType type = mlc_tensor_type_get(element, shape, 2, NULL);
    return floats_attr(b->n, type, weights, count);
}

// ---- the op

static MlcAttr
ints_attr(Build *b, const int32_t *numbers, size_t count)
{
    MlcType i32 = mlc_integer_type_get(mlc_onnx_context_of(b->n), 32, MLC_SIGNLESS);
    MlcType type = mlc_tensor_type_get(i32, (int64_t[]){(int64_t)count}, 1, NULL);
    return mlc_dense_attr_get(type, numbers, count * sizeof *numbers, false);
}

static MlcAttr
children_attr(Build *b, const MlcOnnxTreeChild *children)
{
    int32_t *places = MLC_NEW_ARRAY(&b->n->import->arena, int32_t, b->count + 1);
    for (size_t i = 0; i < b->count; i++)
        places[i] = place_of(b, children[i]);
    return ints_attr(b, places, b->count);
}

// As many as the model's nodes become at most: comparisons with both ends of a set's intervals, and
// one for NaN. The file bounds it: 31 bits hold the places.
static size_t
room_for_nodes(const MlcOnnxTrees *trees)
{
    size_t room = 1;
    for (size_t i = 0; i < trees->num_nodes; i++)
        room += trees->nodes[i].mode == MLC_ONNX_TREE_MEMBER ? 2 * trees->nodes[i].num_members + 2
                : trees->nodes[i].mode >= MLC_ONNX_TREE_EQ   ? 4
                                                             : 1;
    return room;
}

static void
make_room(Build *b)
{
    MlcArena *arena = &b->n->import->arena;
    const MlcOnnxTrees *t = b->trees;
    size_t room = room_for_nodes(t);
    b->thresholds = MLC_NEW_ARRAY(arena, double, room);
    b->features = MLC_NEW_ARRAY(arena, int32_t, room);
    b->left = MLC_NEW_ARRAY(arena, MlcOnnxTreeChild, room);
    b->right = MLC_NEW_ARRAY(arena, MlcOnnxTreeChild, room);
    b->places = MLC_NEW_ARRAY(arena, int32_t, t->num_nodes + 1);
    b->queue = MLC_NEW_ARRAY(arena, int64_t, t->num_nodes + 1);
    b->targets = MLC_NEW_ARRAY(arena, Range, t->num_leaves + 1);
    b->owners = MLC_NEW_ARRAY(arena, int32_t, t->num_leaves + 1);
    b->of_tree = MLC_NEW_ARRAY(arena, Range, t->num_roots + 1);
    for (size_t i = 0; i < t->num_nodes; i++)
        b->places[i] = -1;
}

static bool
add_attrs(Build *b, MlcOnnxAttrs *attrs, MlcType element)
{
    const MlcOnnxTrees *t = b->trees;
    MlcOnnxNodeImport *n = b->n;
    int32_t *firsts = MLC_NEW_ARRAY(&n->import->arena, int32_t, t->num_roots + 1);
    int32_t *roots = MLC_NEW_ARRAY(&n->import->arena, int32_t, t->num_roots + 1);
    MlcAttr weights = build_weights(b, firsts, cut_targets(b, firsts));
    if (!weights)
        return false;
    for (size_t i = 0; i < t->num_roots; i++)
        roots[i] = place_of(b, t->roots[i]);
    MlcType type = mlc_tensor_type_get(element, (int64_t[]){(int64_t)b->count}, 1, NULL);
    mlc_onnx_add_attr(n, attrs, "thresholds", floats_attr(n, type, b->thresholds, b->count));
    mlc_onnx_add_attr(n, attrs, "features", ints_attr(b, b->features, b->count));
    mlc_onnx_add_attr(n, attrs, "left", children_attr(b, b->left));
    mlc_onnx_add_attr(n, attrs, "right", children_attr(b, b->right));
    mlc_onnx_add_attr(n, attrs, "roots", ints_attr(b, roots, t->num_roots));
    mlc_onnx_add_attr(n, attrs, "targets", ints_attr(b, firsts, t->num_roots));
    mlc_onnx_add_attr(n, attrs, "weights", weights);
    mlc_onnx_add_int(n, attrs, "num_targets", t->num_targets);
    mlc_onnx_add_attr(n, attrs, "aggregate",
                      mlc_enum_attr_get(mlc_onnx_context_of(n), &mlc_graph_aggregate_attr_def,
                                        (int64_t)t->aggregate));
    return true;
}

// Of rows of an open number of features the first ones, as many as trees look at. There are so
// many, or it is an error when the model runs.
static MlcValue *
cut_rows(MlcOnnxNodeImport *n, const MlcOnnxTrees *trees, MlcValue *rows)
{
    MlcContext *ctx = mlc_onnx_context_of(n);
    int64_t count = 1;
    for (size_t i = 0; i < trees->num_nodes; i++)
        if (trees->nodes[i].feature >= count)
            count = trees->nodes[i].feature < MAX_FEATURES ? trees->nodes[i].feature + 1 : count;
    MlcAttr shape[] = {mlc_size_of_dim(mlc_value_type(rows), 0), mlc_size_number(ctx, count)};
    if (!shape[0])
        return mlc_onnx_unknown_size(n, 0), NULL;
    rows = mlc_onnx_slice_to(n, rows, mlc_size_number(ctx, 0), shape[1], 1);
    return rows ? mlc_onnx_reshape_to(n, rows, &(MlcOnnxSizes){shape, 2}) : NULL;
}

MlcValue *
mlc_onnx_build_trees(MlcOnnxNodeImport *n, const MlcOnnxTrees *trees, MlcValue *rows)
{
    if (mlc_type_dim(mlc_value_type(rows), 1) == MLC_DYNAMIC && !(rows = cut_rows(n, trees, rows)))
        return NULL;
    MlcType type = mlc_value_type(rows), element = mlc_type_element(type);
    MlcOnnxAttrs attrs = {0};
    Build b = {.n = n,
               .trees = trees,
               .is_wide = element == mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64),
               .num_features = mlc_type_dim(type, 1)};
    if (trees->num_targets < 1 || trees->num_targets > MAX_TARGETS)
        return mlc_onnx_unsupported(n, "%" PRId64 " targets", trees->num_targets), NULL;
    make_room(&b);
    if (!read_targets(&b))
        return NULL;
    for (size_t t = 0; t < trees->num_roots; t++)
        if (!add_tree(&b, t))
            return NULL;
    if (!add_attrs(&b, &attrs, element))
        return NULL;
    if (b.has_negatives)
        rows = mlc_onnx_concat(
            n, (MlcValue *[]){rows, mlc_onnx_build_one(n, &mlc_graph_neg_def, rows)}, 2, 1);
    MlcType f64 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F64);
    MlcValue *sums =
        rows ? mlc_onnx_build_typed(n, &mlc_graph_tree_ensemble_def, f64, &rows, 1, &attrs) : NULL;
    if (!sums || trees->aggregate == MLC_GRAPH_AGGREGATE_SUM)
        return sums;
    // A target of which no tree has a number.
    MlcValue *is_none = mlc_onnx_compare(n, &mlc_graph_equal_def, sums,
                                         mlc_onnx_build_number(n, f64, nothing(trees->aggregate)));
    return mlc_onnx_select(n, is_none, mlc_onnx_build_number(n, f64, 0), sums);
}
