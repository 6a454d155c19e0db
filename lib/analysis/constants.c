// constants.c -- sparse conditional constant propagation: ops are folded on what is known of their
// operands.
//
// The elements are there without the analysis too: dead code analysis reads them, and others
// (integer ranges of one value) may fill them.
#include "solver.h"

#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

static void
set_unknown(MlcValue *value, void *element)
{
    (void)value;
    *(MlcConstant *)element = (MlcConstant){.is_known = true};
}

static bool
join(void *into, const void *from)
{
    MlcConstant *a = into;
    const MlcConstant *b = from;
    if (!b->is_known || (a->is_known && (!a->value || a->value == b->value)))
        return false;
    *a = a->is_known ? (MlcConstant){.is_known = true} : *b;
    return true;
}

static void
all_unknown(MlcFlow *flow, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_flow_join_unknown(flow, mlc_op_result(op, i));
}

static void
visit_folded(MlcFlow *flow, MlcOp *op, const MlcAttr *constants)
{
    size_t n = mlc_op_num_results(op);
    MlcFold few[4] = {{0}}, *folds = n > 4 ? mlc_calloc(n, sizeof *folds) : few;
    if (!mlc_fold_results(op, constants, folds))
        all_unknown(flow, op);
    else
        for (size_t i = 0; i < n; i++) {
            MlcConstant constant = {true, folds[i].attr, mlc_op_def(op)->dialect};
            if (folds[i].value && !folds[i].attr)
                constant = mlc_solver_constant(flow->solver, folds[i].value);
            mlc_flow_join(flow, mlc_op_result(op, i), &constant);
        }
    if (folds != few)
        mlc_free(folds);
}

// An op with regions may fold in ways that change it, so it is left alone.
static void
visit(MlcFlow *flow, MlcOp *op, const void *const *operands)
{
    size_t n = mlc_op_num_operands(op);
    MlcAttr value = mlc_op_constant(op);
    if (value && mlc_op_num_results(op) == 1) {
        MlcConstant constant = {true, value, mlc_op_def(op)->dialect};
        mlc_flow_join(flow, mlc_op_result(op, 0), &constant);
        return;
    }
    if (mlc_op_num_regions(op)) {
        all_unknown(flow, op);
        return;
    }
    MlcAttr few[8], *constants = n > 8 ? mlc_malloc(n * sizeof *constants) : few;
    bool all_known = true;
    for (size_t i = 0; i < n; i++) {
        const MlcConstant *operand = operands[i];
        all_known &= operand->is_known;
        constants[i] = operand->value;
    }
    if (all_known)
        visit_folded(flow, op, constants);
    if (constants != few)
        mlc_free(constants);
}

static const MlcSparseForward def = {
    .name = "constants",
    .size = sizeof(MlcConstant),
    .join = join,
    .unknown = set_unknown,
    .visit = visit,
};

void
mlc_solver_make_constants(MlcSolver *s)
{
    s->constants = mlc_solver_add_flow(s, NULL, NULL);
    s->constants->forward = &def;
}

void
mlc_solver_add_constants(MlcSolver *s)
{
    mlc_solver_add_dead_code(s);
    s->constants->start = mlc_forward_start;
    s->constants->visit = mlc_forward_visit;
}

MlcConstant
mlc_solver_constant(const MlcSolver *s, const MlcValue *value)
{
    const MlcConstant *constant = mlc_flow_element(s->constants, value);
    return constant ? *constant : (MlcConstant){0};
}

void
mlc_solver_join_constant(MlcSolver *s, MlcValue *value, MlcConstant constant)
{
    mlc_flow_join(s->constants, value, &constant);
}
