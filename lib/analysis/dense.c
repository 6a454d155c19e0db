// dense.c -- analyses with an element per point of the program, forward or backward.
//
// Forward, an op keeps what holds after it and a block what holds at its start; backward, an op
// what holds before it and a block what holds at its end. The other side of an op is its
// neighbour's. Along regions, branches and calls elements are joined over the edges that dead code
// analysis found live.
#include "solver.h"

#include "mlc/support/alloc.h"

static Element *
state_at(MlcFlow *flow, const void *key)
{
    Element *element = mlc_map_get(&flow->elements, key);
    if (!element) {
        size_t size = sizeof *element + flow->dense->size;
        element = mlc_arena_alloc_zeroed(&flow->solver->arena, size, MLC_ALIGNOF(Element));
        mlc_map_set(&flow->elements, key, element);
    }
    return element;
}

// The point being visited depends on it from now on.
static const void *
ask(MlcFlow *flow, const void *key)
{
    Element *element = state_at(flow, key);
    mlc_solver_depend(flow->solver, &element->state);
    return mlc_element_data(element);
}

static void
join(MlcFlow *flow, const void *key, const void *from)
{
    Element *element = state_at(flow, key);
    if (flow->dense->join(flow, mlc_element_data(element), from))
        mlc_solver_changed(flow->solver, &element->state);
}

static bool
is_reached(const MlcFlow *flow, const void *element)
{
    const unsigned char *bytes = element;
    for (size_t i = 0; i < flow->dense->size; i++)
        if (bytes[i])
            return true;
    return false;
}

static void
join_unknown(MlcFlow *flow, const void *key)
{
    void *element = mlc_calloc(1, flow->dense->size);
    flow->dense->unknown(flow, element);
    join(flow, key, element);
    mlc_free(element);
}

// Keys of the states on both sides of an op, in the direction of execution.
static const void *
key_before(const MlcFlow *flow, const MlcOp *op)
{
    if (flow->is_backward)
        return op;
    MlcOp *prev = mlc_op_prev(op);
    return prev ? (const void *)prev : mlc_op_block(op);
}

static const void *
key_after(const MlcFlow *flow, const MlcOp *op)
{
    if (!flow->is_backward)
        return op;
    MlcOp *next = mlc_op_next(op);
    return next ? (const void *)next : mlc_op_block(op);
}

static const void *
key_of_start(const MlcFlow *flow, const MlcBlock *block)
{
    MlcOp *first = flow->is_backward ? mlc_block_first(block) : NULL;
    return first ? (const void *)first : block;
}

// What the op does by itself.
static void
visit_plain(MlcFlow *flow, MlcOp *op)
{
    const void *from = ask(flow, flow->is_backward ? key_after(flow, op) : key_before(flow, op));
    if (!is_reached(flow, from))
        return;
    void *element = mlc_calloc(1, flow->dense->size);
    flow->dense->visit(flow, op, from, element);
    join(flow, op, element);
    mlc_free(element);
}

// An edge hands `from` to what is kept at `op`, by way of what the op does itself (operands that it
// uses, results that it makes), if the analysis wants to know.
static void
join_at_op(MlcFlow *flow, MlcOp *op, const void *from)
{
    if (!flow->dense->visit_regions_op || !is_reached(flow, from)) {
        join(flow, op, from);
        return;
    }
    void *element = mlc_calloc(1, flow->dense->size);
    flow->dense->visit_regions_op(flow, op, from, element);
    join(flow, op, element);
    mlc_free(element);
}

static MlcRegion *
followed_callee(MlcFlow *flow, MlcOp *call)
{
    MlcOp *callee = flow->dense->follows_calls && mlc_op_interface(call, MLC_INTERFACE_CALL)
                        ? mlc_call_callee(call)
                        : NULL;
    return callee && mlc_op_is_ancestor(flow->solver->top, callee) ? mlc_callable_body(callee)
                                                                   : NULL;
}

// What holds at the calls of `callable`, before or after them, at the start or the end of its
// block.
static void
join_calls(MlcFlow *flow, MlcOp *callable, MlcBlock *block,
           const void *(*key_at)(const MlcFlow *flow, const MlcOp *call))
{
    Predecessors *calls = mlc_solver_predecessors(flow->solver, callable);
    mlc_solver_depend(flow->solver, &calls->state);
    if (calls->has_unknown)
        join_unknown(flow, block);
    for (size_t i = 0; i < calls->known.size; i++)
        join(flow, block, ask(flow, key_at(flow, calls->known.data[i].op)));
}

// --- forward

// The inputs of a point of `op`: its results (block NULL) or the entry of a region.
static void
join_predecessors(MlcFlow *flow, MlcOp *op, MlcBlock *block)
{
    const void *key = block ? (const void *)block : op;
    Predecessors *from = mlc_solver_predecessors(flow->solver, key);
    mlc_solver_depend(flow->solver, &from->state);
    if (from->has_unknown)
        join_unknown(flow, key);
    for (size_t i = 0; i < from->known.size; i++) {
        MlcOp *source = from->known.data[i].op;
        const void *element = ask(flow, source == op ? key_before(flow, op) : source);
        if (block)
            join(flow, block, element);
        else
            join_at_op(flow, op, element);
    }
}

static void
forward_call(MlcFlow *flow, MlcOp *call)
{
    Predecessors *returns = mlc_solver_predecessors(flow->solver, call);
    mlc_solver_depend(flow->solver, &returns->state);
    if (returns->has_unknown) {
        visit_plain(flow, call);
        return;
    }
    for (size_t i = 0; i < returns->known.size; i++)
        join(flow, call, ask(flow, returns->known.data[i].op));
}

static void
forward_op(MlcFlow *flow, MlcOp *op)
{
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH))
        join_predecessors(flow, op, NULL);
    else if (followed_callee(flow, op))
        forward_call(flow, op);
    else
        visit_plain(flow, op);
}

static void
forward_edge(MlcOp *terminator, size_t slot, void *user)
{
    MlcFlow *flow = user;
    MlcSolver *s = flow->solver;
    Executable *edge = mlc_solver_executable(s, mlc_solver_edge_key(terminator, slot));
    edge->state.subscribers |= UINT64_C(1) << flow->number;
    if (edge->is_live)
        join(flow, s->current.point.block, ask(flow, terminator));
}

static void
forward_block(MlcFlow *flow, MlcBlock *block)
{
    MlcOp *parent = mlc_block_parent(block), *top = flow->solver->top;
    if (mlc_region_first(mlc_block_region(block)) != block)
        mlc_block_visit_predecessors(block, forward_edge, flow);
    else if (parent != top && flow->dense->follows_calls &&
             mlc_callable_body(parent) == mlc_block_region(block))
        join_calls(flow, parent, block, key_before);
    else if (parent != top && mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH))
        join_predecessors(flow, parent, block);
    else
        join_unknown(flow, block);
}

// --- backward

// Joins what holds on an edge to `block` (NULL: to where `op` is over) into the state at `key`, or
// into op's own if `at_op`.
static void
join_target(MlcFlow *flow, MlcOp *op, MlcBlock *block, const void *key, bool at_op)
{
    const void *from = ask(flow, block ? key_of_start(flow, block) : key_after(flow, op));
    void *element = NULL;
    if (flow->dense->visit_edge && is_reached(flow, from)) {
        element = mlc_calloc(1, flow->dense->size);
        flow->dense->visit_edge(flow, op, block, from, element);
    }
    if (at_op)
        join_at_op(flow, op, element ? element : from);
    else
        join(flow, key, element ? element : from);
    mlc_free(element);
}

// What holds where control may go from `source` (op, or a terminator of its regions), handed to the
// end of the terminator's block or to the op.
static void
join_points(MlcFlow *flow, MlcOp *op, MlcOp *source)
{
    PointNumbers points = {0};
    mlc_region_points(op, source == op ? NULL : source, NULL, &points);
    for (size_t i = 0; i < points.size; i++) {
        int to = points.data[i];
        MlcBlock *block = to < 0 ? NULL : mlc_region_first(mlc_op_region(op, (size_t)to));
        if (to >= 0 && !block)
            continue;
        join_target(flow, op, block, mlc_op_block(source), source == op);
    }
    mlc_vec_release(&points);
}

static void
backward_op(MlcFlow *flow, MlcOp *op)
{
    MlcRegion *body = followed_callee(flow, op);
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH))
        join_points(flow, op, op);
    else if (body)
        join_target(flow, op, mlc_region_first(body), op, false);
    else
        visit_plain(flow, op);
}

// The end of a block: where its terminator leads.
static void
backward_block(MlcFlow *flow, MlcBlock *block)
{
    MlcOp *parent = mlc_block_parent(block), *top = flow->solver->top;
    MlcOp *end = mlc_block_terminator(block);
    for (size_t i = 0; end && i < mlc_op_num_successors(end); i++) {
        Executable *edge = mlc_solver_executable(flow->solver, mlc_solver_edge_key(end, i));
        mlc_solver_depend(flow->solver, &edge->state);
        if (edge->is_live)
            join_target(flow, end, mlc_op_successor(end, i), block, false);
    }
    if (end && mlc_op_num_successors(end))
        return;
    if (end && parent != top && mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH))
        join_points(flow, parent, end);
    else if (end && parent != top && flow->dense->follows_calls &&
             mlc_callable_body(parent) == mlc_block_region(block) &&
             mlc_op_has_trait(end, MLC_TRAIT_RETURN_LIKE))
        join_calls(flow, parent, block, key_after);
    else
        join_unknown(flow, block);
}

// --- both

static void
visit(MlcFlow *flow, Point point)
{
    MlcSolver *s = flow->solver;
    MlcBlock *block = point.op ? mlc_op_block(point.op) : point.block;
    if (point.op == s->top || !mlc_solver_executable(s, block)->is_live)
        return;
    if (point.op)
        (flow->is_backward ? backward_op : forward_op)(flow, point.op);
    else
        (flow->is_backward ? backward_block : forward_block)(flow, point.block);
}

static void
visit_now(MlcFlow *flow, Point point)
{
    flow->solver->current = (Work){point, flow};
    visit(flow, point);
}

// Everything once, in the direction of the analysis.
static void
start(MlcFlow *flow, MlcOp *top)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, top) {
        mlc_vec_push(&ops, op);
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            mlc_solver_executable(flow->solver, block)->state.subscribers |= UINT64_C(1)
                                                                             << flow->number;
    }
    for (size_t i = 0; i < ops.size; i++) {
        MlcOp *op = ops.data[flow->is_backward ? ops.size - 1 - i : i];
        if (op == top)
            continue;
        MlcBlock *block = mlc_op_block(op);
        if (op == (flow->is_backward ? mlc_block_last(block) : mlc_block_first(block)))
            visit_now(flow, (Point){.block = block});
        visit_now(flow, (Point){.op = op});
    }
    mlc_vec_release(&ops);
}

static MlcFlow *
add(MlcSolver *s, const MlcDense *def, void *user, bool is_backward)
{
    mlc_solver_add_constants(s); // without them no branch is known to be taken
    MlcFlow *flow = mlc_solver_add_flow(s, start, visit);
    flow->dense = def;
    flow->user = user;
    flow->is_backward = is_backward;
    return flow;
}

MlcFlow *
mlc_solver_add_dense_forward(MlcSolver *s, const MlcDense *def, void *user)
{
    return add(s, def, user, false);
}

MlcFlow *
mlc_solver_add_dense_backward(MlcSolver *s, const MlcDense *def, void *user)
{
    return add(s, def, user, true);
}

static const void *
known_at(const MlcFlow *flow, const void *key)
{
    Element *element = mlc_map_get(&flow->elements, key);
    return element && is_reached(flow, mlc_element_data(element)) ? mlc_element_data(element)
                                                                  : NULL;
}

const void *
mlc_flow_before(const MlcFlow *flow, const MlcOp *op)
{
    return known_at(flow, key_before(flow, op));
}

const void *
mlc_flow_after(const MlcFlow *flow, const MlcOp *op)
{
    return known_at(flow, key_after(flow, op));
}

MlcArena *
mlc_flow_arena(MlcFlow *flow)
{
    return &flow->solver->arena;
}

void *
mlc_flow_user(const MlcFlow *flow)
{
    return flow->user;
}
