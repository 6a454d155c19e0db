// verify.h -- the verifier and dominance.
//
// Ownership: the caller destroys dominance, before the ops it is about.
// Threads: it notes what was found right, so one at a time in a module; large ones are shared out
// to the context's threads.
#ifndef MLC_IR_VERIFY_H
#define MLC_IR_VERIFY_H

#include "mlc/ir/op.h"

MLC_BEGIN_DECLS

// Verifies `op` and all inside: records, hooks, terminators, dominance, isolation, symbols. Reports
// every fault found.
MLC_API bool mlc_verify(MlcOp *op);
// Whether only the first fault in the body of each isolated op is reported, as MLIR does. Default:
// no.
MLC_API void mlc_context_verify_first_fault(MlcContext *ctx, bool first);

// Dominance between blocks of one region and, through nesting, between any two ops. Computed on
// demand per region; stale after the CFG changes (mlc_dominance_invalidate).
typedef struct MlcDominance MlcDominance;
// For questions about blocks inside `root`, answered from trees made when first asked for; the
// caller destroys it.
MLC_API MlcDominance *mlc_dominance_create(MlcOp *root);
MLC_API void mlc_dominance_destroy(MlcDominance *dom);
// Blocks or edges have changed: trees are made again. Moves of ops within blocks need not be told.
MLC_API void mlc_dominance_invalidate(MlcDominance *dom);
// A dominates b (a == b: true).
MLC_API bool mlc_dominance_block(MlcDominance *dom, MlcBlock *a, MlcBlock *b);

MLC_API bool mlc_dominance_op(MlcDominance *dom, MlcOp *a, MlcOp *b); // properly
// Whether `value` may be used by `user`: it is there before, or around it.
MLC_API bool mlc_dominance_value(MlcDominance *dom, MlcValue *value, MlcOp *user);
// The nearest block that all ways to `block` lead through; NULL for an entry, and for what is not
// reachable.
MLC_API MlcBlock *mlc_dominance_idom(MlcDominance *dom, MlcBlock *block);
// From the entry of its region.
MLC_API bool mlc_dominance_is_reachable(MlcDominance *dom, MlcBlock *block);

MLC_END_DECLS

#endif
