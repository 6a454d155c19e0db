// arith_unsigned_when_equivalent.c -- signed ops on numbers that cannot be negative, giving such,
// as their unsigned counterparts.
#include "mlc/analysis/dataflow.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"

static const struct {
    const char *from, *to;
} counterparts[] = {
    {"arith.divsi", "arith.divui"}, {"arith.ceildivsi", "arith.ceildivui"},
    {"arith.remsi", "arith.remui"}, {"arith.floordivsi", "arith.divui"},
    {"arith.minsi", "arith.minui"}, {"arith.maxsi", "arith.maxui"},
    {"arith.extsi", "arith.extui"},
};

static bool
is_never_negative(const MlcSolver *solver, const MlcValue *value)
{
    MlcRange range;
    return mlc_solver_int_range(solver, value, &range) && range.smin >= 0;
}

static bool
all_never_negative(const MlcSolver *solver, const MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (!is_never_negative(solver, value))
            return false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (!is_never_negative(solver, mlc_op_result(op, i)))
            return false;
    return true;
}

static bool
unsigned_predicate(int64_t predicate, int64_t *result)
{
    if (predicate < MLC_ARITH_CMPI_PREDICATE_SLT || predicate > MLC_ARITH_CMPI_PREDICATE_SGE)
        return false;
    *result = predicate - MLC_ARITH_CMPI_PREDICATE_SLT + MLC_ARITH_CMPI_PREDICATE_ULT;
    return true;
}

static MlcValue *
build_counterpart(MlcOp *op, const char *name)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    MlcValue *value = mlc_build_value(&b, name, mlc_value_type(mlc_op_result(op, 0)), operands.data,
                                      operands.size);
    mlc_op_set_discardable(mlc_value_def(value), mlc_op_discardable(op));
    mlc_vec_release(&operands);
    return value;
}

// The ops to rewrite are found before the first is, since what is known is known of values.
static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcSolver *solver = mlc_solver_create(root);
    mlc_solver_add_int_ranges(solver);
    mlc_solver_run(solver);
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, root) {
        bool compares = mlc_arith_cmpi_isa(op) &&
                        is_never_negative(solver, mlc_op_operand(op, 0)) &&
                        is_never_negative(solver, mlc_op_operand(op, 1));
        if (compares || (!mlc_arith_cmpi_isa(op) && all_never_negative(solver, op)))
            mlc_vec_push(&ops, op);
    }
    mlc_solver_destroy(solver);
    for (size_t i = 0; i < ops.size; i++) {
        MlcOp *op = ops.data[i];
        const char *name = NULL;
        for (size_t j = 0; j < sizeof counterparts / sizeof *counterparts; j++)
            if (mlc_op_is_named(op, counterparts[j].from))
                name = counterparts[j].to;
        int64_t predicate;
        if (name)
            mlc_op_replace(op, (MlcValue *[]){build_counterpart(op, name)}, 1);
        else if (mlc_arith_cmpi_isa(op) &&
                 unsigned_predicate(mlc_enum_attr_value(mlc_op_attr(op, "predicate")), &predicate))
            mlc_op_set_attr(op, "predicate", mlc_i64_attr_get(mlc_op_context(op), predicate));
    }
    mlc_vec_release(&ops);
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(arith_unsigned_when_equivalent, .flag = "arith-unsigned-when-equivalent",
         .summary = "Replace signed ops by unsigned ones where numbers are never negative",
         .dependent_dialects = dialects, .run = run)
