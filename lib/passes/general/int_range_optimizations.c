// int_range_optimizations.c -- values of which the range holds one number become constants, and ops
// that are one of their operands, within what is known of it, give way to that.
//
// Ranges are worked out once (mlc/analysis/dataflow.h). The greedy driver folds what they leave,
// and tells of ops that go, since new ones may take their place in memory.
#include "mlc/pass.h"

#include "mlc/analysis/dataflow.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

static MlcAttr
constant_of(const MlcSolver *solver, const MlcValue *value)
{
    MlcRange range;
    int64_t number;
    if (!mlc_value_has_uses(value) || !mlc_solver_int_range(solver, value, &range) ||
        !mlc_range_is_one(range, &number))
        return NULL;
    return mlc_range_constant(mlc_value_type(value), number);
}

// At the builder's place; true if the value has no uses any more.
static bool
replace_by_constant(MlcRewriter *rw, const MlcSolver *solver, MlcValue *value,
                    const MlcDialectDef *dialect)
{
    MlcAttr constant = constant_of(solver, value);
    MlcOp *made = constant ? mlc_build_constant_by(mlc_rewriter_builder(rw), dialect, constant,
                                                   mlc_value_type(value))
                           : NULL;
    if (made)
        mlc_rewriter_replace_value(rw, value, mlc_op_result(made, 0));
    return !mlc_value_has_uses(value);
}

static bool
has_constants(const MlcSolver *solver, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (constant_of(solver, mlc_op_result(op, i)))
            return true;
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            if (constant_of(solver, mlc_block_arg(block, i)))
                return true;
    return false;
}

static bool
put_in_constants(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcSolver *solver = pattern->user;
    if (mlc_op_constant(op) || !has_constants(solver, op))
        return false;
    const MlcDialectDef *dialect = mlc_op_def(op)->dialect;
    bool all = mlc_op_num_results(op) > 0;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        all &= replace_by_constant(rw, solver, mlc_op_result(op, i), dialect);
    if (all && mlc_op_is_trivially_dead(op)) {
        mlc_rewriter_erase(rw, op);
        return true;
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        mlc_builder_at_start(mlc_rewriter_builder(rw), block);
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            replace_by_constant(rw, solver, mlc_block_arg(block, i), dialect);
    }
    return true;
}

// An op with this interface has one result where it says that it is an operand.
static bool
replace_by_operand(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    const MlcIntRange *methods = mlc_op_interface(op, MLC_INTERFACE_INT_RANGE);
    if (!methods->same_as)
        return false;
    size_t n = mlc_op_num_operands(op);
    MlcRange *ranges = mlc_calloc(n + 1, sizeof *ranges);
    for (size_t i = 0; i < n; i++)
        mlc_solver_int_range(pattern->user, mlc_op_operand(op, i), &ranges[i]);
    int same = methods->same_as(op, ranges);
    mlc_free(ranges);
    if (same < 0)
        return false;
    mlc_rewriter_replace(rw, op, (MlcValue *[]){mlc_op_operand(op, (size_t)same)}, 1);
    return true;
}

static void
on_erased(MlcOp *op, void *user)
{
    mlc_solver_forget(user, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcSolver *solver = mlc_solver_create(root);
    mlc_solver_add_int_ranges(solver);
    mlc_solver_run(solver);
    MlcPattern patterns[] = {
        {.name = "constant-range", .benefit = 1, .rewrite = put_in_constants, .user = solver},
        {.name = "same-within-range",
         .interface = MLC_INTERFACE_INT_RANGE + 1,
         .benefit = 1,
         .rewrite = replace_by_operand,
         .user = solver},
    };
    MlcPatternSet *set = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_all(set, patterns, 2);
    MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .merge_blocks = true, .erased = on_erased,
                              .user = solver};
    mlc_apply_patterns_greedily(root, set, &config);
    mlc_pattern_set_destroy(set);
    mlc_solver_destroy(solver);
    return true;
}

MLC_PASS(int_range_optimizations, .flag = "int-range-optimizations",
         .summary = "Do optimizations based on integer range analysis", .run = run)
