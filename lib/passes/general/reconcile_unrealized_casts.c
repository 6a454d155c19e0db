// reconcile_unrealized_casts.c -- casts that conversions left, one after the other, cancel where
// the last gives what the first took.
//
// builtin.unrealized_conversion_cast folds so (its record's hook); here nothing else is folded, and
// casts that have become unused go.
#include "mlc/pass.h"

#include "mlc/dialects/builtin.h"
#include "mlc/ir.h"

static void
reconcile(MlcOp *op)
{
    size_t n = mlc_op_num_results(op);
    MlcFold *folds = mlc_calloc(n, sizeof *folds);
    if (mlc_op_def(op)->fold(op, NULL, folds))
        for (size_t i = 0; i < n; i++)
            mlc_value_replace_uses(mlc_op_result(op, i), folds[i].value);
    mlc_free(folds);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MlcOpVec casts = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_builtin_unrealized_conversion_cast_isa(op))
            mlc_vec_push(&casts, op);
    for (size_t i = 0; i < casts.size; i++)
        reconcile(casts.data[i]);
    for (size_t i = casts.size; i-- > 0;) // users before what they use
        if (!mlc_op_has_uses(casts.data[i]))
            mlc_op_erase(casts.data[i]);
    mlc_vec_release(&casts);
    return true;
}

MLC_PASS(reconcile_unrealized_casts, .flag = "reconcile-unrealized-casts",
         .summary = "Cancel unrealized casts that lead back to the type they came from", .run = run)
