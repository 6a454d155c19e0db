// op.h -- operations, blocks, regions, values and their uses.
//
// An op is one allocation: header, results, operands, attribute slots, successors, regions. What it
// is stands in its definition (mlc/ir/def.h); an op of an unregistered dialect has a definition
// made for its name, with no slots. A block's last op may be a terminator; a region is a list of
// blocks, its first the entry. Values know their uses. Edits go through these functions, which
// count them per isolated op (mlc_op_edits), so nobody reports "changed".
//
// Ownership: an op belongs to its block, a block to its region, a region to its op; what is
// detached to whoever made or detached it. Who owns it may erase it; everyone else borrows.
// Threads: what lies in an isolated op belongs to one thread at a time; others may work in other
// isolated ops of the module. Several may read what nobody edits, except by mlc_op_is_before,
// mlc_op_edits and mlc_verify, which note what they find.
#ifndef MLC_IR_OP_H
#define MLC_IR_OP_H

#include "mlc/ir/def.h"
#include "mlc/ir/fwd.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

typedef MLC_VEC(MlcType) MlcTypeVec;
typedef MLC_VEC(MlcValue *) MlcValueVec;
typedef MLC_VEC(MlcOp *) MlcOpVec;

// What is needed to make an op. Attributes may hold inherent and discardable ones alike: those the
// definition has a slot for go there, the rest into the dictionary. `num_regions` empty regions are
// made; fill them after.
typedef struct MlcOpState {
    MlcLoc loc;
    const MlcOpDef *def;
    MlcValue *const *operands;
    size_t num_operands;
    const MlcType *result_types;
    size_t num_results;
    const MlcNamedAttr *attrs;
    size_t num_attrs;
    MlcBlock *const *successors; // successor operands are passed apart, see below
    size_t num_successors;
    size_t num_regions;
    MlcAttr properties; // of unregistered ops: the dictionary in <{...}>; else NULL
} MlcOpState;

// Creates a detached op, owned by the caller until it is inserted. Defaults of absent attributes
// are filled in.
MLC_API MlcOp *mlc_op_create(MlcContext *ctx, const MlcOpState *state);
// Unlinks and frees, regions included; its results must have no uses.
MLC_API void mlc_op_erase(MlcOp *op);
// As erase, but drops uses of its results first (whole modules, broken IR).
MLC_API void mlc_op_destroy(MlcOp *op);
// A deep copy, detached. `map` (old value, block -> new) may be NULL; see MlcCloneMap.
typedef struct MlcCloneMap MlcCloneMap;
// The caller destroys it.
MLC_API MlcCloneMap *mlc_clone_map_create(void);
MLC_API void mlc_clone_map_destroy(MlcCloneMap *map);
// Where `from` is used in what is cloned from now on, the clone uses `to`.
MLC_API void mlc_clone_map_set(MlcCloneMap *map, const MlcValue *from, MlcValue *to);
// `from` itself if not mapped.
MLC_API MlcValue *mlc_clone_map_get(const MlcCloneMap *map, MlcValue *from);
// The same for successors.
MLC_API void mlc_clone_map_set_block(MlcCloneMap *map, const MlcBlock *from, MlcBlock *to);
// The clone belongs to the caller until it is inserted; its results and blocks are put into `map`.
// Without regions: it has as many, empty.
MLC_API MlcOp *mlc_op_clone(MlcOp *op, MlcCloneMap *map);
MLC_API MlcOp *mlc_op_clone_without_regions(MlcOp *op, MlcCloneMap *map);

// Identity and place.
MLC_API const MlcOpDef *mlc_op_def(const MlcOp *op);
MLC_API MlcStr mlc_op_name(const MlcOp *op); // "arith.addi"
MLC_API bool mlc_op_isa(const MlcOp *op, const MlcOpDef *def);
MLC_API bool mlc_op_is_named(const MlcOp *op, const char *name);       // false for NULL
MLC_API bool mlc_op_same_result_types(const MlcOp *a, const MlcOp *b); // as many, too
MLC_API MlcContext *mlc_op_context(const MlcOp *op);
MLC_API MlcLoc mlc_op_loc(const MlcOp *op);
MLC_API void mlc_op_set_loc(MlcOp *op, MlcLoc loc);
MLC_API MlcBlock *mlc_op_block(const MlcOp *op);      // NULL if detached
MLC_API MlcRegion *mlc_op_region_of(const MlcOp *op); // the region that holds it; NULL if detached
// The op around it; NULL if there is none.
MLC_API MlcOp *mlc_op_parent(const MlcOp *op);
// Nearest strict ancestor.
MLC_API MlcOp *mlc_op_parent_of_kind(const MlcOp *op, const MlcOpDef *def);
// In its block; NULL at its end or start.
MLC_API MlcOp *mlc_op_next(const MlcOp *op);
MLC_API MlcOp *mlc_op_prev(const MlcOp *op);
// Same block; the order is computed lazily.
MLC_API bool mlc_op_is_before(const MlcOp *a, const MlcOp *b);

MLC_API bool mlc_op_is_ancestor(const MlcOp *ancestor, const MlcOp *op); // itself included
// Puts a detached op beside `anchor`, whose block owns it from then on.
MLC_API void mlc_op_insert_before(MlcOp *op, MlcOp *anchor);
MLC_API void mlc_op_insert_after(MlcOp *op, MlcOp *anchor);
// Takes an op from its block and puts it beside `anchor`, in any block.
MLC_API void mlc_op_move_before(MlcOp *op, MlcOp *anchor);
MLC_API void mlc_op_move_after(MlcOp *op, MlcOp *anchor);
MLC_API void mlc_op_remove(MlcOp *op); // detaches: the caller owns it
// Counter of edits inside the nearest isolated op.
MLC_API uint64_t mlc_op_edits(const MlcOp *isolated);

MLC_API void mlc_op_note_edit(MlcOp *op); // for code that changes what these functions do not see

// Says that until the end this thread edits nothing outside of `isolated` in its tree, and no other
// thread edits inside, unless it says the same of an isolated op further in. A checking build
// (docs/extending.md) tells who does; other builds do nothing. Passes are run so; a program says it
// where it shares out work among threads of its own. Scopes end in their thread, innermost first.
typedef struct MlcEditScope {
    MlcOp *isolated;
    struct MlcEditScope *outer;
    uintptr_t before; // whose it was
} MlcEditScope;
// The struct is the caller's, and stays until the end.
MLC_API void mlc_edit_scope_begin(MlcEditScope *scope, MlcOp *isolated);
MLC_API void mlc_edit_scope_end(MlcEditScope *scope);

// Operands, by position over all groups; by definition: group `g` of the def's operands (variadic
// ones included).
MLC_API size_t mlc_op_num_operands(const MlcOp *op);
MLC_API MlcValue *mlc_op_operand(const MlcOp *op, size_t i);
MLC_API MlcType mlc_op_operand_type(const MlcOp *op, size_t i); // the operand is there
MLC_API MlcUse *mlc_op_operand_use(MlcOp *op, size_t i);
MLC_API void mlc_op_set_operand(MlcOp *op, size_t i, MlcValue *value);
// Any count.
MLC_API void mlc_op_set_operands(MlcOp *op, MlcValue *const *values, size_t num_values);
// Puts `values` before operand `at`; sizes of groups are the caller's to keep true.
MLC_API void mlc_op_insert_operands(MlcOp *op, size_t at, MlcValue *const *values,
                                    size_t num_values);
// Takes one away; sizes of groups are the caller's to keep true.
MLC_API void mlc_op_erase_operand(MlcOp *op, size_t i);
MLC_API void mlc_op_drop_operand(MlcOp *op, size_t i); // and keeps the sizes of groups true
// First operand and size of group g: from the definition, the count, or `operandSegmentSizes`.
MLC_API void mlc_op_operand_group(const MlcOp *op, size_t group, size_t *first, size_t *size);
// Replaces a group, and keeps operandSegmentSizes true.
MLC_API void mlc_op_set_operand_group(MlcOp *op, size_t group, MlcValue *const *values,
                                      size_t num_values);

// Results by position over all groups; `i` is below their number.
MLC_API size_t mlc_op_num_results(const MlcOp *op);
MLC_API MlcValue *mlc_op_result(const MlcOp *op, size_t i);
MLC_API MlcType mlc_op_result_type(const MlcOp *op, size_t i);
// First result and size of group g, as for operands.
MLC_API void mlc_op_result_group(const MlcOp *op, size_t group, size_t *first, size_t *size);

// Attributes. `name` finds the slot or the dictionary entry. Setting NULL removes.
MLC_API MlcAttr mlc_op_attr(const MlcOp *op, const char *name);
MLC_API MlcAttr mlc_op_attr_str(const MlcOp *op, MlcStr name);
MLC_API void mlc_op_set_attr(MlcOp *op, const char *name, MlcAttr value);
MLC_API void mlc_op_set_attr_str(MlcOp *op, MlcStr name, MlcAttr value);
MLC_API MlcAffineMap mlc_op_affine_map(const MlcOp *op, const char *name); // it must have one
MLC_API void mlc_op_set_affine_map(MlcOp *op, const char *name, MlcAffineMap map);
// Inherent attribute by its position in the definition.
MLC_API MlcAttr mlc_op_slot(const MlcOp *op, size_t slot);
// NULL removes it.
MLC_API void mlc_op_set_slot(MlcOp *op, size_t slot, MlcAttr value);
MLC_API MlcAttr mlc_op_discardable(const MlcOp *op); // a dictionary, NULL if empty
// Replaces the whole dictionary; NULL or an empty one removes it.
MLC_API void mlc_op_set_discardable(MlcOp *op, MlcAttr dict);
// Unregistered: <{...}>; registered: slots as a dictionary.
MLC_API MlcAttr mlc_op_properties(const MlcOp *op);
// Slots and dictionary as one dictionary (not NULL).
MLC_API MlcAttr mlc_op_all_attrs(const MlcOp *op);

// Successors. Their operands are ordinary operands; the branch interface says which.
MLC_API size_t mlc_op_num_successors(const MlcOp *op);
MLC_API MlcBlock *mlc_op_successor(const MlcOp *op, size_t i);
MLC_API void mlc_op_set_successor(MlcOp *op, size_t i, MlcBlock *block);

// Regions; an op has as many as it was made with.
MLC_API size_t mlc_op_num_regions(const MlcOp *op);
MLC_API MlcRegion *mlc_op_region(const MlcOp *op, size_t i);

// Questions, answered from the definition, recursively where regions matter.
MLC_API bool mlc_op_has_trait(const MlcOp *op, MlcTrait trait);
// Its vtable, or NULL.
MLC_API const void *mlc_op_interface(const MlcOp *op, uint32_t interface);
// Whether a dialect defines it.
MLC_API bool mlc_op_is_registered(const MlcOp *op);
MLC_API bool mlc_op_is_pure(MlcOp *op); // no memory effect and speculatable
// Neither it nor an op in its regions reads, writes, allocates or frees.
MLC_API bool mlc_op_is_memory_effect_free(MlcOp *op);
// May run where it would not have run: it cannot trap or go on for ever.
MLC_API bool mlc_op_is_speculatable(MlcOp *op);
MLC_API bool mlc_op_is_trivially_dead(MlcOp *op); // no uses, and only effects on what it allocates
MLC_API bool mlc_op_would_be_trivially_dead(MlcOp *op); // were it not for uses
// Whether any of its results has one.
MLC_API bool mlc_op_has_uses(const MlcOp *op);
// The constant attribute if the op is constant-like, or the value is made by such an op; else NULL.
MLC_API MlcAttr mlc_op_constant(MlcOp *op);
// Of the op that makes the value.
MLC_API MlcAttr mlc_value_constant(MlcValue *value);
// False: no constant integer or index, or one wider than int64.
MLC_API bool mlc_value_constant_int(MlcValue *value, int64_t *result);

// What ops inside of `op` (and itself, if `own`) use and `op` does not hold, each value once: ops
// that make constants, and the other values.
MLC_API void mlc_op_find_captures(MlcOp *op, bool own, MlcValueVec *values, MlcOpVec *constants);

// Whether the regions of two ops are equal op by op, locations apart; values from outside must be
// the same. `same_kind`, which may be NULL, says which ops count as equal but for their attributes,
// types and operands; by default those with one definition.
MLC_API bool mlc_op_has_equal_bodies(MlcOp *a, MlcOp *b,
                                     bool (*same_kind)(const MlcOp *a, const MlcOp *b));

// Diagnostics located at the op. The first returns false; a note belongs to the diagnostic emitted
// last.
// "'arith.addi' op <message>".
MLC_API bool mlc_op_error(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);
// "'graph.pad' op is not supported: <message>".
MLC_API bool mlc_op_unsupported(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);

MLC_API bool mlc_op_cast_error(MlcOp *op); // "operand type ... and result type ... are ..."
// The same with other severities.
MLC_API void mlc_op_warning(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);
MLC_API void mlc_op_remark(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);
MLC_API void mlc_op_note(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);

// Values.
MLC_API MlcType mlc_value_type(const MlcValue *value);
MLC_API void mlc_value_set_type(MlcValue *value, MlcType type);
MLC_API MlcOp *mlc_value_def(const MlcValue *value); // defining op; NULL for block arguments
// The block it is an argument of; else NULL.
MLC_API MlcBlock *mlc_value_block(const MlcValue *value);

MLC_API MlcBlock *mlc_value_parent_block(const MlcValue *value); // where it is defined
MLC_API size_t mlc_value_index(const MlcValue *value);           // result or argument number
// The context of its type; where it stands: the op's location, or the argument's own.
MLC_API MlcContext *mlc_value_context(const MlcValue *value);
MLC_API MlcLoc mlc_value_loc(const MlcValue *value);
// Defined within op's regions.
MLC_API bool mlc_value_is_inside(const MlcValue *value, const MlcOp *op);
// NULL if there are none. Uses stand in no order that means anything.
MLC_API MlcUse *mlc_value_first_use(const MlcValue *value);
MLC_API bool mlc_value_has_uses(const MlcValue *value);
MLC_API bool mlc_value_has_one_use(const MlcValue *value);
// All of them, by a value of the same type.
MLC_API void mlc_value_replace_uses(MlcValue *value, MlcValue *with);
// Those of which `keep` says true.
MLC_API void mlc_value_replace_uses_if(MlcValue *value, MlcValue *with,
                                       bool (*keep)(MlcUse *use, void *user), void *user);
// Gives the uses of its results to `values`, as many, and erases it.
MLC_API void mlc_op_replace(MlcOp *op, MlcValue *const *values, size_t num_values);

// The next of the same value; NULL after the last.
MLC_API MlcUse *mlc_use_next(const MlcUse *use);
// The op that uses it.
MLC_API MlcOp *mlc_use_owner(const MlcUse *use);
MLC_API size_t mlc_use_index(const MlcUse *use); // operand number
// The value that is used, and another one in its place: a `next` that is needed is asked for
// before.
MLC_API MlcValue *mlc_use_value(const MlcUse *use);
MLC_API void mlc_use_set(MlcUse *use, MlcValue *value);

// Blocks.
MLC_API MlcBlock *mlc_block_create(MlcContext *ctx); // detached
MLC_API void mlc_block_destroy(MlcBlock *block);     // with its ops; unlinked first
MLC_API MlcValue *mlc_block_add_arg(MlcBlock *block, MlcType type, MlcLoc loc);
MLC_API MlcValue *mlc_block_insert_arg(MlcBlock *block, size_t at, MlcType type, MlcLoc loc);
MLC_API void mlc_block_erase_arg(MlcBlock *block, size_t i); // must have no uses
MLC_API size_t mlc_block_num_args(const MlcBlock *block);
MLC_API MlcValue *mlc_block_arg(const MlcBlock *block, size_t i);
MLC_API MlcLoc mlc_block_arg_loc(const MlcBlock *block, size_t i);
// Where argument `i` stands in the source.
MLC_API void mlc_block_set_arg_loc(MlcBlock *block, size_t i, MlcLoc loc);
// The region and the op that hold it; NULL if it is detached.
MLC_API MlcRegion *mlc_block_region(const MlcBlock *block);
MLC_API MlcOp *mlc_block_parent(const MlcBlock *block);
// Its first and last op; NULL if it is empty.
MLC_API MlcOp *mlc_block_first(const MlcBlock *block);
MLC_API MlcOp *mlc_block_last(const MlcBlock *block);
// The last op if it is one (or is unregistered); else NULL.
MLC_API MlcOp *mlc_block_terminator(const MlcBlock *block);
// The op of the block that is `op` or is around it; NULL: none.
MLC_API MlcOp *mlc_block_find_ancestor(const MlcBlock *block, MlcOp *op);
MLC_API bool mlc_block_is_empty(const MlcBlock *block);
MLC_API MlcBlock *mlc_block_next(const MlcBlock *block);
MLC_API MlcBlock *mlc_block_prev(const MlcBlock *block);
MLC_API void mlc_block_append(MlcBlock *block, MlcOp *op);
// Puts a detached op, which the block owns from then on, at its start.
MLC_API void mlc_block_prepend(MlcBlock *block, MlcOp *op);
// Moves `first` and what follows into a new block after its own.
MLC_API MlcBlock *mlc_block_split(MlcOp *first);
// All ops of `from`; before NULL: append.
MLC_API void mlc_block_splice(MlcBlock *to, MlcOp *before, MlcBlock *from);
// Puts ops behind what they use; they keep their place as far as they can: the block is walked
// again and again, and each op of which all operands stand before goes to the front of what is
// left. A circle is broken at its first op; a terminator stays the last one.
MLC_API void mlc_block_sort(MlcBlock *block);
// Uses of the block as a successor.
MLC_API size_t mlc_block_num_predecessors(const MlcBlock *block);
// Calls visit for each (terminator, successor number) that names the block.
MLC_API void mlc_block_visit_predecessors(const MlcBlock *block,
                                          void (*visit)(MlcOp *terminator, size_t i, void *user),
                                          void *user);
MLC_API void mlc_block_replace_uses(MlcBlock *block, MlcBlock *with); // as a successor

// Regions. Those of an op are made with it; one made here belongs to the caller, who moves its
// blocks into an op's (mlc_region_take_body) and destroys it.
MLC_API MlcRegion *mlc_region_create(void);
MLC_API void mlc_region_destroy(MlcRegion *region);
MLC_API MlcOp *mlc_region_parent(const MlcRegion *region);
MLC_API size_t mlc_region_index(const MlcRegion *region);
MLC_API MlcBlock *mlc_region_first(const MlcRegion *region); // the entry; NULL if empty
MLC_API MlcBlock *mlc_region_last(const MlcRegion *region);
// Whether it has no block, or exactly one.
MLC_API bool mlc_region_is_empty(const MlcRegion *region);
MLC_API bool mlc_region_has_one_block(const MlcRegion *region);
MLC_API void mlc_region_append(MlcRegion *region, MlcBlock *block); // takes it
// Puts a detached block, which the region owns from then on, beside `anchor`.
MLC_API void mlc_region_insert_after(MlcBlock *anchor, MlcBlock *block);
MLC_API void mlc_region_insert_before(MlcBlock *anchor, MlcBlock *block);
// Moves all blocks; `to` is cleared first.
MLC_API void mlc_region_take_body(MlcRegion *to, MlcRegion *from);
// Appends copies of all blocks to `to`; values and blocks are put into `map`, as for mlc_op_clone.
MLC_API void mlc_region_clone_into(MlcRegion *from, MlcRegion *to, MlcCloneMap *map);
// Destroys all blocks with their ops.
MLC_API void mlc_region_clear(MlcRegion *region);

// Walks. MLC_WALK_SKIP leaves out the regions of the op just visited (pre-order only). In
// post-order the callback may erase the op it is given.
typedef enum MlcWalk { MLC_WALK_CONTINUE, MLC_WALK_SKIP, MLC_WALK_STOP } MlcWalk;
typedef MlcWalk (*MlcWalkFn)(MlcOp *op, void *user);
// False if stopped; root included.
MLC_API bool mlc_op_walk_preorder(MlcOp *root, MlcWalkFn visit, void *user);
// False if stopped; root included, last.
MLC_API bool mlc_op_walk_postorder(MlcOp *root, MlcWalkFn visit, void *user);

// Post-order cursors for the loops below. mlc_op_postorder_first(root) is the innermost first op;
// `next` must be asked before the op is erased (the macros do).
MLC_API MlcOp *mlc_op_postorder_first(MlcOp *root);
MLC_API MlcOp *mlc_op_postorder_next(MlcOp *op, MlcOp *root); // NULL after root
MLC_API MlcOp *mlc_op_preorder_next(MlcOp *op, MlcOp *root);  // starts at root; NULL after the last

#define MLC_FOR_EACH_OP(op, block)                                                                 \
    for (MlcOp *op = mlc_block_first(block); op; op = mlc_op_next(op))
#define MLC_FOR_EACH_OP_SAFE(op, block)                                                            \
    for (MlcOp *op = mlc_block_first(block), *op##_next = op ? mlc_op_next(op) : NULL; op;         \
         op = op##_next, op##_next = op ? mlc_op_next(op) : NULL)
#define MLC_FOR_EACH_BLOCK(block, region)                                                          \
    for (MlcBlock *block = mlc_region_first(region); block; block = mlc_block_next(block))
#define MLC_FOR_EACH_BLOCK_IN_OP(block, op)                                                        \
    for (size_t block##_r = 0; block##_r < mlc_op_num_regions(op); block##_r++)                    \
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, block##_r))
#define MLC_FOR_EACH_USE(use, value)                                                               \
    for (MlcUse *use = mlc_value_first_use(value); use; use = mlc_use_next(use))
#define MLC_FOR_EACH_USE_SAFE(use, value)                                                          \
    for (MlcUse *use = mlc_value_first_use(value), *use##_next = use ? mlc_use_next(use) : NULL;   \
         use; use = use##_next, use##_next = use ? mlc_use_next(use) : NULL)
#define MLC_FOR_EACH_OPERAND(value, op)                                                            \
    for (size_t value##_i = 0; value##_i < mlc_op_num_operands(op); value##_i++)                   \
        for (MlcValue *value = mlc_op_operand(op, value##_i), *value##_1 = value; value##_1;       \
             value##_1 = NULL)
#define MLC_FOR_EACH_POSTORDER(op, root)                                                           \
    for (MlcOp *op = mlc_op_postorder_first(root), *op##_next = mlc_op_postorder_next(op, root);   \
         op; op = op##_next, op##_next = op ? mlc_op_postorder_next(op, root) : NULL)
#define MLC_FOR_EACH_PREORDER(op, root)                                                            \
    for (MlcOp *op = (root); op; op = mlc_op_preorder_next(op, root))
#define MLC_FOR_EACH_OP_WITH_INTERFACE_POSTORDER(op, root, interface)                              \
    MLC_FOR_EACH_POSTORDER (op, root)                                                              \
        if (mlc_op_interface(op, interface))

MLC_END_DECLS

#endif
