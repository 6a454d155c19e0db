// int_range.c -- integer ranges: what each op says of its results (mlc/ir/int_range.h), joined
// along control flow.
//
// A range may grow around a loop as often as there are numbers. So a result that is handed to a
// terminator becomes "any" when it grows for the second time; trip counts are not worked out.
#include "solver.h"

#include "mlc/ir/int_range.h"
#include "mlc/support/alloc.h"

typedef struct KnownRange {
    bool is_known; // false: nothing reached the value yet
    MlcRange range;
} KnownRange;

static bool
join(void *into, const void *from)
{
    KnownRange *a = into;
    const KnownRange *b = from;
    if (!b->is_known)
        return false;
    MlcRange range = a->is_known ? mlc_range_union(a->range, b->range) : b->range;
    if (a->is_known && mlc_range_equal(range, a->range))
        return false;
    *a = (KnownRange){true, range};
    return true;
}

static void
set_unknown(MlcValue *value, void *element)
{
    *(KnownRange *)element = (KnownRange){true, mlc_range_of_type(mlc_value_type(value))};
}

static bool
is_handed_on(const MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value)
        if (mlc_op_has_trait(mlc_use_owner(use), MLC_TRAIT_TERMINATOR))
            return true;
    return false;
}

static void
join_range(MlcFlow *flow, MlcValue *value, MlcRange range)
{
    const KnownRange *known = mlc_flow_element(flow, value);
    KnownRange before = known ? *known : (KnownRange){0}, joined = {true, range};
    mlc_flow_join(flow, value, &joined);
    known = mlc_flow_element(flow, value);
    if (before.is_known && !mlc_range_equal(known->range, before.range) && is_handed_on(value))
        mlc_flow_join_unknown(flow, value);
}

// The ranges of the operands; false if one is not known yet.
static bool
read_ranges(const void *const *operands, size_t n, MlcRange *ranges)
{
    for (size_t i = 0; i < n; i++) {
        const KnownRange *operand = operands[i];
        if (!operand->is_known)
            return false;
        ranges[i] = operand->range;
    }
    return true;
}

static void
visit(MlcFlow *flow, MlcOp *op, const void *const *operands)
{
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    const MlcIntRange *methods = mlc_op_interface(op, MLC_INTERFACE_INT_RANGE);
    if (!methods || !methods->results) {
        for (size_t i = 0; i < num_results; i++)
            mlc_flow_join_unknown(flow, mlc_op_result(op, i));
        return;
    }
    MlcRange few[8], *ranges = few;
    if (num_operands + num_results > 8)
        ranges = mlc_malloc((num_operands + num_results) * sizeof *ranges);
    MlcRange *results = ranges + num_operands;
    if (read_ranges(operands, num_operands, ranges)) {
        for (size_t i = 0; i < num_results; i++)
            results[i] = mlc_range_of_type(mlc_value_type(mlc_op_result(op, i)));
        methods->results(op, ranges, results);
        for (size_t i = 0; i < num_results; i++)
            join_range(flow, mlc_op_result(op, i), results[i]);
    }
    if (ranges != few)
        mlc_free(ranges);
}

// --- induction variables

static void
visit_args(MlcFlow *flow, MlcOp *op, MlcBlock *block, const MlcIntRange *methods, size_t first,
           size_t count)
{
    size_t num_operands = mlc_op_num_operands(op), n = mlc_block_num_args(block);
    MlcRange *ranges = mlc_malloc((num_operands + n) * sizeof *ranges),
             *args = ranges + num_operands;
    const void **operands = mlc_malloc((num_operands + 1) * sizeof *operands);
    for (size_t i = 0; i < num_operands; i++)
        operands[i] = mlc_flow_ask(flow, mlc_op_operand(op, i));
    if (read_ranges(operands, num_operands, ranges)) {
        for (size_t i = 0; i < n; i++)
            args[i] = mlc_range_of_type(mlc_value_type(mlc_block_arg(block, i)));
        methods->args(op, mlc_block_region(block), ranges, args);
        for (size_t i = 0; i < n; i++)
            if (i < first || i >= first + count)
                join_range(flow, mlc_block_arg(block, i), args[i]);
    }
    mlc_free((void *)operands);
    mlc_free(ranges);
}

static void
visit_unexplained(MlcFlow *flow, MlcOp *op, MlcRegion *region, size_t first, size_t count)
{
    const MlcIntRange *methods = mlc_op_interface(op, MLC_INTERFACE_INT_RANGE);
    MlcBlock *block = region ? mlc_region_first(region) : NULL;
    if (methods && methods->args && block) {
        visit_args(flow, op, block, methods, first, count);
        return;
    }
    size_t n = block ? mlc_block_num_args(block) : mlc_op_num_results(op);
    for (size_t i = 0; i < n; i++)
        if (i < first || i >= first + count)
            mlc_flow_join_unknown(flow, block ? mlc_block_arg(block, i) : mlc_op_result(op, i));
}

// --- what others learn: branches on a value of one range are decided, and folds read constants

static void
changed(MlcFlow *flow, MlcValue *value, const void *element)
{
    const KnownRange *known = element;
    MlcConstant constant = {.is_known = true};
    int64_t number;
    if (mlc_range_is_one(known->range, &number)) {
        MlcOp *def = mlc_value_def(value);
        if (!def)
            def = mlc_block_parent(mlc_value_block(value));
        constant.value = mlc_range_constant(mlc_value_type(value), number);
        constant.dialect = mlc_op_def(def)->dialect;
    }
    mlc_solver_join_constant(mlc_flow_solver(flow), value, constant);
}

static const MlcSparseForward def = {
    .name = "int-ranges",
    .size = sizeof(KnownRange),
    .join = join,
    .unknown = set_unknown,
    .visit = visit,
    .visit_unexplained = visit_unexplained,
    .changed = changed,
};

void
mlc_solver_add_int_ranges(MlcSolver *s)
{
    if (!s->int_ranges)
        s->int_ranges = mlc_solver_add_forward(s, &def);
}

bool
mlc_solver_int_range(const MlcSolver *s, const MlcValue *value, MlcRange *range)
{
    const KnownRange *known = mlc_flow_element(s->int_ranges, value);
    if (!known || !known->is_known || known->range.width == 0)
        return false;
    *range = known->range;
    return true;
}
