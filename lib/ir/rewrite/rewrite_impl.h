// rewrite_impl.h -- private: what the drivers share.
#ifndef MLC_IR_REWRITE_IMPL_H
#define MLC_IR_REWRITE_IMPL_H

#include "mlc/ir/rewrite.h"
#include "mlc/ir/loc.h"
#include "op/op_impl.h"

// A rewriter is a builder whose edits a driver hears of. The hooks may be NULL.
struct MlcRewriter {
    MlcBuilder builder;                          // first: builder.inserted gets this struct
    void (*changed)(MlcRewriter *rw, MlcOp *op); // in place
    void (*erasing)(MlcRewriter *rw, MlcOp *op); // its operands may have become dead
    void (*no_match)(MlcRewriter *rw, MlcOp *op, MlcStr reason);
    const char *rule; // the rule by which a pattern did its last rewrite
};

// Makes the constant `attr` of `type` by op's dialect; NULL if it cannot.
MlcOp *mlc_materialize_constant(MlcBuilder *b, MlcOp *op, MlcAttr attr, MlcType type);

// mlc_rewriter_rebuild, for any builder.
MlcOp *mlc_rebuild_op(MlcBuilder *b, MlcOp *op, MlcValue *const *operands, size_t num_operands,
                      const MlcType *result_types, size_t num_results);

// The region whose entry block constants of `block` go to.
MlcRegion *mlc_constant_home(MlcBlock *block);

// Unreachable blocks go, and what only dead block arguments need; equal blocks become one if
// `merge_blocks`. Not inside isolated ops in `root`, if `one_layer`. True if anything changed.
bool mlc_simplify_regions(MlcOp *root, bool merge_blocks, bool one_layer);
bool mlc_merge_equal_blocks(MlcRegion *region);

// The operand that predecessor `use` passes to argument `i` of its block; NULL if it makes the
// value itself or does not say.
MlcUse *mlc_branch_operand_for(const MlcBlockUse *use, uint32_t i);
// Predecessors pass argument `i` no more; each must have an operand for it.
void mlc_branches_drop(MlcBlock *block, uint32_t i);
// Whether the predecessor can pass further operands; and all of them do, behind those they pass.
bool mlc_branch_can_grow(const MlcBlockUse *use);
void mlc_branches_append(MlcBlock *block, MlcValue *const *values, size_t num_values);

typedef MLC_VEC(const MlcPattern *) MlcPatternRefVec;
typedef struct MlcPatternList { // those that may match ops of a definition, best first
    const MlcOpDef *def;
    size_t size;
    const MlcPattern *patterns[];
} MlcPatternList;

#define MLC_PATTERN_SLOTS 4096
struct MlcPatternSet {
    MlcContext *ctx;
    MLC_VEC(MlcPattern) patterns;
    // Of a frozen set: lists by definition, which are made when first asked for and stay; else
    // NULL.
    _Atomic(MlcPatternList *) *lists;
    MlcPatternSet *older; // what the context kept before more was loaded
    size_t num_dialects;
    const void *loaded;
};

// Frees the set of canonicalization patterns of a context that ends.
void mlc_release_canonicalization(MlcContext *ctx);

#endif
