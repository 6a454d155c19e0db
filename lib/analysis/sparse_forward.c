// sparse_forward.c -- analyses with an element per value, in the direction of execution.
//
// An op's results follow from its operands; block arguments and the results of ops with regions
// from what control flow hands over, edge by edge, as far as the edge is live; arguments of a
// callable from its calls, if all are known.
#include "solver.h"

#include "mlc/support/alloc.h"

void
mlc_flow_join(MlcFlow *flow, MlcValue *value, const void *from)
{
    MlcSolver *s = flow->solver;
    Element *element = mlc_flow_find(flow, value);
    if (!flow->forward->join(mlc_element_data(element), from))
        return;
    mlc_solver_changed(s, &element->state);
    for (size_t i = 0; i < s->flows.size; i++)
        if (element->state.subscribers >> i & 1)
            MLC_FOR_EACH_USE (use, value)
                mlc_solver_enqueue(s, (Point){.op = mlc_use_owner(use)}, s->flows.data[i]);
    if (flow->forward->changed)
        flow->forward->changed(flow, value, mlc_element_data(element));
}

void
mlc_flow_join_unknown(MlcFlow *flow, MlcValue *value)
{
    uint64_t few[16], *element = few;
    size_t size = flow->forward->size;
    if (size > sizeof few)
        element = mlc_malloc(size);
    memset(element, 0, size);
    flow->forward->unknown(value, element);
    mlc_flow_join(flow, value, element);
    if (element != few)
        mlc_free(element);
}

const void *
mlc_flow_element(MlcFlow *flow, const MlcValue *value)
{
    Element *element = mlc_map_get(&flow->elements, value);
    return element ? mlc_element_data(element) : NULL;
}

const void *
mlc_flow_ask(MlcFlow *flow, MlcValue *value)
{
    Element *element = mlc_flow_find(flow, value);
    mlc_solver_depend(flow->solver, &element->state);
    return mlc_element_data(element);
}

// --- what receives values: results of an op, or arguments of a block

typedef struct Inputs {
    MlcOp *op; // one of the two
    MlcBlock *block;
} Inputs;

static size_t
num_inputs(Inputs in)
{
    return in.op ? mlc_op_num_results(in.op) : mlc_block_num_args(in.block);
}

static MlcValue *
input(Inputs in, size_t i)
{
    return in.op ? mlc_op_result(in.op, i) : mlc_block_arg(in.block, i);
}

static void
all_unknown(MlcFlow *flow, Inputs in)
{
    for (size_t i = 0; i < num_inputs(in); i++)
        mlc_flow_join_unknown(flow, input(in, i));
}

static void
join_operand(MlcFlow *flow, MlcValue *input, MlcValue *operand)
{
    mlc_flow_join(flow, input, mlc_flow_ask(flow, operand));
}

// Inputs outside of [first, first + count).
static void
unexplained(MlcFlow *flow, MlcOp *op, Inputs in, size_t first, size_t count)
{
    if (flow->forward->visit_unexplained) {
        MlcRegion *region = in.block ? mlc_block_region(in.block) : NULL;
        flow->forward->visit_unexplained(flow, op, region, first, count);
        return;
    }
    for (size_t i = 0; i < num_inputs(in); i++)
        if (i < first || i >= first + count)
            mlc_flow_join_unknown(flow, input(in, i));
}

static void
visit_region_inputs(MlcFlow *flow, MlcOp *op, Inputs in)
{
    MlcSolver *s = flow->solver;
    Predecessors *from = mlc_solver_predecessors(s, in.op ? (const void *)in.op : in.block);
    mlc_solver_depend(s, &from->state);
    int to = in.op ? -1 : (int)mlc_region_index(mlc_block_region(in.block));
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    for (size_t k = 0; k < from->known.size; k++) {
        Predecessor p = from->known.data[k];
        const MlcRegionTerminator *leaving =
            p.op == op ? NULL : mlc_op_interface(p.op, MLC_INTERFACE_REGION_TERMINATOR);
        size_t first = 0, count = 0;
        if (p.op == op)
            branch->entry_operands(op, to, &first, &count);
        else if (leaving)
            leaving->operands(p.op, to, &first, &count);
        else // a terminator that does not say what it hands over
            for (size_t i = 0; i < p.count; i++)
                mlc_flow_join_unknown(flow, input(in, p.first + i));
        if (p.count != num_inputs(in))
            unexplained(flow, op, in, p.first, p.count);
        for (size_t i = 0; i < count && i < p.count; i++)
            join_operand(flow, input(in, p.first + i), mlc_op_operand(p.op, first + i));
    }
}

// --- ops

static void
visit_call(MlcFlow *flow, MlcOp *call)
{
    MlcSolver *s = flow->solver;
    Inputs results = {.op = call};
    MlcOp *callee = mlc_call_callee(call);
    if (callee && mlc_op_interface(callee, MLC_INTERFACE_CALLABLE) && !mlc_callable_body(callee)) {
        all_unknown(flow, results);
        return;
    }
    Predecessors *returns = mlc_solver_predecessors(s, call);
    mlc_solver_depend(s, &returns->state);
    if (returns->has_unknown) {
        all_unknown(flow, results);
        return;
    }
    for (size_t k = 0; k < returns->known.size; k++) {
        MlcOp *from = returns->known.data[k].op;
        for (size_t i = 0; i < mlc_op_num_operands(from) && i < num_inputs(results); i++)
            join_operand(flow, input(results, i), mlc_op_operand(from, i));
    }
}

static void
visit_plain_op(MlcFlow *flow, MlcOp *op)
{
    size_t n = mlc_op_num_operands(op);
    const void *few[8], **operands = few;
    if (n > 8)
        operands = mlc_malloc(n * sizeof *operands);
    for (size_t i = 0; i < n; i++)
        operands[i] = mlc_element_data(mlc_flow_find(flow, mlc_op_operand(op, i)));
    flow->forward->visit(flow, op, operands);
    if (operands != few)
        mlc_free((void *)operands);
}

static void
visit_op(MlcFlow *flow, MlcOp *op)
{
    MlcSolver *s = flow->solver;
    if (!mlc_op_num_results(op) ||
        (op != s->top && mlc_op_block(op) && !mlc_solver_executable(s, mlc_op_block(op))->is_live))
        return;
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH)) {
        visit_region_inputs(flow, op, (Inputs){.op = op});
        return;
    }
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_flow_subscribe(flow, mlc_op_operand(op, i), flow);
    if (mlc_op_interface(op, MLC_INTERFACE_CALL))
        visit_call(flow, op);
    else
        visit_plain_op(flow, op);
}

// --- blocks

static void
visit_callable_args(MlcFlow *flow, MlcOp *callable, MlcBlock *block)
{
    MlcSolver *s = flow->solver;
    Inputs args = {.block = block};
    Predecessors *calls = mlc_solver_predecessors(s, callable);
    mlc_solver_depend(s, &calls->state);
    if (calls->has_unknown) {
        all_unknown(flow, args);
        return;
    }
    for (size_t k = 0; k < calls->known.size; k++) {
        MlcOp *call = calls->known.data[k].op;
        const MlcCall *methods = mlc_op_interface(call, MLC_INTERFACE_CALL);
        size_t first, count;
        methods->arguments(call, &first, &count);
        for (size_t i = 0; i < count && i < num_inputs(args); i++)
            join_operand(flow, input(args, i), mlc_op_operand(call, first + i));
    }
}

static void
visit_entry(MlcFlow *flow, MlcOp *parent, MlcBlock *block)
{
    Inputs args = {.block = block};
    if (mlc_callable_body(parent) == mlc_block_region(block))
        visit_callable_args(flow, parent, block);
    else if (mlc_op_interface(parent, MLC_INTERFACE_REGION_BRANCH))
        visit_region_inputs(flow, parent, args);
    else
        unexplained(flow, parent, args, 0, 0);
}

// One edge into `block`.
static void
visit_edge(MlcOp *terminator, size_t slot, void *user)
{
    MlcFlow *flow = user;
    MlcSolver *s = flow->solver;
    MlcBlock *block = s->current.point.block;
    Executable *edge = mlc_solver_executable(s, mlc_solver_edge_key(terminator, slot));
    edge->state.subscribers |= UINT64_C(1) << flow->number;
    if (!edge->is_live)
        return;
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcValue *given = mlc_branch_operand(terminator, slot, i);
        if (given)
            join_operand(flow, mlc_block_arg(block, i), given);
        else
            mlc_flow_join_unknown(flow, mlc_block_arg(block, i));
    }
}

static void
visit_block(MlcFlow *flow, MlcBlock *block)
{
    MlcSolver *s = flow->solver;
    if (!mlc_block_num_args(block) || !mlc_solver_executable(s, block)->is_live)
        return;
    if (mlc_region_first(mlc_block_region(block)) == block)
        visit_entry(flow, mlc_block_parent(block), block);
    else
        mlc_block_visit_predecessors(block, visit_edge, flow);
}

void
mlc_forward_visit(MlcFlow *flow, Point point)
{
    if (point.op)
        visit_op(flow, point.op);
    else
        visit_block(flow, point.block);
}

static void
visit_now(MlcFlow *flow, Point point)
{
    flow->solver->current = (Work){point, flow};
    mlc_forward_visit(flow, point);
}

void
mlc_forward_start(MlcFlow *flow, MlcOp *top)
{
    for (size_t i = 0; i < mlc_op_num_regions(top); i++)
        if (!mlc_region_is_empty(mlc_op_region(top, i)))
            all_unknown(flow, (Inputs){.block = mlc_region_first(mlc_op_region(top, i))});
    MLC_FOR_EACH_PREORDER (op, top) {
        MlcBlock *block = op == top ? NULL : mlc_op_block(op);
        if (block && mlc_block_first(block) == op) {
            Executable *e = mlc_solver_executable(flow->solver, block);
            e->state.subscribers |= UINT64_C(1) << flow->number;
            visit_now(flow, (Point){.block = block});
        }
        visit_now(flow, (Point){.op = op});
    }
}

MlcFlow *
mlc_solver_add_forward(MlcSolver *s, const MlcSparseForward *def)
{
    mlc_solver_add_dead_code(s);
    MlcFlow *flow = mlc_solver_add_flow(s, mlc_forward_start, mlc_forward_visit);
    flow->forward = def;
    return flow;
}
