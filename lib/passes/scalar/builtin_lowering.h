// builtin_lowering.h -- passes that are a lowering in the rules of a dialect that is built in.
#ifndef MLC_PASSES_BUILTIN_LOWERING_H
#define MLC_PASSES_BUILTIN_LOWERING_H

#include "mlc/pass.h"

// Whether the lowering, which is of the op's dialect, has rules for it.
bool builtin_lowering_converts(const char *name, const MlcOpDef *op);
// False after diagnostics.
bool builtin_lowering_run(const char *name, MlcPass *pass, MlcOp *root);

#endif
