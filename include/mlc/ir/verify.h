// verify.h -- the verifier and dominance.
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
MLC_API MlcDominance *mlc_dominance_create(MlcOp *root);
MLC_API void mlc_dominance_destroy(MlcDominance *dom);
MLC_API void mlc_dominance_invalidate(MlcDominance *dom);
MLC_API bool mlc_dominance_block(MlcDominance *dom, MlcBlock *a,
                                 MlcBlock *b); // a dominates b (a == b: true)
MLC_API bool mlc_dominance_op(MlcDominance *dom, MlcOp *a, MlcOp *b); // properly
MLC_API bool mlc_dominance_value(MlcDominance *dom, MlcValue *value, MlcOp *user);
MLC_API MlcBlock *mlc_dominance_idom(MlcDominance *dom, MlcBlock *block);
MLC_API bool mlc_dominance_is_reachable(MlcDominance *dom, MlcBlock *block);

MLC_END_DECLS

#endif
