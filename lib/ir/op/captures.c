// captures.c -- what an op uses of its surroundings: what must be handed to a function that its
// regions become.
#include "mlc/ir/op.h"
#include "mlc/support/map.h"

void
mlc_op_find_captures(MlcOp *op, bool own, MlcValueVec *values, MlcOpVec *constants)
{
    MlcMap seen;
    mlc_map_init(&seen);
    MLC_FOR_EACH_PREORDER (inner, op) {
        if (inner == op && !own)
            continue;
        MLC_FOR_EACH_OPERAND (value, inner) {
            if (mlc_value_is_inside(value, op) || !mlc_map_add(&seen, value))
                continue;
            MlcOp *def = mlc_value_def(value);
            if (def && mlc_op_has_trait(def, MLC_TRAIT_CONSTANT_LIKE))
                mlc_vec_push(constants, def);
            else
                mlc_vec_push(values, value);
        }
    }
    mlc_map_release(&seen);
}
