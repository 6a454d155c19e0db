// ub.c -- poison as a constant.
#include "mlc/dialects/ub.h"

#include "mlc/ir.h"

MlcOp *
mlc_ub_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    if (!mlc_attr_isa(value, "ub.poison"))
        return NULL;
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcValue *made = mlc_ub_poison(b, type);
    b->loc = before;
    return mlc_value_def(made);
}

bool
mlc_ub_poison_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    (void)constants;
    results[0].attr = mlc_ub_poison_value(op);
    return true;
}
