// trees.c -- graph.tree_ensemble: which attributes are trees, and what they mean.
//
// A tree's nodes stand together and children behind their parents. So one pass over the nodes
// proves that every walk ends, and no list, however made, costs more.
#include "trees.h"

#include "mlc/dialects/graph_geometry.h"

#include "mlc/dialects/graph.h"
#include "mlc/ir.h"
#include "mlc/ir/eval.h"

#include <inttypes.h>
#include <math.h>

// ---- attributes

static MlcGraphNumbers
numbers_of(const MlcOp *op, const char *name)
{
    MlcAttr attr = mlc_op_attr(op, name);
    MlcType type = mlc_attr_type(attr);
    size_t size;
    return (MlcGraphNumbers){.data = mlc_elements_attr_data(attr, &size),
                             .count = (size_t)mlc_type_num_elements(type),
                             .bytes = mlc_elements_attr_element_bytes(mlc_type_element(type)),
                             .is_splat = mlc_elements_attr_is_splat(attr)};
}

void
mlc_graph_trees(const MlcOp *op, MlcGraphTrees *trees)
{
    *trees = (MlcGraphTrees){.thresholds = numbers_of(op, "thresholds"),
                             .features = numbers_of(op, "features"),
                             .left = numbers_of(op, "left"),
                             .right = numbers_of(op, "right"),
                             .roots = numbers_of(op, "roots"),
                             .targets = numbers_of(op, "targets"),
                             .weights = numbers_of(op, "weights")};
    MlcType weights = mlc_attr_type(mlc_op_attr(op, "weights"));
    trees->num_nodes = trees->features.count;
    trees->num_trees = trees->roots.count;
    trees->num_leaves = (size_t)mlc_type_dim(weights, 0);
    trees->width = (size_t)mlc_type_dim(weights, 1);
}

size_t
mlc_graph_trees_end(const MlcGraphTrees *trees, size_t t)
{
    while (++t < trees->num_trees) {
        size_t root = (size_t)mlc_graph_numbers_int(&trees->roots, t);
        if (root < trees->num_nodes)
            return root;
    }
    return trees->num_nodes;
}

// ---- verification

static bool
check_list(MlcOp *op, const char *name, MlcType element, size_t rank, int64_t size)
{
    MlcAttr attr = mlc_op_attr(op, name);
    MlcType type = mlc_attr_type(attr);
    size_t bytes;
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type) ||
        mlc_type_rank(type) != rank || mlc_type_element(type) != element ||
        (size >= 0 && mlc_type_dim(type, 0) != size))
        return mlc_op_error(op, "'%s' has type %s", name, mlc_type_text(type));
    if (mlc_type_num_elements(type) > INT32_MAX)
        return mlc_op_error(op, "'%s' has more than %d elements", name, INT32_MAX);
    return mlc_elements_attr_data(attr, &bytes) || mlc_type_num_elements(type) == 0 ||
           mlc_op_error(op, "'%s' has no elements", name);
}

static bool
check_lists(MlcOp *op)
{
    MlcContext *ctx = mlc_op_context(op);
    MlcType i32 = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    MlcType f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32);
    MlcType f64 = mlc_float_type_get(ctx, MLC_FLOAT_F64);
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_operand(op, 0)));
    MlcType weights = mlc_type_element(mlc_attr_type(mlc_op_attr(op, "weights")));
    if (element != f32 && element != f64)
        return mlc_op_error(op, "operand has elements of type %s, expected f32 or f64",
                            mlc_type_text(element));
    if (!check_list(op, "features", i32, 1, -1) || !check_list(op, "roots", i32, 1, -1) ||
        !check_list(op, "weights", weights == f64 ? f64 : f32, 2, -1))
        return false;
    int64_t nodes = mlc_type_num_elements(mlc_attr_type(mlc_op_attr(op, "features")));
    int64_t trees = mlc_type_num_elements(mlc_attr_type(mlc_op_attr(op, "roots")));
    return check_list(op, "thresholds", element, 1, nodes) &&
           check_list(op, "left", i32, 1, nodes) && check_list(op, "right", i32, 1, nodes) &&
           check_list(op, "targets", i32, 1, trees);
}

// Of a node whose tree ends before `end`.
static bool
check_child(MlcOp *op, const MlcGraphTrees *trees, const char *name,
            const MlcGraphNumbers *children, size_t node, size_t end)
{
    int64_t child = mlc_graph_numbers_int(children, node), nodes = (int64_t)trees->num_nodes;
    bool is_node = child > (int64_t)node && child < (int64_t)end;
    bool is_leaf = child >= nodes && child < nodes + (int64_t)trees->num_leaves;
    return is_node || is_leaf ||
           mlc_op_error(
               op, "'%s' of node %zu is %" PRId64 ", expected a later node of its tree or a leaf",
               name, node, child);
}

static bool
check_tree(MlcOp *op, const MlcGraphTrees *trees, size_t root, size_t end, int64_t num_features)
{
    for (size_t i = root; i < end; i++) {
        int32_t feature = mlc_graph_numbers_int(&trees->features, i);
        if (feature < 0 || feature >= num_features)
            return mlc_op_error(op, "node %zu looks at feature %d of %" PRId64, i, (int)feature,
                                num_features);
        if (!check_child(op, trees, "left", &trees->left, i, end) ||
            !check_child(op, trees, "right", &trees->right, i, end))
            return false;
    }
    return true;
}

bool
mlc_graph_trees_verify(MlcOp *op)
{
    MlcGraphTrees trees;
    MlcType input = mlc_value_type(mlc_op_operand(op, 0));
    int64_t num_targets = mlc_graph_tree_ensemble_num_targets(op);
    if (!mlc_type_has_rank(input) || mlc_type_dim(input, 1) == MLC_DYNAMIC)
        return mlc_op_error(op, "operand has type %s, expected a known number of columns",
                            mlc_type_text(input));
    int64_t num_features = mlc_type_dim(input, 1);
    if (num_targets < 1 || num_targets > INT32_MAX)
        return mlc_op_error(op, "'num_targets' is %" PRId64, num_targets);
    if (!check_lists(op))
        return false;
    mlc_graph_trees(op, &trees);
    size_t done = 0, all = trees.num_nodes + trees.num_leaves;
    for (size_t t = 0; t < trees.num_trees; t++) {
        int64_t root = mlc_graph_numbers_int(&trees.roots, t);
        int64_t target = mlc_graph_numbers_int(&trees.targets, t);
        bool is_leaf = root >= (int64_t)trees.num_nodes;
        if (root < 0 || root >= (int64_t)all || (!is_leaf && (size_t)root != done))
            return mlc_op_error(op,
                                "the root of tree %zu is %" PRId64
                                ", expected the first node behind those of trees before it, "
                                "or a leaf",
                                t, root);
        if (target < 0 || target + (int64_t)trees.width > num_targets)
            return mlc_op_error(op, "tree %zu has targets from %" PRId64 " on, %zu of %" PRId64, t,
                                target, trees.width, num_targets);
        if (is_leaf)
            continue;
        // Roots that are nodes come in order, or the next tree is refused.
        size_t end = mlc_graph_trees_end(&trees, t);
        if (end <= (size_t)root || !check_tree(op, &trees, (size_t)root, end, num_features))
            return end > (size_t)root ? false
                                      : mlc_op_error(op, "the roots of trees are not in order");
        done = end;
    }
    return done == trees.num_nodes ||
           mlc_op_error(op, "%zu nodes are of no tree", trees.num_nodes - done);
}

// ---- meaning

static double
number_at(const MlcDatum *datum, size_t i)
{
    MlcDatum element;
    mlc_datum_element(NULL, datum, i, &element);
    return mlc_datum_as_double(&element);
}

// The leaf where the row ends that begins at element `row`.
static size_t
find_leaf(const MlcGraphTrees *trees, size_t t, const MlcDatum *x, size_t row)
{
    size_t at = (size_t)mlc_graph_numbers_int(&trees->roots, t);
    while (at < trees->num_nodes) {
        double number = number_at(x, row + (size_t)mlc_graph_numbers_int(&trees->features, at));
        bool is_left = number <= mlc_graph_numbers_float(&trees->thresholds, at);
        at = (size_t)mlc_graph_numbers_int(is_left ? &trees->left : &trees->right, at);
    }
    return at - trees->num_nodes;
}

static double
put_together(MlcGraphAggregate how, double sum, double number)
{
    switch (how) {
    case MLC_GRAPH_AGGREGATE_MIN:
        return number < sum ? number : sum;
    case MLC_GRAPH_AGGREGATE_MAX:
        return number > sum ? number : sum;
    default:
        return sum + number;
    }
}

bool
mlc_graph_tree_ensemble_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcGraphTrees trees;
    MlcGraphAggregate how = mlc_graph_tree_ensemble_aggregate(op);
    const int64_t *dims = operands[0].elements.shape;
    int64_t num_targets = mlc_graph_tree_ensemble_num_targets(op);
    MlcType f64 = mlc_float_type_get(mlc_op_context(op), MLC_FLOAT_F64);
    MlcType type = mlc_tensor_type_get(f64, (int64_t[]){dims[0], num_targets}, 2, NULL);
    mlc_graph_trees(op, &trees);
    if (!mlc_eval_elements(e, op, type, NULL, &results[0]))
        return false;
    double *sums = mlc_eval_alloc(e, (size_t)num_targets * sizeof *sums);
    for (int64_t row = 0; row < dims[0]; row++) {
        for (int64_t k = 0; k < num_targets; k++)
            sums[k] = how == MLC_GRAPH_AGGREGATE_SUM   ? 0
                      : how == MLC_GRAPH_AGGREGATE_MIN ? INFINITY
                                                       : -INFINITY;
        for (size_t t = 0; t < trees.num_trees; t++) {
            size_t leaf = find_leaf(&trees, t, &operands[0], (size_t)(row * dims[1]));
            double *of = sums + mlc_graph_numbers_int(&trees.targets, t);
            for (size_t j = 0; j < trees.width; j++)
                of[j] = put_together(
                    how, of[j], mlc_graph_numbers_float(&trees.weights, leaf * trees.width + j));
        }
        for (int64_t k = 0; k < num_targets; k++) {
            MlcDatum element = mlc_datum_float(f64, sums[k]);
            mlc_datum_set_element(&results[0], (size_t)(row * num_targets + k), &element);
        }
    }
    return true;
}

double
mlc_graph_trees_steps(MlcOp *op)
{
    MlcGraphTrees trees;
    mlc_graph_trees(op, &trees);
    return (double)(trees.num_nodes + trees.num_trees);
}
