// analysis.h -- questions about the IR that passes share. Data flow is in mlc/dataflow.h.
#ifndef MLC_ANALYSIS_H
#define MLC_ANALYSIS_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// --- slices

// Ops that use `root`, and those that use what they make, and so on, ops in regions of such ops
// included: every op after those that it needs. Appended to `slice`.
MLC_API void mlc_forward_slice(MlcValue *root, MlcOpVec *slice);
// Ops that `root` is computed from, through operands and the operands of ops in regions: every op
// after those that it needs. Block arguments end a slice, but for those of `root` itself none is
// looked through.
MLC_API void mlc_backward_slice(MlcValue *root, MlcOpVec *slice);
// Ops of one region by block (reverse post-order, each unreachable block after) and place; an op
// deeper inside counts as the op of the region that holds it.
MLC_API void mlc_sort_by_dominance(MlcRegion *region, MlcOpVec *ops);

MLC_END_DECLS

#endif
