// solver.c -- states, and the list of what to visit.
//
// The order is MLIR's: every analysis starts by visiting everything once, in the order in which
// they were added; then points are visited first in, first out. For monotone analyses the order
// does not matter; integer ranges give up on loops that grow, and there it shows.
#include "solver.h"

#include "mlc/support/alloc.h"

MlcSolver *
mlc_solver_create(MlcOp *top)
{
    MlcSolver *s = mlc_calloc(1, sizeof *s);
    s->top = top;
    return s;
}

static void
release_states(const MlcMap *states)
{
    MLC_MAP_FOR_EACH (entry, states) {
        State *state = mlc_map_entry_value(entry);
        mlc_vec_release(&state->dependents);
    }
}

void
mlc_solver_destroy(MlcSolver *s)
{
    for (size_t i = 0; i < s->flows.size; i++) {
        release_states(&s->flows.data[i]->elements);
        mlc_map_release(&s->flows.data[i]->elements);
    }
    MLC_MAP_FOR_EACH (entry, &s->predecessors) {
        Predecessors *predecessors = mlc_map_entry_value(entry);
        mlc_vec_release(&predecessors->known);
    }
    release_states(&s->predecessors);
    release_states(&s->executable);
    mlc_map_release(&s->predecessors);
    mlc_map_release(&s->executable);
    mlc_vec_release(&s->flows);
    mlc_vec_release(&s->work);
    mlc_arena_release(&s->arena);
    mlc_free(s);
}

MlcFlow *
mlc_solver_add_flow(MlcSolver *s, void (*start)(MlcFlow *, MlcOp *),
                    void (*visit)(MlcFlow *, Point))
{
    MlcFlow *flow = MLC_NEW(&s->arena, MlcFlow);
    *flow =
        (MlcFlow){.solver = s, .number = (unsigned)s->flows.size, .start = start, .visit = visit};
    mlc_vec_push(&s->flows, flow);
    return flow;
}

MlcSolver *
mlc_flow_solver(MlcFlow *flow)
{
    return flow->solver;
}

void
mlc_solver_enqueue(MlcSolver *s, Point point, MlcFlow *flow)
{
    mlc_vec_push(&s->work, (Work){point, flow});
}

// What was visited is forgotten now and then, so that the list is as long as what waits.
static Work
take_work(MlcSolver *s)
{
    Work work = s->work.data[s->next++];
    if (s->next == s->work.size)
        s->next = s->work.size = 0;
    return work;
}

static void
run_work(MlcSolver *s)
{
    while (s->work.size) {
        s->current = take_work(s);
        s->current.flow->visit(s->current.flow, s->current.point);
    }
}

void
mlc_solver_run(MlcSolver *s)
{
    mlc_symbol_cache_begin();
    for (size_t i = 0; i < s->flows.size; i++)
        if (s->flows.data[i]->start)
            s->flows.data[i]->start(s->flows.data[i], s->top);
    run_work(s);
    mlc_symbol_cache_end();
}

// --- dependences

static bool
same_work(Work a, Work b)
{
    return a.point.op == b.point.op && a.point.block == b.point.block && a.flow == b.flow;
}

// Doubles cost a visit, so only the last few are looked at.
void
mlc_solver_depend_at(State *state, Point point, MlcFlow *flow)
{
    Work work = {point, flow};
    size_t n = state->dependents.size;
    for (size_t i = n; i-- > 0 && n - i <= 8;)
        if (same_work(state->dependents.data[i], work))
            return;
    mlc_vec_push(&state->dependents, work);
}

void
mlc_solver_depend(MlcSolver *s, State *state)
{
    if (s->current.flow)
        mlc_solver_depend_at(state, s->current.point, s->current.flow);
}

void
mlc_solver_changed(MlcSolver *s, State *state)
{
    for (size_t i = 0; i < state->dependents.size; i++)
        mlc_vec_push(&s->work, state->dependents.data[i]);
}

// --- states

Executable *
mlc_solver_executable(MlcSolver *s, const void *key)
{
    Executable *e = mlc_map_get(&s->executable, key);
    if (!e) {
        e = MLC_NEW(&s->arena, Executable);
        mlc_map_set(&s->executable, key, e);
    }
    return e;
}

Predecessors *
mlc_solver_predecessors(MlcSolver *s, const void *key)
{
    Predecessors *p = mlc_map_get(&s->predecessors, key);
    if (!p) {
        p = MLC_NEW(&s->arena, Predecessors);
        mlc_map_set(&s->predecessors, key, p);
    }
    return p;
}

// Successor slots lie inside of the op's own memory, more bytes than there are of them.
const void *
mlc_solver_edge_key(const MlcOp *terminator, size_t i)
{
    return (const char *)terminator + i + 1;
}

Element *
mlc_flow_find(MlcFlow *flow, MlcValue *value)
{
    Element *element = mlc_map_get(&flow->elements, value);
    if (!element) {
        size_t size = sizeof *element + flow->forward->size;
        element = mlc_arena_alloc_zeroed(&flow->solver->arena, size, MLC_ALIGNOF(Element));
        element->value = value;
        mlc_map_set(&flow->elements, value, element);
    }
    return element;
}

void
mlc_flow_subscribe(MlcFlow *from, MlcValue *value, MlcFlow *flow)
{
    mlc_flow_find(from, value)->state.subscribers |= UINT64_C(1) << flow->number;
}

static void
forget_value(MlcSolver *s, MlcValue *value)
{
    for (size_t i = 0; i < s->flows.size; i++) {
        MlcFlow *flow = s->flows.data[i];
        Element *element = mlc_map_get(&flow->elements, value);
        if (!element)
            continue;
        mlc_vec_release(&element->state.dependents);
        mlc_map_erase(&flow->elements, value);
    }
}

void
mlc_solver_forget(MlcSolver *s, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        forget_value(s, mlc_op_result(op, i));
}

// --- questions about control flow

void
mlc_region_points(MlcOp *op, MlcOp *terminator, const MlcAttr *constants, PointNumbers *points)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    mlc_vec_reserve(points, mlc_op_num_regions(op) + 2);
    if (!terminator) {
        points->size = branch->entry_successors && constants
                           ? branch->entry_successors(op, constants, points->data)
                           : branch->successors(op, -1, points->data);
        return;
    }
    const MlcRegionTerminator *methods =
        mlc_op_interface(terminator, MLC_INTERFACE_REGION_TERMINATOR);
    int from = (int)mlc_region_index(mlc_op_region_of(terminator));
    points->size = methods && methods->successors && constants
                       ? methods->successors(terminator, constants, points->data)
                       : branch->successors(op, from, points->data);
}
