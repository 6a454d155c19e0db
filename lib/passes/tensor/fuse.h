// fuse.h -- merges structured ops; what the pass fuse does, for others.
#ifndef MLC_PASSES_FUSE_H
#define MLC_PASSES_FUSE_H

#include "mlc/ir.h"

// Puts the body of an element-wise structured op into its only user, if that is another one and may
// have it: both are replaced by one op. False: nothing is changed.
bool mlc_fuse_into_user(MlcOp *producer);

#endif
