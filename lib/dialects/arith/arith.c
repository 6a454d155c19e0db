// arith.c -- constants, verification and the smaller hooks of arith; folding is in arith_fold.c.
#include "mlc/dialects/arith.h"

#include "mlc/ir.h"

// Any typed number or elements attribute is a constant; the dialects that have none of their own use arith's.
MlcOp *
mlc_arith_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    if (mlc_attr_type(value) != type)
        return NULL;
    switch (mlc_attr_kind(value)) {
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_RESOURCE:
        break;
    default:
        return NULL;
    }
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcOp *op = mlc_arith_constant_build(b, type, value);
    b->loc = before;
    return op;
}
