// scf_forall.h -- scf.forall without results, as other loops.
#ifndef MLC_PASSES_SCF_FORALL_H
#define MLC_PASSES_SCF_FORALL_H

#include "mlc/pass.h"

typedef struct MlcForallBounds {
    MlcValueVec lower, upper, step;
} MlcForallBounds;
// Gives every scf.forall under root that has no results to `build`, which makes loops over the
// bounds and leaves the builder where the body goes; variables are appended to `ivs`.
void mlc_replace_foralls(MlcOp *root, void (*build)(MlcBuilder *b, const MlcForallBounds *bounds,
                                                    MlcValueVec *ivs));

#endif
