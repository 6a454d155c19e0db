// memory_slot.c -- finding memory slots.
#include "mlc/ir/memory_slot.h"

#include "mlc/ir.h"

void
mlc_slot_allocations(MlcRegion *region, MlcOpVec *allocations)
{
    MLC_FOR_EACH_BLOCK (block, region)
        MLC_FOR_EACH_OP (top, block)
            MLC_FOR_EACH_POSTORDER (op, top)
                if (mlc_op_interface(op, MLC_INTERFACE_SLOT_ALLOCATION))
                    mlc_vec_push(allocations, op);
}
