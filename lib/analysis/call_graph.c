// call_graph.c -- who calls whom.
//
// Groups are strongly connected components (Tarjan, SIAM J. Comput. 1972), on a stack of our own:
// call chains are as long as the user's program makes them. The order of callables, of their
// callees, and of the members of a group is MLIR's, because passes that go by it show it.
#include "mlc/analysis.h"

#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

typedef MLC_VEC(size_t) SizeVec;

typedef struct Node {
    MlcOp *callable;
    SizeVec callees;
    bool calls_unknown;
} Node;

struct MlcCallGraph {
    MlcOp *root;
    MlcSymbolTable *symbols; // of the root, if it is a symbol table
    MLC_VEC(Node) nodes;
    MlcMap numbers;  // callable -> number
    SizeVec members; // of all groups
    SizeVec starts;  // of each group in `members`, and the end
};

MlcOp *
mlc_call_callee(MlcOp *call)
{
    const MlcCall *methods = mlc_op_interface(call, MLC_INTERFACE_CALL);
    MlcAttr name = methods ? methods->callee(call) : NULL;
    return mlc_attr_is(name, MLC_ATTR_SYMBOL_REF) ? mlc_symbol_lookup_ref(call, name) : NULL;
}

MlcRegion *
mlc_callable_body(const MlcOp *op)
{
    const MlcCallable *methods = mlc_op_interface(op, MLC_INTERFACE_CALLABLE);
    MlcRegion *body = methods ? methods->body((MlcOp *)(uintptr_t)op) : NULL;
    return body && !mlc_region_is_empty(body) ? body : NULL;
}

MlcOp *
mlc_call_graph_symbol(const MlcCallGraph *graph, MlcOp *from, MlcAttr ref)
{
    if (mlc_symbol_ref_attr_size(ref) != 1 || !graph->symbols ||
        mlc_symbol_table_of(from) != graph->root)
        return mlc_symbol_lookup_ref(from, ref);
    return mlc_symbol_table_lookup(graph->symbols, mlc_symbol_ref_attr_name(ref, 0));
}

MlcOp *
mlc_call_graph_callee(const MlcCallGraph *graph, MlcOp *call)
{
    const MlcCall *methods = mlc_op_interface(call, MLC_INTERFACE_CALL);
    MlcAttr name = methods->callee(call);
    return mlc_attr_is(name, MLC_ATTR_SYMBOL_REF) ? mlc_call_graph_symbol(graph, call, name) : NULL;
}

static void
add_callee(Node *node, MlcMap *seen, size_t callee)
{
    bool is_new;
    mlc_map_insert(seen, callee, &is_new);
    if (is_new)
        mlc_vec_push(&node->callees, callee);
}

// The callable whose body holds `op` most closely; NULL: none.
static MlcOp *
callable_around(const MlcCallGraph *graph, MlcOp *op)
{
    for (op = op == graph->root ? NULL : mlc_op_parent(op); op;
         op = op == graph->root ? NULL : mlc_op_parent(op))
        if (mlc_callable_body(op))
            return op;
    return NULL;
}

static void
add_edges(MlcCallGraph *graph, size_t number)
{
    Node *node = &graph->nodes.data[number];
    MlcMap seen = {0};
    MLC_FOR_EACH_PREORDER (op, node->callable) {
        bool is_call = mlc_op_interface(op, MLC_INTERFACE_CALL) != NULL;
        size_t callee;
        if (op == node->callable || (!is_call && !mlc_op_interface(op, MLC_INTERFACE_CALLABLE)) ||
            callable_around(graph, op) != node->callable)
            continue;
        if (mlc_call_graph_find(graph, is_call ? mlc_call_graph_callee(graph, op) : op, &callee))
            add_callee(node, &seen, callee);
        else
            node->calls_unknown |= is_call;
    }
    mlc_map_release(&seen);
}

// --- groups

typedef struct Visit {
    size_t node, next; // its callee to look at next
} Visit;

typedef struct Tarjan {
    MlcCallGraph *graph;
    size_t *order; // of the first visit, from 1 on; 0: not yet seen
    size_t *low;   // the least that is reached; SIZE_MAX: its group is done
    size_t num_seen;
    SizeVec open; // nodes whose group is not done
    MLC_VEC(Visit) stack;
} Tarjan;

static void
enter(Tarjan *t, size_t node)
{
    t->order[node] = t->low[node] = ++t->num_seen;
    mlc_vec_push(&t->open, node);
    mlc_vec_push(&t->stack, ((Visit){node, 0}));
}

static void
leave(Tarjan *t)
{
    size_t node = mlc_vec_pop(&t->stack).node, member;
    if (t->stack.size > 0) {
        size_t *low = &t->low[mlc_vec_last(&t->stack).node];
        *low = t->low[node] < *low ? t->low[node] : *low;
    }
    if (t->low[node] != t->order[node])
        return;
    mlc_vec_push(&t->graph->starts, t->graph->members.size);
    do {
        member = mlc_vec_pop(&t->open);
        t->low[member] = SIZE_MAX;
        mlc_vec_push(&t->graph->members, member);
    } while (member != node);
}

static void
visit(Tarjan *t, size_t root)
{
    enter(t, root);
    while (t->stack.size > 0) {
        Visit *top = &mlc_vec_last(&t->stack);
        const Node *node = &t->graph->nodes.data[top->node];
        if (top->next == node->callees.size) {
            leave(t);
            continue;
        }
        size_t callee = node->callees.data[top->next++];
        if (!t->order[callee])
            enter(t, callee);
        else if (t->low[callee] < t->low[top->node])
            t->low[top->node] = t->low[callee];
    }
}

static void
find_groups(MlcCallGraph *graph)
{
    size_t n = graph->nodes.size;
    Tarjan t = {.graph = graph,
                .order = mlc_calloc(n + 1, sizeof(size_t)),
                .low = mlc_calloc(n + 1, sizeof(size_t))};
    for (size_t i = 0; i < n; i++)
        if (!t.order[i])
            visit(&t, i);
    mlc_vec_push(&graph->starts, graph->members.size);
    mlc_free(t.order);
    mlc_free(t.low);
    mlc_vec_release(&t.open);
    mlc_vec_release(&t.stack);
}

// --- public

MlcCallGraph *
mlc_call_graph_create(MlcOp *root)
{
    MlcCallGraph *graph = mlc_calloc(1, sizeof *graph);
    graph->root = root;
    if (mlc_op_has_trait(root, MLC_TRAIT_SYMBOL_TABLE))
        graph->symbols = mlc_symbol_table_create(root);
    MLC_FOR_EACH_PREORDER (op, root) {
        if (!mlc_callable_body(op))
            continue;
        mlc_map_set_u64(&graph->numbers, (uint64_t)(uintptr_t)op, graph->nodes.size);
        mlc_vec_push(&graph->nodes, ((Node){.callable = op}));
    }
    for (size_t i = 0; i < graph->nodes.size; i++)
        add_edges(graph, i);
    find_groups(graph);
    return graph;
}

void
mlc_call_graph_destroy(MlcCallGraph *graph)
{
    for (size_t i = 0; i < graph->nodes.size; i++)
        mlc_vec_release(&graph->nodes.data[i].callees);
    mlc_vec_release(&graph->nodes);
    mlc_vec_release(&graph->members);
    mlc_vec_release(&graph->starts);
    mlc_map_release(&graph->numbers);
    if (graph->symbols)
        mlc_symbol_table_destroy(graph->symbols);
    mlc_free(graph);
}

size_t
mlc_call_graph_size(const MlcCallGraph *graph)
{
    return graph->nodes.size;
}

MlcOp *
mlc_call_graph_callable(const MlcCallGraph *graph, size_t node)
{
    return graph->nodes.data[node].callable;
}

bool
mlc_call_graph_find(const MlcCallGraph *graph, const MlcOp *callable, size_t *node)
{
    return callable && mlc_map_get_u64(&graph->numbers, (uint64_t)(uintptr_t)callable, node);
}

const size_t *
mlc_call_graph_callees(const MlcCallGraph *graph, size_t node, size_t *count)
{
    *count = graph->nodes.data[node].callees.size;
    return graph->nodes.data[node].callees.data;
}

bool
mlc_call_graph_calls_unknown(const MlcCallGraph *graph, size_t node)
{
    return graph->nodes.data[node].calls_unknown;
}

size_t
mlc_call_graph_num_groups(const MlcCallGraph *graph)
{
    return graph->starts.size - 1;
}

const size_t *
mlc_call_graph_group(const MlcCallGraph *graph, size_t group, size_t *count)
{
    size_t start = graph->starts.data[group];
    *count = graph->starts.data[group + 1] - start;
    return graph->members.data + start;
}
