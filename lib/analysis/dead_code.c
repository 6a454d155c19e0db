// dead_code.c -- which blocks and edges may run, and from where control comes to a region, an op's
// results, a callable or back from a call.
//
// A block is live once control can reach it, given what is known of constants. Private callables
// are live when a live call names them, and nothing else does.
#include "solver.h"

#include "mlc/support/alloc.h"

static void
mark_live(MlcSolver *s, Executable *e, MlcBlock *block)
{
    if (e->is_live)
        return;
    e->is_live = true;
    mlc_solver_changed(s, &e->state);
    for (size_t i = 0; i < s->flows.size; i++) {
        if (!(e->state.subscribers >> i & 1))
            continue;
        mlc_solver_enqueue(s, (Point){.block = block}, s->flows.data[i]);
        MLC_FOR_EACH_OP (op, block)
            mlc_solver_enqueue(s, (Point){.op = op}, s->flows.data[i]);
    }
}

static void
mark_block_live(MlcSolver *s, MlcBlock *block)
{
    mark_live(s, mlc_solver_executable(s, block), block);
}

// Whoever subscribed to the edge looks at the block it leads to.
static void
mark_edge_live(MlcSolver *s, MlcOp *terminator, size_t slot)
{
    MlcBlock *to = mlc_op_successor(terminator, slot);
    Executable *e = mlc_solver_executable(s, mlc_solver_edge_key(terminator, slot));
    mark_block_live(s, to);
    if (e->is_live)
        return;
    e->is_live = true;
    mlc_solver_changed(s, &e->state);
    for (size_t f = 0; f < s->flows.size; f++)
        if (e->state.subscribers >> f & 1)
            mlc_solver_enqueue(s, (Point){.block = to}, s->flows.data[f]);
}

static void
set_unknown(MlcSolver *s, const void *key)
{
    Predecessors *p = mlc_solver_predecessors(s, key);
    if (p->has_unknown)
        return;
    p->has_unknown = true;
    mlc_solver_changed(s, &p->state);
}

static void
add_predecessor(MlcSolver *s, const void *key, Predecessor predecessor)
{
    Predecessors *p = mlc_solver_predecessors(s, key);
    for (size_t i = 0; i < p->known.size; i++)
        if (p->known.data[i].op == predecessor.op)
            return;
    mlc_vec_push(&p->known, predecessor);
    mlc_solver_changed(s, &p->state);
}

static void
mark_entries_live(MlcSolver *s, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        if (!mlc_region_is_empty(mlc_op_region(op, i)))
            mark_block_live(s, mlc_region_first(mlc_op_region(op, i)));
}

// --- callables of which calls may be out of sight

static void
note_other_use(MlcOp *user, MlcAttr ref, void *data)
{
    MlcSolver *s = data;
    if (mlc_op_interface(user, MLC_INTERFACE_CALL))
        return;
    MlcOp *symbol = mlc_symbol_lookup_ref(user, ref);
    if (symbol)
        set_unknown(s, symbol);
}

static void
start_table(MlcSolver *s, MlcOp *table, bool all_uses_visible)
{
    bool any = false;
    MlcBlock *block = mlc_region_first(mlc_op_region(table, 0));
    for (MlcOp *op = block ? mlc_block_first(block) : NULL; op; op = mlc_op_next(op)) {
        if (!mlc_callable_body(op) || !mlc_op_is_symbol(op))
            continue;
        any = true;
        if (mlc_symbol_is_public(op) || (!all_uses_visible && !mlc_symbol_is_private(op)))
            set_unknown(s, op);
    }
    if (!any || mlc_symbol_visit_uses(table, false, note_other_use, s))
        return;
    MLC_FOR_EACH_PREORDER (op, s->top)
        if (mlc_op_interface(op, MLC_INTERFACE_CALLABLE))
            set_unknown(s, op);
}

// Whether uses of what `table` defines are all within the top op: some op around it hides them.
static bool
are_uses_visible(MlcSolver *s, MlcOp *table)
{
    bool visible = !mlc_op_block(s->top);
    for (MlcOp *op = table;; op = mlc_op_parent(op)) {
        visible |= !mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE) || !mlc_op_is_symbol(op) ||
                   mlc_symbol_is_private(op);
        if (op == s->top)
            return visible;
    }
}

// --- visits

// Constants of op's operands, or NULLs; false if something is not known yet.
static bool
operand_constants(MlcFlow *flow, MlcOp *op, MlcAttr *constants)
{
    MlcSolver *s = flow->solver;
    bool all_known = true;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        mlc_flow_subscribe(s->constants, value, flow);
        const MlcConstant *c = mlc_element_data(mlc_flow_find(s->constants, value));
        all_known &= c->is_known;
        constants[i] = c->value;
    }
    return all_known;
}

static void
visit_call(MlcSolver *s, MlcOp *call)
{
    MlcOp *callee = mlc_call_callee(call);
    if (callee && mlc_op_is_symbol(callee) && mlc_op_is_ancestor(s->top, callee) &&
        (mlc_callable_body(callee) || !mlc_op_interface(callee, MLC_INTERFACE_CALLABLE)))
        add_predecessor(s, callee, (Predecessor){.op = call});
    else
        set_unknown(s, call);
}

// Control goes from `source` (op itself, or a terminator in it) to these points.
static void
enter_points(MlcSolver *s, MlcOp *op, MlcOp *source, const MlcAttr *constants)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    PointNumbers points = {0};
    mlc_region_points(op, source == op ? NULL : source, constants, &points);
    for (size_t i = 0; i < points.size; i++) {
        int to = points.data[i];
        MlcBlock *block = to < 0 ? NULL : mlc_region_first(mlc_op_region(op, (size_t)to));
        if (to >= 0 && !block)
            continue;
        Predecessor predecessor = {.op = source};
        branch->inputs(op, to, &predecessor.first, &predecessor.count);
        if (block)
            mark_block_live(s, block);
        add_predecessor(s, block ? (const void *)block : op, predecessor);
    }
    mlc_vec_release(&points);
}

static void
visit_regions(MlcFlow *flow, MlcOp *op, const MlcAttr *constants)
{
    MlcSolver *s = flow->solver;
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH)) {
        if (constants)
            enter_points(s, op, op, constants);
    } else if (mlc_op_interface(op, MLC_INTERFACE_CALLABLE)) {
        Predecessors *calls = mlc_solver_predecessors(s, op);
        mlc_solver_depend(s, &calls->state);
        if (calls->has_unknown || calls->known.size)
            mark_entries_live(s, op);
    } else {
        mark_entries_live(s, op);
    }
}

static void
visit_return(MlcFlow *flow, MlcOp *op, MlcOp *callable)
{
    MlcSolver *s = flow->solver;
    Predecessors *calls = mlc_solver_predecessors(s, callable);
    mlc_solver_depend(s, &calls->state);
    for (size_t i = 0; i < calls->known.size; i++)
        if (mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE))
            add_predecessor(s, calls->known.data[i].op, (Predecessor){.op = op});
        else
            set_unknown(s, calls->known.data[i].op);
}

static void
visit_successors(MlcFlow *flow, MlcOp *op, const MlcAttr *constants)
{
    MlcSolver *s = flow->solver;
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    if (branch && !constants)
        return;
    int only = branch && branch->successor_for ? branch->successor_for(op, constants) : -1;
    // Of those that lead to one block all are taken, as MLIR does.
    for (size_t i = 0; i < mlc_op_num_successors(op); i++)
        if (only < 0 || mlc_op_successor(op, i) == mlc_op_successor(op, (size_t)only))
            mark_edge_live(s, op, i);
}

static bool
leaves_region(MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    return !mlc_op_num_successors(op) && parent && mlc_op_block(op) &&
           mlc_block_terminator(mlc_op_block(op)) == op &&
           (mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH) ||
            mlc_op_interface(parent, MLC_INTERFACE_CALLABLE));
}

static void
visit_op(MlcFlow *flow, MlcOp *op)
{
    MlcSolver *s = flow->solver;
    if (mlc_op_block(op) && op != s->top && !mlc_solver_executable(s, mlc_op_block(op))->is_live)
        return;
    MlcAttr *storage = mlc_malloc((mlc_op_num_operands(op) + 1) * sizeof *storage);
    bool leaves = op != s->top && leaves_region(op);
    bool wants =
        mlc_op_num_successors(op) || leaves || mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    const MlcAttr *constants = wants && operand_constants(flow, op, storage) ? storage : NULL;
    if (mlc_op_interface(op, MLC_INTERFACE_CALL))
        visit_call(s, op);
    if (mlc_op_num_regions(op))
        visit_regions(flow, op, constants);
    MlcOp *parent = leaves ? mlc_op_parent(op) : NULL;
    if (parent && !mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH))
        visit_return(flow, op, parent);
    else if (parent && constants)
        enter_points(s, parent, op, constants);
    if (mlc_op_num_successors(op))
        visit_successors(flow, op, constants);
    mlc_free(storage);
}

static void
visit(MlcFlow *flow, Point point)
{
    if (point.op)
        visit_op(flow, point.op);
}

static void
start(MlcFlow *flow, MlcOp *top)
{
    MlcSolver *s = flow->solver;
    mark_entries_live(s, top);
    MLC_FOR_EACH_POSTORDER (op, top)
        if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE))
            start_table(s, op, are_uses_visible(s, op));
    MLC_FOR_EACH_PREORDER (op, top) {
        if (!mlc_op_num_regions(op) && !mlc_op_num_successors(op) &&
            !mlc_op_interface(op, MLC_INTERFACE_CALL) && (op == top || !leaves_region(op)))
            continue;
        if (op != top)
            mlc_solver_executable(s, mlc_op_block(op))->state.subscribers |= UINT64_C(1)
                                                                             << flow->number;
        s->current = (Work){{.op = op}, flow};
        visit_op(flow, op);
    }
}

// --- public

void
mlc_solver_add_dead_code(MlcSolver *s)
{
    if (s->dead_code)
        return;
    s->dead_code = mlc_solver_add_flow(s, start, visit);
    mlc_solver_make_constants(s);
}

bool
mlc_solver_block_is_live(const MlcSolver *s, const MlcBlock *block)
{
    const Executable *e = mlc_map_get(&s->executable, block);
    return e && e->is_live;
}
