// gpu_launchable.h -- what a launch has no form for: asked when kernels get schedules, and when the
// rest of them is placed, so that both say the same.
//
// Ownership: reasons are constant texts.
// Threads: any; ops as for reading them (mlc/ir/op.h).
#ifndef MLC_DIALECTS_GPU_LAUNCHABLE_H
#define MLC_DIALECTS_GPU_LAUNCHABLE_H

#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

// The first op of `root`, with all that is in it, that may not stand in a launch, and why; NULL:
// all may.
MlcOp *mlc_gpu_not_launchable(MlcOp *root, const char **reason);

MLC_END_DECLS

#endif
