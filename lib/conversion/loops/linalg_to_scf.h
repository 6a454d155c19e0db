// linalg_to_scf.h -- the lowering of structured ops on buffers to scf loops, behind two passes.
#ifndef MLC_CONVERSION_LINALG_TO_SCF_H
#define MLC_CONVERSION_LINALG_TO_SCF_H

#include "linalg_loops.h"

#include "mlc/pass.h"

// Elements of memrefs at indices that are computed.
extern const MlcElementAccess mlc_plain_access;

// `parallel`: neighbouring parallel iterators become one scf.parallel, else all become scf.for.
void mlc_lower_structured_to_scf(MlcPass *pass, MlcOp *root, bool parallel);

#endif
