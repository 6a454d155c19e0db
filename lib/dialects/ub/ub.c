// ub.c -- poison as a constant.
#include "mlc/dialects/ub.h"

#include "mlc/ir.h"

bool
mlc_ub_poison_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_ub_poison_value(op);
    return true;
}
