// memory_slot.h -- what mem2reg and sroa ask of ops: memory that one value points at (a slot), and
// how its users read, write or pass it on.
//
// A slot is promoted when every use of its pointer can be taken away, given the value that the slot
// holds there. It is split when every user can be pointed at a part of it. (After MLIR's memory
// slot interfaces.)
//
// Ownership: lists are the caller's to release; new ops belong to their block.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_IR_MEMORY_SLOT_H
#define MLC_IR_MEMORY_SLOT_H

#include "mlc/ir/builder.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

typedef struct MlcSlot {
    MlcValue *ptr;
    MlcType type; // of what is in it
} MlcSlot;
typedef MLC_VEC(MlcSlot) MlcSlotVec;
typedef MLC_VEC(MlcUse *) MlcUseVec;

typedef struct MlcSubslot { // a part of a slot
    MlcAttr index;          // its name: an integer, or an array of them
    MlcType type;
    MlcValue *ptr; // once the slot is split, and the part is used
} MlcSubslot;
typedef MLC_VEC(MlcSubslot) MlcSubslotVec;

// MLC_INTERFACE_SLOT_ALLOCATION: an op that makes a slot.
typedef struct MlcSlotAllocation {
    bool (*slot)(MlcOp *op, MlcSlot *slot);               // false: not one that can be promoted
    MlcValue *(*initial)(MlcOp *op, MlcBuilder *builder); // what it holds before a store
    // A block argument was made that holds the slot's value. May be NULL.
    void (*block_arg)(MlcOp *op, MlcValue *arg, MlcBuilder *builder);
    // The slot, and all its parts in order; false if it cannot be split. May be NULL.
    bool (*parts)(MlcOp *op, MlcSlot *slot, MlcSubslotVec *parts);
    MlcOp *(*make_part)(MlcOp *op, MlcType type, MlcBuilder *builder);
} MlcSlotAllocation;

// MLC_INTERFACE_SLOT_USE: an op that uses a slot's pointer. Any member may be NULL, if not said
// otherwise. Members that `remove` say whether the op is to be erased.
typedef struct MlcSlotUse {
    // Of ops that read or write memory; the others pass a pointer on, or only speak of it.
    bool (*loads)(MlcOp *op, const MlcSlot *slot); // not NULL: `stores` is there too
    bool (*stores)(MlcOp *op, const MlcSlot *slot);
    // The slot's value after a store, made at the builder's place.
    MlcValue *(*stored)(MlcOp *op, const MlcSlot *slot, MlcBuilder *builder, MlcValue *before);
    // Whether these uses (operands of op) can go, if those added to `more` (uses of its results)
    // do. `slot` is NULL for ops that touch no memory.
    bool (*can_remove)(MlcOp *op, const MlcSlot *slot, const MlcUseVec *uses, MlcUseVec *more);
    bool (*remove)(MlcOp *op, const MlcSlot *slot, MlcBuilder *builder, MlcValue *value);
    // After promotion: the ops that stored, and what. Called before the op is erased.
    void (*stores_gone)(MlcOp *op, MlcOp *const *stores, MlcValue *const *values, size_t n,
                        MlcBuilder *builder);
    // Splitting: marks the parts that are used, and adds slots that all users must stay inside of.
    bool (*can_rewire)(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, bool *used,
                       MlcSlotVec *stay_inside);
    bool (*rewire)(MlcOp *op, const MlcSlot *slot, const MlcSubslotVec *parts, MlcBuilder *builder);
    bool (*stays_inside)(MlcOp *op, const MlcSlot *slot, MlcSlotVec *stay_inside);
} MlcSlotUse;
extern MLC_API const MlcSlotUse mlc_derived_slot_use; // of ops with `access`

// The ops in a region, innermost first, that make slots.
MLC_API void mlc_slot_allocations(MlcRegion *region, MlcOpVec *allocations);

MLC_END_DECLS

#endif
