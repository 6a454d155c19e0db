// complex.c -- constants of complex numbers: arrays of two floats.
#include "mlc/dialects/complex.h"

#include "mlc/ir.h"

MlcOp *
mlc_complex_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    if (!mlc_attr_is(value, MLC_ATTR_ARRAY) || !mlc_type_is(type, MLC_TYPE_COMPLEX))
        return NULL;
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcOp *op = mlc_complex_constant_build(b, type, value);
    b->loc = before;
    return op;
}
