// scf.c -- what loops and conditions are: verification, control flow between regions. Bounds and
// first values of loops are told by their records.
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

#include "mlc/ir.h"

enum { PARENT = -1 }; // the op itself, as a point of region control flow

static void
nothing(size_t *first, size_t *count)
{
    *first = *count = 0;
}

// scf.for: operands are bounds and step, then one initial value per result; its block has the
// induction variable, then one argument per result.

bool
mlc_scf_for_verify(MlcOp *op)
{
    if (mlc_op_num_operands(op) - 3 != mlc_op_num_results(op))
        return mlc_op_error(op, "mismatch in number of loop-carried values and defined values");
    return true;
}

// What it carries is verified as any loop's is.
bool
mlc_scf_for_verify_regions(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_scf_for_region(op));
    if (mlc_block_num_args(block) == 0 ||
        mlc_value_type(mlc_block_arg(block, 0)) != mlc_value_type(mlc_scf_for_lower_bound(op)))
        return mlc_op_error(op, "expected induction variable to be same type as bounds and step");
    return true;
}

// scf.if

bool
mlc_scf_if_verify(MlcOp *op)
{
    if (mlc_op_num_results(op) && mlc_region_is_empty(mlc_scf_if_else_region(op)))
        return mlc_op_error(op, "must have an else block if defining values");
    return true;
}

static size_t
if_successors(MlcOp *op, int from, int *successors)
{
    if (from != PARENT) {
        successors[0] = PARENT;
        return 1;
    }
    successors[0] = 0;
    successors[1] = mlc_region_is_empty(mlc_scf_if_else_region(op)) ? PARENT : 1;
    return 2;
}

static void
no_entry_operands(MlcOp *op, int to, size_t *first, size_t *count)
{
    (void)op, (void)to;
    nothing(first, count);
}

static void
results_only(MlcOp *op, int to, size_t *first, size_t *count)
{
    *first = 0;
    *count = to == PARENT ? mlc_op_num_results(op) : 0;
}

// Of a condition that is known, the one region; without an else region, the results.
static size_t
if_entry_successors(MlcOp *op, const MlcAttr *constants, int *successors)
{
    if_successors(op, PARENT, successors);
    if (!constants[0])
        return 2;
    if (!mlc_attr_as_bool(constants[0]))
        successors[0] = successors[1];
    return 1;
}

const MlcRegionBranch mlc_scf_if_region_branch = {.successors = if_successors,
                                                  .entry_operands = no_entry_operands,
                                                  .inputs = results_only,
                                                  .entry_successors = if_entry_successors,
                                                  .at_most_once = true};

// scf.while: enters `before`, which goes on to `after` or to the results; `after` goes back.

static bool
ends_with(MlcOp *op, MlcRegion *region, const MlcOpDef *def, const char *message)
{
    MlcOp *last = mlc_block_last(mlc_region_first(region));
    if (last && mlc_op_def(last) == def)
        return true;
    mlc_op_error(op, "%s", message);
    if (last)
        mlc_note(mlc_op_context(op), mlc_op_loc(last), "terminator here");
    return false;
}

bool
mlc_scf_while_verify(MlcOp *op)
{
    return ends_with(op, mlc_scf_while_before(op), &mlc_scf_condition_def,
                     "expects the 'before' region to terminate with 'scf.condition'") &&
           ends_with(op, mlc_scf_while_after(op), &mlc_scf_yield_def,
                     "expects the 'after' region to terminate with 'scf.yield'");
}

static size_t
while_successors(MlcOp *op, int from, int *successors)
{
    (void)op;
    if (from != 0) { // entering, and from `after`
        successors[0] = 0;
        return 1;
    }
    successors[0] = PARENT;
    successors[1] = 1;
    return 2;
}

static void
while_entry_operands(MlcOp *op, int to, size_t *first, size_t *count)
{
    (void)to;
    *first = 0;
    *count = mlc_op_num_operands(op);
}

static void
while_inputs(MlcOp *op, int to, size_t *first, size_t *count)
{
    *first = 0;
    *count = to == PARENT ? mlc_op_num_results(op)
                          : mlc_block_num_args(mlc_region_first(mlc_op_region(op, (size_t)to)));
}

const MlcRegionBranch mlc_scf_while_region_branch = {
    .successors = while_successors, .entry_operands = while_entry_operands, .inputs = while_inputs};

// scf.condition: its first operand decides, the others go both ways.
static void
condition_operands(MlcOp *terminator, int to, size_t *first, size_t *count)
{
    (void)to;
    *first = 1;
    *count = mlc_op_num_operands(terminator) - 1;
}

static size_t
condition_successors(MlcOp *terminator, const MlcAttr *constants, int *successors)
{
    (void)terminator;
    size_t n = 0;
    if (!constants[0] || mlc_attr_as_bool(constants[0]))
        successors[n++] = 1;
    if (!constants[0] || !mlc_attr_as_bool(constants[0]))
        successors[n++] = PARENT;
    return n;
}

const MlcRegionTerminator mlc_scf_condition_region_terminator = {
    .operands = condition_operands, .successors = condition_successors};

// scf.parallel

static bool
verify_parallel_steps(MlcOp *op, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t step;
        if (mlc_value_constant_int(mlc_scf_parallel_step(op, i), &step) && step <= 0)
            return mlc_op_error(op, "constant step operand must be positive");
    }
    return true;
}

static bool
verify_reduced_types(MlcOp *op, MlcOp *reduce)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType have = mlc_value_type(mlc_op_operand(reduce, i)),
                want = mlc_value_type(mlc_op_result(op, i));
        if (have != want)
            return mlc_op_error(reduce,
                                "expects type of %zu-th reduction operand: '%s' to be the same as "
                                "the %zu-th result type: '%s'",
                                i, mlc_type_text(have), i, mlc_type_text(want));
    }
    return true;
}

bool
mlc_scf_parallel_verify(MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_scf_parallel_region(op));
    size_t n = mlc_scf_parallel_num_step(op), num_inits = mlc_scf_parallel_num_init_vals(op);
    if (n == 0)
        return mlc_op_error(op,
                            "needs at least one tuple element for lowerBound, upperBound and step");
    if (!verify_parallel_steps(op, n))
        return false;
    if (mlc_block_num_args(block) != n)
        return mlc_op_error(
            op, "expects the same number of induction variables: %zu as bound and step values: %zu",
            mlc_block_num_args(block), n);
    for (size_t i = 0; i < n; i++)
        if (!mlc_type_is(mlc_value_type(mlc_block_arg(block, i)), MLC_TYPE_INDEX))
            return mlc_op_error(op,
                                "expects arguments for the induction variable to be of index type");
    MlcOp *reduce = mlc_block_terminator(block);
    if (!reduce || !mlc_scf_reduce_isa(reduce))
        return mlc_op_error(op, "expects body to terminate with 'scf.reduce'");
    if (mlc_op_num_results(op) != mlc_op_num_operands(reduce))
        return mlc_op_error(
            op, "expects number of results: %zu to be the same as number of reductions: %zu",
            mlc_op_num_results(op), mlc_op_num_operands(reduce));
    if (mlc_op_num_results(op) != num_inits)
        return mlc_op_error(
            op, "expects number of results: %zu to be the same as number of initial values: %zu",
            mlc_op_num_results(op), num_inits);
    if (mlc_scf_parallel_num_upper_bound(op) != n || mlc_scf_parallel_num_lower_bound(op) != n)
        return mlc_op_error(op, "needs as many upper bounds and lower bounds as steps");
    return verify_reduced_types(op, reduce);
}

// The reduction's two arguments and its result have the type of the value reduced.
bool
mlc_scf_reduce_verify_regions(MlcOp *op)
{
    if (mlc_op_num_regions(op) != mlc_op_num_operands(op))
        return mlc_op_error(
            op, "expected number of reductions: %zu to match number of reduced values: %zu",
            mlc_op_num_regions(op), mlc_op_num_operands(op));
    for (size_t i = 0; i < mlc_op_num_regions(op); i++) {
        MlcBlock *block = mlc_region_first(mlc_op_region(op, i));
        MlcType type = mlc_value_type(mlc_op_operand(op, i));
        if (mlc_block_num_args(block) != 2 || mlc_value_type(mlc_block_arg(block, 0)) != type ||
            mlc_value_type(mlc_block_arg(block, 1)) != type)
            return mlc_op_error(
                op, "expected two block arguments with type '%s' in the %zu-th reduction region",
                mlc_type_text(type), i);
        MlcOp *end = mlc_block_terminator(block);
        if (!end || !mlc_scf_reduce_return_isa(end))
            return mlc_op_error(
                op, "reduction bodies must be terminated with an 'scf.reduce.return' op");
    }
    return true;
}

bool
mlc_scf_reduce_return_verify(MlcOp *op)
{
    MlcBlock *block = mlc_op_block(op);
    MlcType want = mlc_block_num_args(block) ? mlc_value_type(mlc_block_arg(block, 0)) : NULL;
    if (want && mlc_value_type(mlc_op_operand(op, 0)) != want)
        return mlc_op_error(op, "must have type '%s' (the type of the reduction inputs)",
                            mlc_type_text(want));
    return true;
}

// The reduced values do not go to a place: initial values and reductions make the results.
static void
reduce_operands(MlcOp *terminator, int to, size_t *first, size_t *count)
{
    (void)terminator, (void)to;
    nothing(first, count);
}

const MlcRegionTerminator mlc_scf_reduce_region_terminator = {.operands = reduce_operands};

// scf.forall

static size_t
forall_rank(const MlcOp *op)
{
    return mlc_dense_array_attr_size(mlc_scf_forall_static_upper_bound(op));
}

static bool
verify_forall_args(MlcOp *op, MlcBlock *block, size_t rank)
{
    size_t num_outs = mlc_scf_forall_num_outputs(op);
    if (mlc_block_num_args(block) != rank + num_outs)
        return mlc_op_error(op, "region expects %zu arguments", rank);
    for (size_t i = 0; i < rank; i++)
        if (!mlc_type_is(mlc_value_type(mlc_block_arg(block, i)), MLC_TYPE_INDEX))
            return mlc_op_error(op, "expects %zu-th block argument to be an index", i);
    for (size_t i = 0; i < num_outs; i++)
        if (mlc_value_type(mlc_block_arg(block, rank + i)) !=
            mlc_value_type(mlc_scf_forall_outputs(op, i)))
            return mlc_op_error(
                op, "type mismatch between %zu-th output and corresponding block argument", i);
    return true;
}

static bool
verify_forall_bounds(MlcOp *op, const char *what, MlcAttr constants, size_t num_values, size_t rank)
{
    size_t size = mlc_dense_array_attr_size(constants), num_dynamic = 0;
    if (size != rank)
        return mlc_error(mlc_op_context(op), mlc_op_loc(op), "expected %zu %s values, got %zu",
                         rank, what, size);
    for (size_t i = 0; i < size; i++)
        num_dynamic += mlc_dense_array_attr_int(constants, i) == MLC_DYNAMIC;
    return num_dynamic == num_values ||
           mlc_error(mlc_op_context(op), mlc_op_loc(op), "expected %zu dynamic %s values",
                     num_dynamic, what);
}

bool
mlc_scf_forall_verify(MlcOp *op)
{
    size_t rank = forall_rank(op), num_outs = mlc_scf_forall_num_outputs(op);
    if (mlc_op_num_results(op) != num_outs)
        return mlc_op_error(op, "produces %zu results, but has only %zu outputs",
                            mlc_op_num_results(op), num_outs);
    if (!verify_forall_args(op, mlc_region_first(mlc_scf_forall_region(op)), rank))
        return false;
    MlcAttr mapping = mlc_scf_forall_mapping(op);
    if (mapping && mlc_array_attr_size(mapping) && mlc_array_attr_size(mapping) != rank)
        return mlc_op_error(op, "mapping attribute size must match op rank");
    return verify_forall_bounds(op, "lower bound", mlc_scf_forall_static_lower_bound(op),
                                mlc_scf_forall_num_dynamic_lower_bound(op), rank) &&
           verify_forall_bounds(op, "upper bound", mlc_scf_forall_static_upper_bound(op),
                                mlc_scf_forall_num_dynamic_upper_bound(op), rank) &&
           verify_forall_bounds(op, "step", mlc_scf_forall_static_step(op),
                                mlc_scf_forall_num_dynamic_step(op), rank);
}

// Slices go into the loop's outputs, and nothing else happens.
bool
mlc_scf_forall_in_parallel_verify(MlcOp *op)
{
    MlcOp *loop = mlc_op_parent(op);
    MLC_FOR_EACH_OP (write, mlc_region_first(mlc_scf_forall_in_parallel_region(op))) {
        if (!mlc_tensor_parallel_insert_slice_isa(write))
            return mlc_op_error(op, "expected only tensor.parallel_insert_slice ops");
        MlcValue *dest = mlc_op_num_operands(write) > 1 ? mlc_op_operand(write, 1) : NULL;
        MlcBlock *body = dest ? mlc_value_block(dest) : NULL;
        if (!body || mlc_block_parent(body) != loop || mlc_value_index(dest) < forall_rank(loop))
            return mlc_op_error(write, "may only insert into an output block argument");
    }
    return true;
}

// scf.execute_region and scf.index_switch

bool
mlc_scf_execute_region_verify(MlcOp *op)
{
    MlcRegion *region = mlc_scf_execute_region_region(op);
    if (mlc_region_is_empty(region))
        return mlc_op_error(op, "region needs to have at least one block");
    if (mlc_block_num_args(mlc_region_first(region)))
        return mlc_op_error(op, "region cannot have any arguments");
    return true;
}

static size_t
enter_or_leave(MlcOp *op, int from, int *successors)
{
    if (from != PARENT) {
        successors[0] = PARENT;
        return 1;
    }
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        successors[i] = (int)i;
    return mlc_op_num_regions(op);
}

const MlcRegionBranch mlc_scf_execute_region_region_branch = {
    .successors = enter_or_leave, .entry_operands = no_entry_operands, .inputs = results_only};

static const char *
case_name(size_t region, char *buffer, size_t size)
{
    if (region == 0)
        return "default region";
    snprintf(buffer, size, "case region #%zu", region - 1);
    return buffer;
}

static bool
verify_case(MlcOp *op, size_t region)
{
    char buffer[48];
    const char *name = case_name(region, buffer, sizeof buffer);
    MlcOp *yield = mlc_block_last(mlc_region_first(mlc_op_region(op, region)));
    size_t n = mlc_op_num_results(op);
    if (!mlc_scf_yield_isa(yield))
        return mlc_op_error(op, "expected region to end with scf.yield, but got %.*s",
                            MLC_STR_FMT(yield ? mlc_op_name(yield) : mlc_str("nothing")));
    if (mlc_op_num_operands(yield) != n) {
        mlc_op_error(op, "expected each region to return %zu values, but %s returns %zu", n, name,
                     mlc_op_num_operands(yield));
        mlc_note(mlc_op_context(op), mlc_op_loc(yield), "see yield operation here");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_operand(yield, i)),
                want = mlc_value_type(mlc_op_result(op, i));
        if (have == want)
            continue;
        mlc_op_error(op, "expected result #%zu of each region to be '%s'", i, mlc_type_text(want));
        mlc_note(mlc_op_context(op), mlc_op_loc(yield), "%s returns '%s' here", name,
                 mlc_type_text(have));
        return false;
    }
    return true;
}

bool
mlc_scf_index_switch_verify(MlcOp *op)
{
    MlcAttr cases = mlc_scf_index_switch_cases(op);
    size_t n = mlc_dense_array_attr_size(cases);
    if (n != mlc_op_num_regions(op) - 1)
        return mlc_op_error(op, "has %zu case regions but %zu case values",
                            mlc_op_num_regions(op) - 1, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (mlc_dense_array_attr_int(cases, i) == mlc_dense_array_attr_int(cases, k))
                return mlc_op_error(op, "has duplicate case value: %lld",
                                    (long long)mlc_dense_array_attr_int(cases, i));
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        if (!verify_case(op, i))
            return false;
    return true;
}

static size_t
switch_entry_successors(MlcOp *op, const MlcAttr *constants, int *successors)
{
    int64_t arg;
    if (!constants[0] || !mlc_attr_try_as_int(constants[0], &arg))
        return enter_or_leave(op, PARENT, successors);
    MlcAttr cases = mlc_scf_index_switch_cases(op);
    successors[0] = 0;
    for (size_t i = 0; i < mlc_dense_array_attr_size(cases); i++)
        if (mlc_dense_array_attr_int(cases, i) == arg)
            successors[0] = (int)i + 1;
    return 1;
}

const MlcRegionBranch mlc_scf_index_switch_region_branch = {.successors = enter_or_leave,
                                                            .entry_operands = no_entry_operands,
                                                            .inputs = results_only,
                                                            .entry_successors =
                                                                switch_entry_successors,
                                                            .at_most_once = true};
