// func.c -- functions and calls.
#include "mlc/dialects/func.h"

#include "mlc/ir.h"

// A reference to a function is a constant of function type.
MlcOp *
mlc_func_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    if (!mlc_attr_is(value, MLC_ATTR_SYMBOL_REF) || !mlc_type_is(type, MLC_TYPE_FUNCTION))
        return NULL;
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcOp *op = mlc_func_constant_build(b, type, value);
    b->loc = before;
    return op;
}
