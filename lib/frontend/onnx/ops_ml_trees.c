// ops_ml_trees.c -- ONNX operators of the domain ai.onnx.ml: ensembles of trees.
//
// The older operators name a node by a tree and a number in it, and leaves are nodes; TreeEnsemble
// counts nodes and leaves through. Both become MlcOnnxTrees. Sums are made in f64, in the order of
// the trees, and rounded once.
#include "ml.h"
#include "trees.h"

#include <inttypes.h>
#include <stdlib.h>

// ---- lists of numbers

// Numbers of an attribute that is a list of floats, or a tensor of f32, f64 or 8 bits.
typedef struct Numbers {
    double *items;
    size_t count;
    bool is_given, is_wide; // a tensor of f64
} Numbers;

static bool
read_tensor(MlcOnnxNodeImport *n, const char *name, Numbers *numbers)
{
    bool ok = true;
    size_t bytes;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_TENSOR, &ok);
    if (!a || !a->t)
        return ok;
    MlcValue *constant = mlc_onnx_build_tensor(n, a->t);
    if (!constant)
        return false;
    MlcAttr value = mlc_value_constant(constant);
    MlcType type = mlc_attr_type(value), element = mlc_type_element(type);
    unsigned width = mlc_type_bit_width(element);
    bool is_float = mlc_type_is_float(element);
    if (mlc_type_rank(type) != 1 || (is_float ? width < 16 : width != 8))
        return mlc_onnx_invalid(n, "attribute '%s' has type %s", name, mlc_type_text(type));
    const char *data = mlc_elements_attr_data(value, &bytes);
    numbers->count = (size_t)mlc_type_num_elements(type);
    numbers->items = MLC_NEW_ARRAY(&n->import->arena, double, numbers->count + 1);
    numbers->is_given = true;
    numbers->is_wide = width == 64;
    bool is_splat = mlc_elements_attr_is_splat(value);
    for (size_t i = 0; i < numbers->count; i++) {
        const char *at = data + (is_splat ? 0 : i) * (width / 8);
        float narrow = 0;
        if (width == 64)
            memcpy(&numbers->items[i], at, 8);
        else if (width == 32)
            numbers->items[i] = (memcpy(&narrow, at, 4), (double)narrow);
        else
            numbers->items[i] = is_float
                                    ? mlc_float_attr_as_double(mlc_elements_attr_element(value, i))
                                    : (double)(unsigned char)*at;
    }
    mlc_op_erase(mlc_value_def(constant));
    return true;
}

static bool
read_numbers(MlcOnnxNodeImport *n, const char *name, const char *as_tensor, Numbers *numbers)
{
    MlcOnnxFloats floats = {0};
    if (!mlc_onnx_read_floats(n, name, &floats) || !read_tensor(n, as_tensor, numbers))
        return false;
    if (numbers->is_given || floats.count == 0)
        return !numbers->is_given || floats.count == 0 ||
               mlc_onnx_invalid(n, "attributes '%s' and '%s' are both given", name, as_tensor);
    numbers->is_given = true;
    numbers->count = floats.count;
    numbers->items = MLC_NEW_ARRAY(&n->import->arena, double, floats.count);
    for (size_t i = 0; i < floats.count; i++)
        numbers->items[i] = (double)mlc_onnx_float_at(floats, i);
    return true;
}

// Integers, as many as `count`.
static bool
read_all(MlcOnnxNodeImport *n, const char *name, size_t count, MlcOnnxInts *list)
{
    if (!mlc_onnx_read_ints(n, name, list))
        return false;
    return list->count == count ||
           mlc_onnx_invalid(n, "attribute '%s' has %zu elements, expected %zu", name, list->count,
                            count);
}

static bool
check_count(MlcOnnxNodeImport *n, const char *name, const Numbers *numbers, size_t count)
{
    return numbers->count == count ||
           mlc_onnx_invalid(n, "attribute '%s' has %zu elements, expected %zu", name,
                            numbers->count, count);
}

// ---- the older form: nodes by tree and number

typedef struct Key {
    int64_t tree, number;
    size_t node;
} Key;

static int
compare_keys(const void *a, const void *b)
{
    const Key *x = a, *y = b;
    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

typedef struct Keys {
    const Key *items; // sorted
    size_t count;
    const MlcOnnxTreeChild *children; // what each node is: itself, or a leaf
} Keys;

static const Key *
find_key(const Keys *keys, int64_t tree, int64_t number)
{
    Key key = {tree, number, 0};
    return keys->count ? bsearch(&key, keys->items, keys->count, sizeof key, compare_keys) : NULL;
}

static bool
sort_keys(MlcOnnxNodeImport *n, MlcOnnxInts trees, MlcOnnxInts numbers, Keys *keys)
{
    Key *items = MLC_NEW_ARRAY(&n->import->arena, Key, trees.count + 1);
    for (size_t i = 0; i < trees.count; i++)
        items[i] = (Key){trees.items[i], numbers.items[i], i};
    if (trees.count > 1)
        qsort(items, trees.count, sizeof *items, compare_keys);
    for (size_t i = 1; i < trees.count; i++)
        if (compare_keys(&items[i], &items[i - 1]) == 0)
            return mlc_onnx_invalid(n, "node %" PRId64 " of tree %" PRId64 " is there twice",
                                    items[i].number, items[i].tree);
    *keys = (Keys){.items = items, .count = trees.count};
    return true;
}

static bool
read_mode(MlcOnnxNodeImport *n, MlcStr name, MlcOnnxTreeMode *mode)
{
    static const char *const names[] = {
        [MLC_ONNX_TREE_LEQ] = "BRANCH_LEQ", [MLC_ONNX_TREE_LT] = "BRANCH_LT",
        [MLC_ONNX_TREE_GTE] = "BRANCH_GTE", [MLC_ONNX_TREE_GT] = "BRANCH_GT",
        [MLC_ONNX_TREE_EQ] = "BRANCH_EQ",   [MLC_ONNX_TREE_NEQ] = "BRANCH_NEQ",
        [MLC_ONNX_TREE_LEAF] = "LEAF",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && mlc_str_equal(name, mlc_str(names[i])))
            return *mode = (MlcOnnxTreeMode)i, true;
    return mlc_onnx_invalid(n, "a node's mode is '%.*s'", MLC_STR_FMT(name));
}

static bool
find_child(MlcOnnxNodeImport *n, const Keys *keys, int64_t tree, int64_t number,
           MlcOnnxTreeChild *child)
{
    const Key *key = find_key(keys, tree, number);
    if (!key)
        return mlc_onnx_invalid(n, "tree %" PRId64 " has no node %" PRId64, tree, number);
    *child = keys->children[key->node];
    return true;
}

// Modes, and which nodes are leaves.
static bool
read_modes(MlcOnnxNodeImport *n, MlcOnnxTrees *trees, MlcOnnxTreeChild *children)
{
    MlcOnnxStrs modes = {0};
    if (!mlc_onnx_read_strings(n, "nodes_modes", &modes))
        return false;
    if (modes.count != trees->num_nodes)
        return mlc_onnx_invalid(n, "attribute 'nodes_modes' has %zu elements, expected %zu",
                                modes.count, trees->num_nodes);
    for (size_t i = 0; i < trees->num_nodes; i++) {
        if (!read_mode(n, modes.items[i], &trees->nodes[i].mode))
            return false;
        children[i] =
            trees->nodes[i].mode == MLC_ONNX_TREE_LEAF ? ~(int64_t)trees->num_leaves++ : (int64_t)i;
    }
    return true;
}

// The first node of each tree, in the order of the list.
static void
find_roots(MlcOnnxNodeImport *n, MlcOnnxInts of_trees, const Keys *keys, MlcOnnxTrees *trees)
{
    bool *is_root = MLC_NEW_ARRAY(&n->import->arena, bool, keys->count + 1);
    trees->roots = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeChild, keys->count + 1);
    for (size_t i = 0, first = 0; i < keys->count; i++) {
        if (i == 0 || keys->items[i].tree != keys->items[i - 1].tree)
            first = keys->items[i].node;
        first = keys->items[i].node < first ? keys->items[i].node : first;
        if (i + 1 == keys->count || keys->items[i].tree != keys->items[i + 1].tree)
            is_root[first] = true;
    }
    for (size_t i = 0; i < of_trees.count; i++)
        if (is_root[i])
            trees->roots[trees->num_roots++] = keys->children[i];
}

static bool
read_nodes(MlcOnnxNodeImport *n, MlcOnnxTrees *trees, Keys *keys)
{
    MlcOnnxInts of_trees = {0}, numbers, features, yes, no, missing = {0};
    Numbers values = {0};
    if (!mlc_onnx_read_ints(n, "nodes_treeids", &of_trees))
        return false;
    size_t count = trees->num_nodes = of_trees.count;
    MlcOnnxTreeChild *children = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeChild, count + 1);
    trees->nodes = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeNode, count + 1);
    numbers = features = yes = no = (MlcOnnxInts){0};
    if (!read_all(n, "nodes_nodeids", count, &numbers) ||
        !read_all(n, "nodes_featureids", count, &features) ||
        !read_all(n, "nodes_truenodeids", count, &yes) ||
        !read_all(n, "nodes_falsenodeids", count, &no) ||
        !mlc_onnx_read_ints(n, "nodes_missing_value_tracks_true", &missing) ||
        !read_numbers(n, "nodes_values", "nodes_values_as_tensor", &values) ||
        !check_count(n, "nodes_values", &values, count) || !sort_keys(n, of_trees, numbers, keys) ||
        !read_modes(n, trees, children))
        return false;
    if (missing.count && !read_all(n, "nodes_missing_value_tracks_true", count, &missing))
        return false;
    keys->children = children;
    for (size_t i = 0; i < count; i++) {
        MlcOnnxTreeNode *node = &trees->nodes[i];
        node->feature = features.items[i];
        node->value = values.items[i];
        node->missing_is_yes = missing.count && missing.items[i] != 0;
        if (node->mode != MLC_ONNX_TREE_LEAF &&
            (!find_child(n, keys, of_trees.items[i], yes.items[i], &node->yes) ||
             !find_child(n, keys, of_trees.items[i], no.items[i], &node->no)))
            return false;
    }
    find_roots(n, of_trees, keys, trees);
    return true;
}

// Weights by tree, node and target, under names that begin with `what`.
static bool
read_weights(MlcOnnxNodeImport *n, const char *what, const Keys *keys, MlcOnnxTrees *trees)
{
    MlcArena *arena = &n->import->arena;
    MlcOnnxInts of_trees = {0}, numbers = {0}, targets = {0};
    Numbers values = {0};
    const char *name = mlc_arena_printf(arena, "%s_weights", what).data;
    if (!mlc_onnx_read_ints(n, mlc_arena_printf(arena, "%s_treeids", what).data, &of_trees))
        return false;
    size_t count = trees->num_weights = of_trees.count;
    if (!read_all(n, mlc_arena_printf(arena, "%s_nodeids", what).data, count, &numbers) ||
        !read_all(n, mlc_arena_printf(arena, "%s_ids", what).data, count, &targets) ||
        !read_numbers(n, name, mlc_arena_printf(arena, "%s_as_tensor", name).data, &values) ||
        !check_count(n, name, &values, count))
        return false;
    trees->are_wide = values.is_wide;
    trees->weights = MLC_NEW_ARRAY(arena, MlcOnnxTreeWeight, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Key *key = find_key(keys, of_trees.items[i], numbers.items[i]);
        MlcOnnxTreeChild child = key ? keys->children[key->node] : 0;
        if (!key || child >= 0)
            return mlc_onnx_invalid(n, "tree %" PRId64 " has no leaf %" PRId64, of_trees.items[i],
                                    numbers.items[i]);
        trees->weights[i] = (MlcOnnxTreeWeight){~child, targets.items[i], values.items[i]};
    }
    return true;
}

// What is added to each target; one number is added to all.
static MlcValue *
add_base(MlcOnnxNodeImport *n, MlcValue *sums, int64_t num_targets)
{
    Numbers base = {0};
    if (!sums || !read_numbers(n, "base_values", "base_values_as_tensor", &base))
        return NULL;
    if (!base.is_given)
        return sums;
    int64_t count = (int64_t)base.count;
    if (count != 1 && count != num_targets)
        return mlc_onnx_invalid(n,
                                "attribute 'base_values' has %zu elements for %" PRId64 " targets",
                                base.count, num_targets),
               NULL;
    return mlc_onnx_build_two(n, &mlc_graph_add_def, sums,
                              mlc_onnx_build_floats(n, mlc_onnx_f64(n), base.items, &count, 1));
}

// f64 rows of integers, which f64 holds up to 2^53.
static MlcValue *
tree_rows(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    if (!mlc_type_is_float(element))
        n->inputs[0] = mlc_onnx_cast(n, n->inputs[0], mlc_onnx_f64(n));
    return n->inputs[0] ? mlc_onnx_open_rows(n) : NULL;
}

// The sums of all trees, or their mean, or the least or greatest.
static MlcValue *
aggregated(MlcOnnxNodeImport *n, MlcOnnxTrees *trees, MlcValue *rows, bool is_mean)
{
    MlcValue *sums = mlc_onnx_build_trees(n, trees, rows);
    return is_mean && trees->num_roots > 0
               ? mlc_onnx_build_with(n, &mlc_graph_div_def, sums, (double)trees->num_roots)
               : sums;
}

static bool
read_aggregate(MlcOnnxNodeImport *n, MlcOnnxTrees *trees, bool *is_mean)
{
    MlcStr name = mlc_str("SUM");
    if (!mlc_onnx_read_str(n, "aggregate_function", &name))
        return false;
    *is_mean = mlc_str_equal(name, mlc_str("AVERAGE"));
    if (mlc_str_equal(name, mlc_str("MIN")))
        trees->aggregate = MLC_GRAPH_AGGREGATE_MIN;
    else if (mlc_str_equal(name, mlc_str("MAX")))
        trees->aggregate = MLC_GRAPH_AGGREGATE_MAX;
    else if (!*is_mean && !mlc_str_equal(name, mlc_str("SUM")))
        return mlc_onnx_invalid(n, "attribute 'aggregate_function' is '%.*s'", MLC_STR_FMT(name));
    return true;
}

static bool
import_tree_regressor(MlcOnnxNodeImport *n)
{
    MlcOnnxTrees trees = {.num_targets = 1};
    MlcOnnxPost post;
    Keys keys = {0};
    bool is_mean = false;
    MlcValue *rows = tree_rows(n);
    if (!rows || !mlc_onnx_read_int(n, "n_targets", &trees.num_targets) ||
        !mlc_onnx_read_post(n, &post) || !read_aggregate(n, &trees, &is_mean) ||
        !read_nodes(n, &trees, &keys) || !read_weights(n, "target", &keys, &trees))
        return false;
    MlcValue *sums = add_base(n, aggregated(n, &trees, rows, is_mean), trees.num_targets);
    sums = mlc_onnx_cast(n, sums, mlc_onnx_f32(n));
    return mlc_onnx_set_result(n, mlc_onnx_post_transform(n, sums, post));
}

// Two classes of which the leaves have weights for one only.
static bool
is_binary(const MlcOnnxClasses *classes, const MlcOnnxTrees *trees)
{
    for (size_t i = 1; i < trees->num_weights; i++)
        if (trees->weights[i].target != trees->weights[0].target)
            return false;
    return classes->count == 2 && trees->num_weights > 0;
}

static bool
import_tree_classifier(MlcOnnxNodeImport *n)
{
    MlcOnnxTrees trees = {0};
    MlcOnnxClasses classes = {0};
    MlcOnnxPost post;
    Keys keys = {0};
    MlcValue *rows = tree_rows(n);
    if (!rows || !mlc_onnx_read_post(n, &post) ||
        !mlc_onnx_read_classes(n, "classlabels_int64s", "classlabels_strings", &classes) ||
        !read_nodes(n, &trees, &keys) || !read_weights(n, "class", &keys, &trees))
        return false;
    trees.num_targets = (int64_t)classes.count;
    bool is_one_score = is_binary(&classes, &trees), are_positive = true;
    for (size_t i = 0; i < trees.num_weights; i++)
        are_positive &= trees.weights[i].value >= 0;
    MlcValue *sums = add_base(n, aggregated(n, &trees, rows, false), trees.num_targets);
    sums = mlc_onnx_cast(n, sums, mlc_onnx_f32(n));
    if (!sums)
        return false;
    if (!is_one_score) // one class: its score as it is, as in onnxruntime
        return mlc_onnx_set_classes(n, &classes, sums, 0,
                                    classes.count == 1 ? sums
                                                       : mlc_onnx_post_transform(n, sums, post));
    int64_t target = trees.weights[0].target;
    MlcValue *score = mlc_onnx_columns(n, sums, target, target + 1);
    return mlc_onnx_set_classes(n, &classes, score, are_positive ? 0.5 : 0,
                                mlc_onnx_binary_scores(n, score, are_positive, post));
}

// ---- TreeEnsemble

// The members of each node that has a set, one list behind the other, with a NaN behind each.
static bool
read_members(MlcOnnxNodeImport *n, MlcOnnxTrees *trees)
{
    Numbers members = {0};
    size_t at = 0;
    if (!read_tensor(n, "membership_values", &members))
        return false;
    for (size_t i = 0; i < trees->num_nodes; i++) {
        MlcOnnxTreeNode *node = &trees->nodes[i];
        if (node->mode != MLC_ONNX_TREE_MEMBER)
            continue;
        size_t begin = at;
        while (at < members.count && members.items[at] == members.items[at])
            at++;
        if (at == members.count)
            return mlc_onnx_invalid(n, "attribute 'membership_values' has no set for node %zu", i);
        node->members = members.items + begin;
        node->num_members = at++ - begin;
    }
    return at == members.count ||
           mlc_onnx_invalid(n, "attribute 'membership_values' has more sets than nodes");
}

static MlcOnnxTreeChild
as_child(int64_t place, bool is_leaf)
{
    // What is below 0 is out of range for nodes and leaves alike: no node has that number.
    return place < 0 ? INT64_MAX : is_leaf ? ~place : place;
}

static bool
read_splits(MlcOnnxNodeImport *n, MlcOnnxTrees *trees)
{
    MlcOnnxInts features = {0}, yes = {0}, no = {0}, yes_is_leaf = {0}, no_is_leaf = {0},
                missing = {0};
    Numbers values = {0}, modes = {0};
    if (!mlc_onnx_read_ints(n, "nodes_featureids", &features))
        return false;
    size_t count = trees->num_nodes = features.count;
    if (!read_tensor(n, "nodes_splits", &values) || !read_tensor(n, "nodes_modes", &modes) ||
        !check_count(n, "nodes_splits", &values, count) ||
        !check_count(n, "nodes_modes", &modes, count) ||
        !read_all(n, "nodes_truenodeids", count, &yes) ||
        !read_all(n, "nodes_falsenodeids", count, &no) ||
        !read_all(n, "nodes_trueleafs", count, &yes_is_leaf) ||
        !read_all(n, "nodes_falseleafs", count, &no_is_leaf) ||
        !mlc_onnx_read_ints(n, "nodes_missing_value_tracks_true", &missing) ||
        (missing.count && !read_all(n, "nodes_missing_value_tracks_true", count, &missing)))
        return false;
    trees->nodes = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeNode, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (modes.items[i] > MLC_ONNX_TREE_MEMBER)
            return mlc_onnx_invalid(n, "a node's mode is %g", modes.items[i]);
        trees->nodes[i] =
            (MlcOnnxTreeNode){.mode = (MlcOnnxTreeMode)modes.items[i],
                              .feature = features.items[i],
                              .value = values.items[i],
                              .missing_is_yes = missing.count && missing.items[i] != 0,
                              .yes = as_child(yes.items[i], yes_is_leaf.items[i] != 0),
                              .no = as_child(no.items[i], no_is_leaf.items[i] != 0)};
    }
    return read_members(n, trees);
}

static bool
read_leaves(MlcOnnxNodeImport *n, MlcOnnxTrees *trees)
{
    MlcOnnxInts targets = {0}, roots = {0};
    Numbers weights = {0};
    if (!mlc_onnx_read_ints(n, "leaf_targetids", &targets) ||
        !mlc_onnx_read_ints(n, "tree_roots", &roots) || !read_tensor(n, "leaf_weights", &weights) ||
        !check_count(n, "leaf_weights", &weights, targets.count))
        return false;
    trees->num_leaves = trees->num_weights = targets.count;
    trees->are_wide = weights.is_wide;
    trees->weights = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeWeight, targets.count + 1);
    for (size_t i = 0; i < targets.count; i++)
        trees->weights[i] = (MlcOnnxTreeWeight){(int64_t)i, targets.items[i], weights.items[i]};
    trees->num_roots = roots.count;
    trees->roots = MLC_NEW_ARRAY(&n->import->arena, MlcOnnxTreeChild, roots.count + 1);
    for (size_t i = 0; i < roots.count; i++)
        trees->roots[i] = as_child(roots.items[i], false);
    return true;
}

static bool
import_tree_ensemble(MlcOnnxNodeImport *n)
{
    enum { AVERAGE, SUM, MIN, MAX };
    MlcOnnxTrees trees = {.num_targets = 1};
    MlcType element = mlc_type_element(mlc_value_type(n->inputs[0]));
    int64_t how = SUM, post = 0;
    // In the order of the numbers.
    static const MlcOnnxPost posts[] = {MLC_ONNX_POST_NONE, MLC_ONNX_POST_SOFTMAX,
                                        MLC_ONNX_POST_LOGISTIC, MLC_ONNX_POST_SOFTMAX_ZERO,
                                        MLC_ONNX_POST_PROBIT};
    MlcValue *rows = tree_rows(n);
    if (!rows || !mlc_onnx_read_int(n, "n_targets", &trees.num_targets) ||
        !mlc_onnx_read_int(n, "aggregate_function", &how) ||
        !mlc_onnx_read_int(n, "post_transform", &post) || !read_splits(n, &trees) ||
        !read_leaves(n, &trees))
        return false;
    if (how < AVERAGE || how > MAX)
        return mlc_onnx_invalid(n, "attribute 'aggregate_function' is %" PRId64, how);
    if (post < 0 || post > 4)
        return mlc_onnx_invalid(n, "attribute 'post_transform' is %" PRId64, post);
    trees.aggregate = how == MIN   ? MLC_GRAPH_AGGREGATE_MIN
                      : how == MAX ? MLC_GRAPH_AGGREGATE_MAX
                                   : MLC_GRAPH_AGGREGATE_SUM;
    MlcValue *sums = aggregated(n, &trees, rows, how == AVERAGE);
    sums = mlc_onnx_cast(n, sums, element);
    return mlc_onnx_set_result(n, mlc_onnx_post_transform(n, sums, posts[post]));
}

static const MlcOnnxOperator rows[] = {
    {"TreeEnsemble", 5, MLC_ONNX_NEWEST, 1, 1, .import = import_tree_ensemble},
    {"TreeEnsembleClassifier", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_tree_classifier},
    {"TreeEnsembleRegressor", 1, MLC_ONNX_NEWEST, 1, 1, .import = import_tree_regressor},
};
const MlcOnnxOperators mlc_onnx_ml_trees = MLC_ONNX_OPERATORS(rows);
