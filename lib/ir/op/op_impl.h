// op_impl.h -- private: how ops, blocks, regions and values lie in memory.
//
// An op is one allocation: MlcOp, results, operand slots, attribute slots (one for <{...}> of an
// unregistered op), successors, regions, and the edit counter of an isolated op. Operands that
// outgrow their slots move to an allocation of their own; the op never moves. An edit is counted at
// the nearest isolated op; the isolated ops around that one are only marked, so that passes on
// siblings do not write to the same word over and over.
#ifndef MLC_IR_OP_IMPL_H
#define MLC_IR_OP_IMPL_H

#include <assert.h>
#include <stdatomic.h>

#include "context/context_impl.h"
#include "mlc/ir/op.h"
#include "mlc/ir/type.h"

struct MlcValue {
    MlcType type;
    MlcUse *first_use;
    uint32_t index : 31; // result or argument number
    uint32_t is_arg : 1;
    uint32_t printed; // how it is called, while it is printed (print_name.c)
};

typedef struct MlcBlockArg {
    MlcValue value;
    MlcBlock *block;
    MlcLoc loc;
} MlcBlockArg;

struct MlcUse {
    MlcValue *value;
    MlcUse *next;
    MlcUse **link; // what points here: the value's first_use or another use's next
    MlcOp *owner;
};

typedef struct MlcBlockUse { // a successor slot
    MlcBlock *block;
    struct MlcBlockUse *next;
    struct MlcBlockUse **link;
    MlcOp *owner;
} MlcBlockUse;

struct MlcRegion {
    MlcOp *parent; // NULL: detached
    MlcBlock *first, *last;
};

typedef struct MlcEdits {
    uint64_t count;
    atomic_bool is_marked; // an isolated op inside was edited since the count was last asked for
    // The verifier's: what the count was when all inside was found right (verify.c).
    bool is_verified, uses_symbols, has_unregistered;
    uint64_t verified;
#ifdef MLC_CHECKING
    _Atomic uintptr_t thread; // that works in it (mlc_edit_scope_begin); 0: nobody said so
#endif
} MlcEdits;

struct MlcOp {
    MlcBlock *block;
    MlcOp *next, *prev;
    const MlcOpDef *def;
    MlcContext *ctx;
    MlcLoc loc;
    MlcAttr dict; // discardable attributes; NULL if none
    MlcUse *operands;
    uint32_t num_operands, operand_capacity;
    uint32_t num_results;
    uint32_t order; // within the block, while block->order_is_valid
    uint32_t num_successors;
    uint32_t num_regions : 31;
    uint32_t is_isolated : 1;
    uint32_t work; // scratch of the greedy driver: 1 + where its work list has the op
    uint16_t num_slots;
    uint16_t num_inline_operands; // slots inside the op; more operands than fit lie elsewhere
};

struct MlcBlock {
    MlcRegion *region;
    MlcBlock *next, *prev;
    MlcOp *first, *last;
    MlcBlockUse *first_use;
    MlcBlockArg **args;
    MlcContext *ctx;
    uint32_t num_args, arg_capacity;
    uint32_t printed; // its number, while it is printed (print_name.c)
    bool order_is_valid;
};

_Static_assert(sizeof(MlcOp) % 8 == 0 && sizeof(MlcValue) % 8 == 0,
               "parts of an op follow each other");

static inline MlcValue *
mlc_op_results_(const MlcOp *op)
{
    return (MlcValue *)(uintptr_t)(op + 1);
}

static inline MlcUse *
mlc_op_inline_operands_(const MlcOp *op)
{
    return (MlcUse *)(mlc_op_results_(op) + op->num_results);
}

static inline MlcAttr *
mlc_op_slots_(const MlcOp *op)
{
    return (MlcAttr *)(mlc_op_inline_operands_(op) + op->num_inline_operands);
}

static inline MlcBlockUse *
mlc_op_successors_(const MlcOp *op)
{
    return (MlcBlockUse *)(mlc_op_slots_(op) + op->num_slots);
}

static inline MlcRegion *
mlc_op_regions_(const MlcOp *op)
{
    return (MlcRegion *)(mlc_op_successors_(op) + op->num_successors);
}

static inline MlcEdits *
mlc_op_edits_(const MlcOp *op)
{
    return (MlcEdits *)(mlc_op_regions_(op) + op->num_regions);
}

static inline MlcOp *
mlc_result_owner_(const MlcValue *result)
{
    return (MlcOp *)(uintptr_t)(result - result->index) - 1;
}

static inline void
mlc_use_link_(MlcUse *use, MlcValue *value)
{
    use->value = value;
    use->next = value->first_use;
    use->link = &value->first_use;
    if (use->next)
        use->next->link = &use->next;
    value->first_use = use;
}

static inline void
mlc_use_unlink_(MlcUse *use)
{
    if (!use->value)
        return;
    *use->link = use->next;
    if (use->next)
        use->next->link = use->link;
    use->value = NULL;
}

static inline void
mlc_block_use_link_(MlcBlockUse *use, MlcBlock *block)
{
    use->block = block;
    use->next = block->first_use;
    use->link = &block->first_use;
    if (use->next)
        use->next->link = &use->next;
    block->first_use = use;
}

static inline void
mlc_block_use_unlink_(MlcBlockUse *use)
{
    if (!use->block)
        return;
    *use->link = use->next;
    if (use->next)
        use->next->link = use->link;
    use->block = NULL;
}

// Memory of ops, blocks and arguments: slabs with free lists that belong to the thread (slab.c).
void *mlc_slab_alloc(MlcContext *ctx, size_t size);
void mlc_slab_free(MlcContext *ctx, void *memory, size_t size);

void mlc_block_arg_free(MlcContext *ctx, MlcBlockArg *arg);

// Counts an edit of what lies inside `op` or of `op` itself.
void mlc_count_edit(MlcOp *op);
static inline void
mlc_count_edit_in_block(MlcBlock *block)
{
    if (block && block->region && block->region->parent)
        mlc_count_edit(block->region->parent);
}

// An op with empty slots: op.c fills it, and clone.c.
MlcOp *mlc_op_alloc(MlcContext *ctx, const MlcOpDef *def, MlcLoc loc, size_t num_operands,
                    size_t num_results, size_t num_successors, size_t num_regions);

// A copy of a detached op whose operands, successors and regions are empty, and stay so.
MlcOp *mlc_op_alloc_like(const MlcOp *model, MlcLoc loc);
// Attributes that the definition has a default for, where they are absent.
void mlc_op_fill_defaults(MlcOp *op);

// Drops every use that ops inside make of values and blocks, so that they can be freed in any
// order.
void mlc_op_drop_references(MlcOp *op);
// Frees an unlinked op whose references are dropped; its regions' blocks too.
void mlc_op_free(MlcOp *op);
// Drivers that hold ops in work lists hear here of each op that goes, whoever erases it. One list
// per thread.
typedef struct MlcEraseListener {
    void (*erased)(struct MlcEraseListener *listener, MlcOp *op);
    struct MlcEraseListener *outer;
} MlcEraseListener;
void mlc_erase_listener_push(MlcEraseListener *listener);
void mlc_erase_listener_pop(MlcEraseListener *listener);

// Post-order of a layer: `root`, and what is inside up to isolated ops, those included but not what
// is in them.
MlcOp *mlc_op_layer_first(MlcOp *op, const MlcOp *root);
MlcOp *mlc_op_layer_next(MlcOp *op, const MlcOp *root);
// In pre-order, `root` itself first.
MlcOp *mlc_op_layer_preorder_next(MlcOp *op, MlcOp *root);

// Links and unlinks without counting.
void mlc_block_link_op(MlcBlock *block, MlcOp *op, MlcOp *before); // before NULL: at the end
void mlc_block_unlink_op(MlcOp *op);

#endif
