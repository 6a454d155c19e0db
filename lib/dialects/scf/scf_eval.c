// scf_eval.c -- what structured control flow does.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"

bool
mlc_scf_for_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t num_carried = mlc_op_num_results(op);
    int64_t lower = mlc_datum_as_int(&operands[0]), upper = mlc_datum_as_int(&operands[1]),
            step = mlc_datum_as_int(&operands[2]);
    if (step <= 0)
        return mlc_eval_error(e, op, "has a step of %lld", (long long)step);
    MlcDatum *args = mlc_eval_alloc(e, (num_carried + 1) * sizeof *args);
    memcpy(results, operands + 3, num_carried * sizeof *results);
    size_t mark = mlc_eval_mark(e);
    for (int64_t i = lower; i < upper;) {
        args[0] = mlc_datum_int(operands[0].type, i);
        memcpy(args + 1, results, num_carried * sizeof *args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, num_carried + 1, results, num_carried))
            return false;
        mlc_eval_collect(e, mark, results, num_carried);
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    return true;
}

bool
mlc_scf_if_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcRegion *region = mlc_op_region(op, mlc_datum_as_bool(&operands[0]) ? 0 : 1);
    if (mlc_region_is_empty(region))
        return true;
    return mlc_eval_region(e, region, NULL, 0, results, mlc_op_num_results(op));
}

bool
mlc_scf_execute_region_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return mlc_eval_region(e, mlc_op_region(op, 0), NULL, 0, results, mlc_op_num_results(op));
}

bool
mlc_scf_index_switch_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr cases = mlc_op_attr(op, "cases");
    size_t taken = 0; // the default
    for (size_t i = 0; i < mlc_int_list_attr_size(cases); i++) {
        int64_t value;
        if (mlc_int_list_attr_get(cases, i, &value) && value == mlc_datum_as_int(&operands[0]))
            taken = i + 1;
    }
    return mlc_eval_region(e, mlc_op_region(op, taken), NULL, 0, results, mlc_op_num_results(op));
}

// `before` gives the condition and what goes on: to `after`, or out.
bool
mlc_scf_while_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t num_before = mlc_op_num_operands(op), num_after = mlc_op_num_results(op);
    MlcDatum *before = mlc_eval_alloc(e, (num_before + num_after + 1) * sizeof *before),
             *after = before + num_before;
    memcpy(before, operands, num_before * sizeof *before);
    for (size_t mark = mlc_eval_mark(e);;) {
        if (!mlc_eval_region(e, mlc_op_region(op, 0), before, num_before, after, num_after + 1))
            return false;
        if (!mlc_datum_as_bool(&after[0]))
            break;
        if (!mlc_eval_region(e, mlc_op_region(op, 1), after + 1, num_after, before, num_before))
            return false;
        mlc_eval_collect(e, mark, before, num_before);
    }
    memcpy(results, after + 1, num_after * sizeof *results);
    return true;
}

// --- parallel loops

typedef struct Space {
    size_t rank;
    int64_t *lower, *upper, *step, *count; // `count` iterations
    uint64_t total;
} Space;

static bool
space_init(MlcEval *e, MlcOp *op, Space *space)
{
    space->total = 1;
    for (size_t i = 0; i < space->rank; i++) {
        if (space->step[i] <= 0)
            return mlc_eval_error(e, op, "has a step of %lld", (long long)space->step[i]);
        int64_t span = space->upper[i] - space->lower[i];
        space->count[i] = span <= 0 ? 0 : (span + space->step[i] - 1) / space->step[i];
        space->total *= (uint64_t)space->count[i];
    }
    return true;
}

static void
space_alloc(MlcEval *e, Space *space, size_t rank)
{
    space->rank = rank;
    space->lower = mlc_eval_alloc(e, 4 * rank * sizeof(int64_t));
    space->upper = space->lower + rank;
    space->step = space->upper + rank;
    space->count = space->step + rank;
}

// The induction variables of the iteration that comes `i`-th.
static void
space_at(MlcEval *e, const Space *space, uint64_t i, MlcDatum *args)
{
    uint64_t rest = mlc_eval_order(e, i, space->total);
    for (size_t d = space->rank; d-- > 0;) {
        uint64_t at = rest % (uint64_t)space->count[d];
        rest /= (uint64_t)space->count[d];
        args[d] =
            mlc_datum_index(mlc_eval_context(e), space->lower[d] + (int64_t)at * space->step[d]);
    }
}

// Each value of the iteration into its accumulator, by the regions of the body's terminator.
static bool
reduce(MlcEval *e, MlcOp *terminator, const MlcDatum *values, MlcDatum *results, size_t num_results)
{
    for (size_t r = 0; r < num_results; r++) {
        MlcDatum pair[2] = {results[r], values[r]};
        if (!mlc_eval_region(e, mlc_op_region(terminator, r), pair, 2, &results[r], 1))
            return false;
    }
    return true;
}

bool
mlc_scf_parallel_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    size_t first, rank, num_results = mlc_op_num_results(op);
    mlc_op_operand_group(op, 0, &first, &rank);
    Space space;
    space_alloc(e, &space, rank);
    for (size_t i = 0; i < rank; i++) {
        space.lower[i] = mlc_datum_as_int(&operands[i]);
        space.upper[i] = mlc_datum_as_int(&operands[rank + i]);
        space.step[i] = mlc_datum_as_int(&operands[2 * rank + i]);
    }
    memcpy(results, operands + 3 * rank, num_results * sizeof *results);
    MlcOp *terminator = mlc_block_last(mlc_region_first(mlc_op_region(op, 0)));
    MlcDatum *args = mlc_eval_alloc(e, (rank + num_results) * sizeof *args), *values = args + rank;
    if (!space_init(e, op, &space))
        return false;
    size_t mark = mlc_eval_mark(e);
    for (uint64_t i = 0; i < space.total; i++) {
        space_at(e, &space, i, args);
        if (!mlc_eval_region(e, mlc_op_region(op, 0), args, rank, values, num_results) ||
            !reduce(e, terminator, values, results, num_results))
            return false;
        mlc_eval_collect(e, mark, results, num_results);
    }
    return true;
}

// Iterations share the results, which start as copies of the outputs; the ops of the terminator's
// region write their slices into them in place.
bool
mlc_scf_forall_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    static const char *const names[3] = {"staticLowerBound", "staticUpperBound", "staticStep"};
    size_t num_results = mlc_op_num_results(op), used = 0, first, count;
    MlcAttr lists[3];
    for (size_t i = 0; i < 3; i++)
        lists[i] = mlc_op_attr(op, names[i]);
    Space space;
    space_alloc(e, &space, mlc_int_list_attr_size(lists[0]));
    if (!mlc_eval_mixed(e, op, lists[0], operands, &used, space.lower) ||
        !mlc_eval_mixed(e, op, lists[1], operands, &used, space.upper) ||
        !mlc_eval_mixed(e, op, lists[2], operands, &used, space.step) || !space_init(e, op, &space))
        return false;
    mlc_op_operand_group(op, 3, &first, &count);
    for (size_t i = 0; i < num_results; i++)
        if (!mlc_eval_copy_elements(e, op, &operands[first + i], &results[i]))
            return false;
    MlcRegion *body = mlc_op_region(op, 0);
    MlcOp *terminator = mlc_block_last(mlc_region_first(body));
    MlcDatum *args = mlc_eval_alloc(e, (space.rank + num_results) * sizeof *args);
    memcpy(args + space.rank, results, num_results * sizeof *args);
    size_t mark = mlc_eval_mark(e);
    for (uint64_t i = 0; i < space.total; i++) {
        space_at(e, &space, i, args);
        if (!mlc_eval_region(e, body, args, space.rank + num_results, NULL, 0) ||
            !mlc_eval_region(e, mlc_op_region(terminator, 0), NULL, 0, NULL, 0))
            return false;
        mlc_eval_collect(e, mark, results, num_results);
    }
    return true;
}
