// rewrite_impl.h -- private: what the drivers share.
#ifndef MLC_IR_REWRITE_IMPL_H
#define MLC_IR_REWRITE_IMPL_H

#include "mlc/rewrite.h"
#include "mlc/ir/loc.h"
#include "op_impl.h"

// A rewriter is a builder whose edits a driver hears of. The hooks may be NULL.
struct MlcRewriter {
    MlcBuilder builder;                          // first: builder.inserted gets this struct
    void (*changed)(MlcRewriter *rw, MlcOp *op); // in place
    void (*erasing)(MlcRewriter *rw, MlcOp *op); // its operands may have become dead
    void (*no_match)(MlcRewriter *rw, MlcOp *op, MlcStr reason);
    const char *rule; // the rule by which a pattern did its last rewrite
};

// Makes the constant `attr` of `type` by op's dialect, else by arith's; NULL if neither can.
MlcOp *mlc_materialize_constant(MlcBuilder *b, MlcOp *op, MlcAttr attr, MlcType type);

// The region whose entry block constants of `block` go to.
MlcRegion *mlc_constant_home(MlcBlock *block);

// Unreachable blocks go, blocks merge with their only predecessor, unused block arguments go. True
// if anything changed.
bool mlc_simplify_regions(MlcOp *root);

typedef MLC_VEC(const MlcPattern *) MlcPatternRefVec;
struct MlcPatternSet {
    MlcContext *ctx;
    MLC_VEC(MlcPattern) patterns;
};

#endif
