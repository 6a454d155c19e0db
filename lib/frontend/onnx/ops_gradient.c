// ops_gradient.c -- ONNX's Gradient: the partial derivatives of a tensor of its graph.
//
// The node names tensors: `y`, and `xs` and `zs`, from which y is computed. The nodes between them
// are imported once more, of the values that the node is given, and differentiated (gradient.c).
// Where these are the named tensors themselves, what the graph computes already is found to be the
// same by later passes. A y that a Gradient gave is differentiated again: its nodes are.
#include "gradient.h"

#include "found_sizes.h"
#include "lists.h"
#include "order.h"
#include "parts.h"

enum { MAX_ORDER = 8 };

typedef struct Gradient {
    MlcOnnxNodeImport *n;
    MlcStr y;
    MlcOnnxStrs xs, zs;
} Gradient;

static bool
read_strs(MlcOnnxNodeImport *n, const char *name, MlcOnnxStrs *strs)
{
    bool ok = true;
    const MlcOnnxAttribute *a = mlc_onnx_find_attribute(n, name, MLC_ONNX_ATTRIBUTE_STRINGS, &ok);
    if (a)
        *strs = a->strings;
    return ok;
}

static MlcStr
name_of(const Gradient *g, size_t i)
{
    return i < g->xs.count ? g->xs.items[i] : g->zs.items[i - g->xs.count];
}

static bool
read_node(Gradient *g)
{
    MlcOnnxNodeImport *n = g->n;
    if (!mlc_onnx_read_str(n, "y", &g->y) || !read_strs(n, "xs", &g->xs) ||
        !read_strs(n, "zs", &g->zs))
        return false;
    if (g->y.size == 0 || g->xs.count == 0)
        return mlc_onnx_invalid(n, "attributes 'xs' and 'y' are required");
    if (n->num_inputs != g->xs.count + g->zs.count)
        return mlc_onnx_invalid(n,
                                "expected %zu inputs, one for each name of 'xs' and 'zs', got %zu",
                                g->xs.count + g->zs.count, n->num_inputs);
    if (n->node->output.count > g->xs.count)
        return mlc_onnx_invalid(n, "expected at most %zu outputs, got %zu", g->xs.count,
                                n->node->output.count);
    for (size_t i = 0; i < n->num_inputs; i++) {
        MlcStr name = name_of(g, i);
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        if (!mlc_onnx_find_value(n->import, name))
            return mlc_onnx_invalid(n, "'%.*s' is defined nowhere in the graph", MLC_STR_FMT(name));
        if (i < g->xs.count && !mlc_type_is_float(mlc_type_element(mlc_value_type(n->inputs[i]))))
            return mlc_onnx_invalid(n, "'%.*s' of 'xs' is no tensor of floats", MLC_STR_FMT(name));
    }
    return true;
}

// ---- the nodes between xs, zs and y

static bool
is_cut(const MlcOnnxImport *im, MlcStr name)
{
    for (const MlcOnnxCut *at = im->cut; at; at = at->outer)
        if (at->graph == im->ordered && mlc_str_map_has(&at->names, name))
            return true;
    return false;
}

// The places of nodes that `name` is computed by are marked.
static bool
mark_nodes(const MlcOnnxImport *im, const MlcStrMap *producers, MlcStr name, bool *marked)
{
    MLC_VEC(MlcStr) left = {0};
    bool any = false;
    mlc_vec_push(&left, name);
    while (left.size) {
        MlcStr next = left.data[--left.size];
        uint64_t node = 0;
        if (is_cut(im, next) || !mlc_str_map_get_u64(producers, next, &node) || marked[node - 1])
            continue;
        const MlcOnnxNodeUses *uses = &im->ordered->uses[node - 1];
        marked[node - 1] = any = true;
        for (size_t i = 0; i < uses->count; i++)
            mlc_vec_push(&left, uses->names[i]);
    }
    mlc_vec_release(&left);
    return any;
}

// The node, with no names for what is given.
static MlcOnnxNode
without_cut(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    MlcOnnxNode copy = *node;
    MlcStr *names = MLC_NEW_ARRAY(&im->arena, MlcStr, node->output.count + 1);
    for (size_t i = 0; i < node->output.count; i++)
        names[i] = is_cut(im, node->output.items[i]) ? mlc_str("") : node->output.items[i];
    copy.output = (MlcOnnxStrs){names, node->output.count};
    return copy;
}

// False after an error: there are none.
static bool
find_nodes(Gradient *g, MlcOnnxGraph *slice)
{
    MlcOnnxImport *im = g->n->import;
    const MlcOnnxOrdered *graph = im->ordered;
    MlcStrMap producers;
    if (!mlc_onnx_count_nodes(im, graph->num_nodes))
        return false;
    mlc_str_map_init(&producers, NULL);
    for (size_t i = 0; i < graph->num_nodes; i++)
        for (size_t k = 0; k < graph->nodes[i]->output.count; k++)
            mlc_str_map_insert(&producers, graph->nodes[i]->output.items[k], NULL)->value = i + 1;
    bool *marked = MLC_NEW_ARRAY(&im->arena, bool, graph->num_nodes + 1);
    bool ok = is_cut(im, g->y) || mark_nodes(im, &producers, g->y, marked) ||
              mlc_onnx_invalid(g->n, "no node of its graph gives '%.*s'", MLC_STR_FMT(g->y));
    mlc_str_map_release(&producers);
    MlcOnnxNode *items = MLC_NEW_ARRAY(&im->arena, MlcOnnxNode, graph->num_nodes + 1);
    slice->node.items = items;
    for (size_t i = 0; ok && i < graph->num_nodes; i++)
        if (marked[i])
            items[slice->node.count++] = without_cut(im, graph->nodes[i]);
    return ok;
}

// As a graph of its own: inputs are xs and zs. Its one result is y, of `values`.
static MlcValue *
import_again(Gradient *g, MlcValue *const *values)
{
    MlcOnnxImport *im = g->n->import;
    size_t count = g->n->num_inputs;
    MlcOnnxCut cut = {.graph = im->ordered, .outer = im->cut};
    MlcOnnxValueInfo *inputs = MLC_NEW_ARRAY(&im->arena, MlcOnnxValueInfo, count + 1);
    MlcOnnxValueInfo output = {.name = g->y};
    MlcOnnxGraph graph = {.output = {&output, 1}};
    MlcValueVec results = {0};
    mlc_str_map_init(&cut.names, NULL);
    for (size_t i = 0; i < count; i++) {
        inputs[i].name = name_of(g, i);
        mlc_str_map_insert(&cut.names, inputs[i].name, NULL);
    }
    graph.input.items = inputs;
    graph.input.count = count;
    im->cut = &cut;
    bool ok = find_nodes(g, &graph);
    cut.nodes = graph.node.items;
    ok = ok && mlc_onnx_import_subgraph(g->n, "y", &graph, values, count, &results);
    im->cut = cut.outer;
    mlc_str_map_release(&cut.names);
    MlcValue *y = ok ? results.data[0] : NULL;
    mlc_vec_release(&results);
    return y;
}

bool
mlc_onnx_import_gradient(MlcOnnxNodeImport *n)
{
    MlcOnnxImport *im = n->import;
    Gradient g = {.n = n};
    size_t depth = 0;
    if (!read_node(&g))
        return false;
    for (const MlcOnnxCut *at = im->cut; at; at = at->outer)
        depth++;
    if (depth == MAX_ORDER)
        return mlc_onnx_unsupported(n, "derivatives of derivatives, more than %d deep", MAX_ORDER);
    MlcStrMapEntry *known = mlc_onnx_find_value(im, g.y);
    if (!known)
        return mlc_onnx_invalid(n, "'%.*s' is defined nowhere in the graph", MLC_STR_FMT(g.y));
    if (!known->value) // which was told
        return false;
    if (mlc_onnx_is_pending(im, (MlcValue *)(uintptr_t)known->value))
        return mlc_onnx_unsupported(n, "only a run knows the rank of '%.*s'", MLC_STR_FMT(g.y));
    // xs are no constants, whatever they are: what is computed of them must stay.
    MlcValue **values = MLC_NEW_ARRAY(&im->arena, MlcValue *, n->num_inputs);
    MlcValue **gradients = MLC_NEW_ARRAY(&im->arena, MlcValue *, g.xs.count);
    for (size_t i = 0; i < n->num_inputs; i++)
        values[i] = i < g.xs.count ? mlc_graph_identity(&im->builder, n->inputs[i]) : n->inputs[i];
    MlcValue *y = import_again(&g, values);
    if (!y)
        return false;
    if (mlc_onnx_list(im, y) || mlc_onnx_has_found_size(im, y) ||
        !mlc_type_is_float(mlc_type_element(mlc_value_type(y))))
        return mlc_onnx_unsupported(n, "'%.*s' is no tensor of floats of a known size",
                                    MLC_STR_FMT(g.y));
    if (!mlc_onnx_differentiate(n, y, values, g.xs.count, gradients))
        return false;
    for (size_t i = 0; i < n->node->output.count; i++)
        n->outputs[i] = gradients[i];
    return true;
}
