// arith_unsigned_when_equivalent.c -- signed ops on numbers that cannot be negative, giving such,
// as their unsigned counterparts.
#include "mlc/analysis/dataflow.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"

static const struct {
    const MlcOpDef *from, *to;
} counterparts[] = {
    {&mlc_arith_divsi_def, &mlc_arith_divui_def},
    {&mlc_arith_ceildivsi_def, &mlc_arith_ceildivui_def},
    {&mlc_arith_remsi_def, &mlc_arith_remui_def},
    {&mlc_arith_floordivsi_def, &mlc_arith_divui_def},
    {&mlc_arith_minsi_def, &mlc_arith_minui_def},
    {&mlc_arith_maxsi_def, &mlc_arith_maxui_def},
    {&mlc_arith_extsi_def, &mlc_arith_extui_def},
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
build_counterpart(MlcOp *op, const MlcOpDef *def)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValueVec operands = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcOp *made = mlc_builder_create(&b, &(MlcOpState){.def = def,
                                                       .operands = operands.data,
                                                       .num_operands = operands.size,
                                                       .result_types = &type,
                                                       .num_results = 1});
    mlc_op_set_discardable(made, mlc_op_discardable(op));
    mlc_vec_release(&operands);
    return mlc_op_result(made, 0);
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
        const MlcOpDef *to = NULL;
        for (size_t j = 0; j < sizeof counterparts / sizeof *counterparts; j++)
            if (mlc_op_def(op) == counterparts[j].from)
                to = counterparts[j].to;
        int64_t predicate;
        if (to)
            mlc_op_replace(op, (MlcValue *[]){build_counterpart(op, to)}, 1);
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
