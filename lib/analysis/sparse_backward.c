// sparse_backward.c -- which values are live: whether anything that can be seen depends on them.
//
// Live are operands of ops that touch memory, what leaves a function that others may call, what
// decides where control goes if something there touches memory, and what a live value is computed
// from. Block arguments hand their liveness back along the edges by which they get their values.
#include "solver.h"

#include "mlc/support/alloc.h"

static bool
join(void *into, const void *from)
{
    bool was = *(bool *)into;
    *(bool *)into |= *(const bool *)from;
    return *(bool *)into != was;
}

static void
set_live(MlcValue *value, void *element)
{
    (void)value;
    *(bool *)element = true;
}

static const MlcSparseForward elements = {
    .name = "liveness", .size = sizeof(bool), .join = join, .unknown = set_live};

static void
mark(MlcFlow *flow, MlcValue *value)
{
    mlc_flow_join_unknown(flow, value);
}

static void
meet(MlcFlow *flow, MlcValue *value, MlcValue *with)
{
    mlc_flow_join(flow, value, mlc_flow_ask(flow, with));
}

// Operand `i` of `op`, or all (SIZE_MAX), by op's effects and by the results of `results_of`.
static void
mark_by_op(MlcFlow *flow, MlcOp *op, MlcOp *results_of, size_t i)
{
    bool live = !mlc_op_is_memory_effect_free(results_of) ||
                mlc_op_has_trait(results_of, MLC_TRAIT_RETURN_LIKE);
    for (size_t r = 0; r < mlc_op_num_results(results_of); r++)
        live |= *(const bool *)mlc_flow_ask(flow, mlc_op_result(results_of, r));
    for (size_t k = 0; live && k < mlc_op_num_operands(op); k++)
        if (i == SIZE_MAX || k == i)
            mark(flow, mlc_op_operand(op, k));
}

static bool
touches_memory(const MlcBlock *block)
{
    MLC_FOR_EACH_OP (op, block)
        if (!mlc_op_is_memory_effect_free(op))
            return true;
    return false;
}

// An operand that is not handed on decides where control goes.
static void
visit_deciding_operand(MlcFlow *flow, MlcOp *op, size_t i)
{
    bool is_branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    MlcOp *owner = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH) ? op : mlc_op_parent(op);
    bool touches = false;
    for (size_t s = 0; is_branch && s < mlc_op_num_successors(op); s++)
        touches |= touches_memory(mlc_op_successor(op, s));
    if (!is_branch)
        MLC_FOR_EACH_BLOCK_IN_OP (block, owner)
            touches = touches || touches_memory(block);
    if (touches)
        mark(flow, mlc_op_operand(op, i));
    mark_by_op(flow, op, op, i);
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_TERMINATOR))
        mark_by_op(flow, op, mlc_op_parent(op), i);
}

static void
visit_others(MlcFlow *flow, MlcOp *op, const bool *is_handed_on)
{
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!is_handed_on[i])
            visit_deciding_operand(flow, op, i);
}

static void
visit_branch(MlcFlow *flow, MlcOp *op, bool *is_handed_on)
{
    const MlcBranch *branch = mlc_op_interface(op, MLC_INTERFACE_BRANCH);
    for (size_t s = 0; s < mlc_op_num_successors(op); s++) {
        MlcBlock *block = mlc_op_successor(op, s);
        size_t first, count, n = mlc_block_num_args(block);
        branch->successor_operands(op, s, &first, &count);
        for (size_t i = 0; i < count && count <= n; i++) {
            is_handed_on[first + i] = true;
            meet(flow, mlc_op_operand(op, first + i), mlc_block_arg(block, n - count + i));
        }
    }
    visit_others(flow, op, is_handed_on);
}

// From `source` (op, or a terminator in it) to all points that it may lead to.
static void
visit_region_edges(MlcFlow *flow, MlcOp *op, MlcOp *source, bool *is_handed_on)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    const MlcRegionTerminator *leaving = mlc_op_interface(source, MLC_INTERFACE_REGION_TERMINATOR);
    PointNumbers points = {0};
    mlc_region_points(op, source == op ? NULL : source, NULL, &points);
    for (size_t p = 0; p < points.size; p++) {
        int to = points.data[p];
        MlcBlock *block = to < 0 ? NULL : mlc_region_first(mlc_op_region(op, (size_t)to));
        size_t first = 0, count = 0, first_input, num_inputs;
        if (to >= 0 && !block)
            continue;
        branch->inputs(op, to, &first_input, &num_inputs);
        if (source == op)
            branch->entry_operands(op, to, &first, &count);
        else if (leaving)
            leaving->operands(source, to, &first, &count);
        for (size_t i = 0; i < count && i < num_inputs; i++) {
            is_handed_on[first + i] = true;
            meet(flow, mlc_op_operand(source, first + i),
                 block ? mlc_block_arg(block, first_input + i)
                       : mlc_op_result(op, first_input + i));
        }
    }
    mlc_vec_release(&points);
    visit_others(flow, source, is_handed_on);
}

static void
visit_call(MlcFlow *flow, MlcOp *call, MlcRegion *body, bool *is_handed_on)
{
    const MlcCall *methods = mlc_op_interface(call, MLC_INTERFACE_CALL);
    size_t first, count;
    methods->arguments(call, &first, &count);
    for (size_t i = 0; body && i < count; i++)
        if (i < mlc_block_num_args(mlc_region_first(body))) {
            is_handed_on[first + i] = true;
            meet(flow, mlc_op_operand(call, first + i), mlc_block_arg(mlc_region_first(body), i));
        }
    for (size_t i = 0; i < mlc_op_num_operands(call); i++)
        if (!is_handed_on[i])
            mark(flow, mlc_op_operand(call, i));
}

static void
visit_return(MlcFlow *flow, MlcOp *op, MlcOp *callable)
{
    Predecessors *calls = mlc_solver_predecessors(flow->solver, callable);
    mlc_solver_depend(flow->solver, &calls->state);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        if (calls->has_unknown)
            mark(flow, mlc_op_operand(op, i));
        for (size_t k = 0; !calls->has_unknown && k < calls->known.size; k++)
            if (i < mlc_op_num_results(calls->known.data[k].op))
                meet(flow, mlc_op_operand(op, i), mlc_op_result(calls->known.data[k].op, i));
    }
}

static void
visit_op(MlcFlow *flow, MlcOp *op)
{
    MlcSolver *s = flow->solver;
    if (op != s->top && mlc_op_block(op) && !mlc_solver_executable(s, mlc_op_block(op))->is_live)
        return;
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_flow_find(flow, value);
    bool *is_handed_on = mlc_calloc(mlc_op_num_operands(op) + 1, sizeof *is_handed_on);
    MlcOp *parent = op == s->top ? NULL : mlc_op_parent(op);
    bool is_return = mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE);
    bool leaves = parent && (is_return || mlc_op_interface(op, MLC_INTERFACE_REGION_TERMINATOR));
    MlcOp *callee = mlc_op_interface(op, MLC_INTERFACE_CALL) ? mlc_call_callee(op) : NULL;
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH))
        visit_region_edges(flow, op, op, is_handed_on);
    else if (mlc_op_interface(op, MLC_INTERFACE_BRANCH))
        visit_branch(flow, op, is_handed_on);
    else if (callee && mlc_op_interface(callee, MLC_INTERFACE_CALLABLE))
        visit_call(flow, op, mlc_callable_body(callee), is_handed_on);
    else if (leaves && mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH))
        visit_region_edges(flow, parent, op, is_handed_on);
    else if (leaves && is_return && mlc_op_interface(parent, MLC_INTERFACE_CALLABLE))
        visit_return(flow, op, parent);
    else
        mark_by_op(flow, op, op, SIZE_MAX);
    mlc_free(is_handed_on);
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
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, top)
        mlc_vec_push(&ops, op);
    while (ops.size) { // last first: users before what they use
        MlcOp *op = mlc_vec_pop(&ops);
        if (op != top)
            mlc_solver_executable(flow->solver, mlc_op_block(op))->state.subscribers |=
                UINT64_C(1) << flow->number;
        flow->solver->current = (Work){{.op = op}, flow};
        visit_op(flow, op);
    }
    mlc_vec_release(&ops);
}

void
mlc_solver_add_liveness(MlcSolver *s)
{
    mlc_solver_add_dead_code(s);
    s->liveness = mlc_solver_add_flow(s, start, visit);
    s->liveness->forward = &elements;
}

bool
mlc_solver_value_is_live(const MlcSolver *s, const MlcValue *value)
{
    const bool *live = mlc_flow_element(s->liveness, value);
    return live ? *live : mlc_value_block(value) != NULL;
}
