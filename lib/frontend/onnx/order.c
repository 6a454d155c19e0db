// order.c -- see order.h.
#include "order.h"

typedef struct Order {
    const MlcOnnxNode *nodes;
    size_t num_nodes;
    MlcOnnxNodeUses *uses; // per node: its inputs, and what its subgraphs take from around them
    MlcStrMap producers;   // value name -> node number + 1
    const MlcOnnxNode **sorted;
    MlcOnnxNodeUses *sorted_uses;
    size_t num_sorted;
} Order;

// The first output that is not left out.
static MlcStr
first_output(const MlcOnnxNode *node)
{
    for (size_t i = 0; i < node->output.count; i++)
        if (node->output.items[i].size)
            return node->output.items[i];
    return mlc_str("");
}

MlcStr
mlc_onnx_node_name(const MlcOnnxNode *node)
{
    return node->name.size ? node->name : first_output(node);
}

MlcStr
mlc_onnx_describe_node(MlcArena *arena, const MlcOnnxNode *node)
{
    MlcStr output = first_output(node);
    if (node->name.size || output.size == 0)
        return mlc_arena_printf(arena, "node '%.*s' (%.*s)", MLC_STR_FMT(node->name),
                                MLC_STR_FMT(node->op_type));
    return mlc_arena_printf(arena, "node of output '%.*s' (%.*s)", MLC_STR_FMT(output),
                            MLC_STR_FMT(node->op_type));
}

bool
mlc_onnx_has_subgraphs(const MlcOnnxNode *node)
{
    for (size_t i = 0; i < node->attribute.count; i++)
        if (node->attribute.items[i].g || node->attribute.items[i].graphs.count)
            return true;
    return false;
}

bool
mlc_onnx_is_gradient(const MlcOnnxNode *node)
{
    return mlc_str_equal(node->op_type, mlc_str("Gradient")) &&
           mlc_str_equal(node->domain, mlc_str("ai.onnx.preview.training"));
}

static bool
find_producers(MlcOnnxImport *im, Order *order, const MlcStrMap *initializers)
{
    bool ok = true;
    for (size_t i = 0; i < order->num_nodes; i++) {
        const MlcOnnxNode *node = &order->nodes[i];
        for (size_t k = 0; k < node->output.count; k++) {
            MlcStr name = node->output.items[k];
            bool fresh;
            if (name.size == 0)
                continue;
            mlc_str_map_insert(&order->producers, name, &fresh)->value = i + 1;
            if (!fresh || mlc_str_map_has(&im->values, name) || mlc_str_map_has(initializers, name))
                ok =
                    mlc_onnx_fail(im, "at byte %llu: %s: the name '%.*s' is defined twice",
                                  (unsigned long long)node->offset,
                                  mlc_onnx_describe_node(&im->arena, node).data, MLC_STR_FMT(name));
        }
    }
    return ok;
}

// Names that are defined in subgraphs on the way from a node to the graph that is looked at.
typedef struct Bound {
    MlcStrMap names;
    const struct Bound *outer;
} Bound;

typedef MLC_VEC(MlcStr) StrVec;

static void
add_use(const Bound *bound, MlcStr name, StrVec *uses)
{
    for (; bound; bound = bound->outer)
        if (mlc_str_map_has(&bound->names, name))
            return;
    if (name.size)
        mlc_vec_push(uses, name);
}

static void add_graph_uses(const MlcOnnxGraph *graph, const Bound *outer, StrVec *uses);

static void
add_node_uses(const MlcOnnxNode *node, const Bound *bound, StrVec *uses)
{
    for (size_t i = 0; i < node->input.count; i++)
        add_use(bound, node->input.items[i], uses);
    for (size_t i = 0; i < node->attribute.count; i++) {
        const MlcOnnxAttribute *attribute = &node->attribute.items[i];
        if (attribute->g)
            add_graph_uses(attribute->g, bound, uses);
        for (size_t k = 0; k < attribute->graphs.count; k++)
            add_graph_uses(&attribute->graphs.items[k], bound, uses);
    }
}

static void
add_graph_uses(const MlcOnnxGraph *graph, const Bound *outer, StrVec *uses)
{
    Bound bound = {.outer = outer};
    mlc_str_map_init(&bound.names, NULL);
    for (size_t i = 0; i < graph->input.count; i++)
        mlc_str_map_set(&bound.names, graph->input.items[i].name, graph);
    for (size_t i = 0; i < graph->initializer.count; i++)
        mlc_str_map_set(&bound.names, graph->initializer.items[i].name, graph);
    for (size_t i = 0; i < graph->node.count; i++)
        for (size_t k = 0; k < graph->node.items[i].output.count; k++)
            mlc_str_map_set(&bound.names, graph->node.items[i].output.items[k], graph);
    for (size_t i = 0; i < graph->node.count; i++)
        add_node_uses(&graph->node.items[i], &bound, uses);
    mlc_str_map_release(&bound.names);
}

// Inputs, and the tensor that is differentiated.
static MlcOnnxNodeUses
uses_of_gradient(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    size_t count = node->input.count;
    MlcStr *names = MLC_NEW_ARRAY(&im->arena, MlcStr, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = node->input.items[i];
    for (size_t i = 0; i < node->attribute.count; i++)
        if (mlc_str_equal(node->attribute.items[i].name, mlc_str("y")))
            names[count] = node->attribute.items[i].s;
    return (MlcOnnxNodeUses){names, count + 1};
}

static void
find_uses(MlcOnnxImport *im, Order *order)
{
    order->uses = MLC_NEW_ARRAY(&im->arena, MlcOnnxNodeUses, order->num_nodes);
    for (size_t i = 0; i < order->num_nodes; i++) {
        const MlcOnnxNode *node = &order->nodes[i];
        order->uses[i] = mlc_onnx_is_gradient(node)
                             ? uses_of_gradient(im, node)
                             : (MlcOnnxNodeUses){node->input.items, node->input.count};
        if (!mlc_onnx_has_subgraphs(node))
            continue;
        StrVec uses = {0};
        add_node_uses(node, NULL, &uses);
        MlcStr *names = MLC_NEW_ARRAY(&im->arena, MlcStr, uses.size);
        for (size_t k = 0; k < uses.size; k++)
            names[k] = uses.data[k];
        order->uses[i] = (MlcOnnxNodeUses){names, uses.size};
        mlc_vec_release(&uses);
    }
}

enum { NOT_SEEN, OPEN, DONE };

typedef struct Visit {
    uint32_t node;
    uint32_t next_use;
} Visit;

// The nodes on the stack from `first` on lead back to it.
static bool
fail_cycle(MlcOnnxImport *im, const Order *order, const Visit *stack, size_t depth, uint32_t first)
{
    size_t start = depth;
    while (stack[start - 1].node != first)
        start--;
    const MlcOnnxNode *node = &order->nodes[first];
    mlc_onnx_fail(im, "at byte %llu: the graph has a cycle through %s",
                  (unsigned long long)node->offset, mlc_onnx_describe_node(&im->arena, node).data);
    for (size_t i = start; i < depth && i < start + 16; i++)
        mlc_note(im->ctx, mlc_onnx_file_loc(im), "then %s",
                 mlc_onnx_describe_node(&im->arena, &order->nodes[stack[i].node]).data);
    return false;
}

// Depth first with a stack of our own: a chain of a million nodes listed backwards must not exhaust
// the C stack.
static bool
sort_nodes(MlcOnnxImport *im, Order *order)
{
    size_t count = order->num_nodes;
    uint8_t *state = MLC_NEW_ARRAY(&im->arena, uint8_t, count);
    Visit *stack = MLC_NEW_ARRAY(&im->arena, Visit, count);
    order->sorted = MLC_NEW_ARRAY(&im->arena, const MlcOnnxNode *, count);
    order->sorted_uses = MLC_NEW_ARRAY(&im->arena, MlcOnnxNodeUses, count);
    find_uses(im, order);
    for (size_t root = 0; root < count; root++) {
        size_t depth = 0;
        if (state[root] == NOT_SEEN) {
            stack[depth++] = (Visit){(uint32_t)root, 0};
            state[root] = OPEN;
        }
        while (depth > 0) {
            Visit *top = &stack[depth - 1];
            const MlcOnnxNodeUses *uses = &order->uses[top->node];
            if (top->next_use == uses->count) {
                order->sorted_uses[order->num_sorted] = *uses;
                order->sorted[order->num_sorted++] = &order->nodes[top->node];
                state[top->node] = DONE;
                depth--;
                continue;
            }
            uint64_t producer = 0;
            mlc_str_map_get_u64(&order->producers, uses->names[top->next_use++], &producer);
            if (producer == 0 || state[producer - 1] == DONE)
                continue;
            if (state[producer - 1] == OPEN)
                return fail_cycle(im, order, stack, depth, (uint32_t)producer - 1);
            state[producer - 1] = OPEN;
            stack[depth++] = (Visit){(uint32_t)producer - 1, 0};
        }
    }
    return true;
}

bool
mlc_onnx_order_nodes(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t num_nodes,
                     const MlcStrMap *initializers, MlcOnnxOrdered *ordered)
{
    Order order = {.nodes = nodes, .num_nodes = num_nodes};
    mlc_str_map_init(&order.producers, NULL);
    bool ok = find_producers(im, &order, initializers) && sort_nodes(im, &order);
    mlc_str_map_release(&order.producers);
    *ordered = (MlcOnnxOrdered){order.sorted, order.sorted_uses, order.num_sorted};
    return ok;
}
