// derived_slot.c -- `slot_use: derived`: what mem2reg and sroa may do with an access of a slot
// follows from the record's `access`.
#include "mlc/ir/context.h"
#include "mlc/ir/interfaces.h"

static bool
is_of(const MlcOp *op, const MlcSlot *slot)
{
    return mlc_op_access(op) && mlc_op_access(op)->value && mlc_op_access_memref(op) == slot->ptr;
}

static bool
loads(MlcOp *op, const MlcSlot *slot)
{
    return is_of(op, slot) && !mlc_op_access(op)->is_write;
}

static bool
stores(MlcOp *op, const MlcSlot *slot)
{
    return is_of(op, slot) && mlc_op_access(op)->is_write;
}

static MlcValue *
stored(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *before)
{
    (void)slot, (void)b, (void)before;
    return mlc_op_access_value(op);
}

// The slot itself is not what is stored.
static bool
can_remove(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more)
{
    (void)more;
    MlcValue *value = is_of(op, slot) ? mlc_op_access_value(op) : NULL;
    return value && uses->size == 1 && mlc_use_value(uses->data[0]) == slot->ptr &&
           value != slot->ptr && mlc_value_type(value) == slot->type && !mlc_op_access(op)->mask;
}

static bool
take_out(MlcOp *op, const MlcSlot *slot, MlcBuilder *b, MlcValue *value)
{
    (void)slot, (void)b;
    if (!mlc_op_access(op)->is_write)
        mlc_value_replace_uses(mlc_op_access_value(op), value);
    return true;
}

// The part that constant indices name; -1 if they are not constant or out of bounds.
static int
part_at(MlcOp *op, const MlcSubslotVec *parts)
{
    size_t first, rank;
    mlc_op_access_indices(op, &first, &rank);
    for (size_t i = 0; i < parts->size; i++) {
        bool same = true;
        for (size_t d = 0; d < rank && same; d++)
            same = mlc_value_constant(mlc_op_operand(op, first + d)) ==
                   mlc_array_attr_element(parts->data[i].index, d);
        if (same)
            return (int)i;
    }
    return -1;
}

static bool
can_rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
           MlcSlotVec *stay_inside)
{
    (void)stay_inside;
    if (!is_of(op, slot) || mlc_op_access(op)->map || !mlc_op_accesses_element(op) ||
        mlc_op_access_value(op) == slot->ptr)
        return false;
    int part = part_at(op, parts);
    if (part >= 0)
        used[part] = true;
    return part >= 0;
}

static bool
rewire(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *b)
{
    (void)slot, (void)b;
    MlcValue *part = parts->data[part_at(op, parts)].ptr;
    mlc_op_set_operand_group(op, mlc_op_access(op)->memref, &part, 1);
    mlc_op_set_operand_group(op, mlc_op_access(op)->indices, NULL, 0);
    return false;
}

const MlcSlotUse mlc_derived_slot_use = {.loads = loads,
                                         .stores = stores,
                                         .stored = stored,
                                         .can_remove = can_remove,
                                         .remove = take_out,
                                         .can_rewire = can_rewire,
                                         .rewire = rewire};
