// scf_specialize.h -- loops to a bound that is usually a constant, in two versions.
#ifndef MLC_PASSES_SCF_SPECIALIZE_H
#define MLC_PASSES_SCF_SPECIALIZE_H

#include "mlc/pass.h"

// Specialises each op of `def` under root whose upper bounds (operand group `uppers`) are all
// affine.min with a constant among its entries: if they are that constant, a loop with constant
// bounds runs.
void mlc_specialize_loops(MlcOp *root, const MlcOpDef *def, size_t uppers);

#endif
