// affine_min_max.h -- affine.min and affine.max of which one entry is always the one.
#ifndef MLC_PASSES_AFFINE_MIN_MAX_H
#define MLC_PASSES_AFFINE_MIN_MAX_H

#include "mlc/analysis/linear.h"
#include "mlc/ir/rewrite.h"

bool mlc_is_affine_min_max(const MlcOp *op);
// Requires what is known of a loop's variable: lower <= variable <= the last value that the loop
// gives it. Bounds that are no numbers, or do not fit, leave that out. `step` must be positive.
void mlc_linear_require_range(MlcLinearSystem *system, MlcValue *variable, const MlcLinear *lower,
                              const MlcLinear *upper, int64_t step);
// If an entry is the least (greatest) wherever the system holds, the op gives way to it; true then.
bool mlc_simplify_min_max(MlcBuilder *b, MlcOp *op, MlcLinearSystem *system, MlcValue **value);

#endif
