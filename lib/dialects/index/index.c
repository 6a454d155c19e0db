// index.c -- constants of index.
#include "mlc/dialects/index.h"

#include "mlc/ir.h"

MlcOp *
mlc_index_materialize(MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)
{
    if (!mlc_attr_is(value, MLC_ATTR_INTEGER) || mlc_attr_type(value) != type)
        return NULL;
    MlcLoc before = b->loc;
    b->loc = loc;
    MlcOp *op = NULL;
    if (mlc_type_is_integer(type, 1))
        op = mlc_index_bool_constant_build(b, value);
    else if (mlc_type_is(type, MLC_TYPE_INDEX))
        op = mlc_index_constant_build(b, value);
    b->loc = before;
    return op;
}
