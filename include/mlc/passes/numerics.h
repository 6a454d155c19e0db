// numerics.h -- how far results may round differently from what the ops say (docs/numerics.md).
//
// A module says it by its attribute `mlc.numerics`, a name of the enumeration; without one it is
// the default. Passes that trade accuracy for time ask here, and nowhere else.
//
// Ownership: nothing is kept.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_PASSES_NUMERICS_H
#define MLC_PASSES_NUMERICS_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// From the most to the least that is promised, so that a pass compares: `numerics <
// MLC_NUMERICS_FAST`.
typedef enum MlcNumerics {
    MLC_NUMERICS_STRICT,  // each sum has one order, whatever else is computed beside it
    MLC_NUMERICS_DEFAULT, // errors are bounded row by row and window by window
    MLC_NUMERICS_FAST,    // errors are bounded by the largest element of a tensor
} MlcNumerics;

// The one that is called "strict", "default" or "fast"; false: none is.
MLC_API bool mlc_numerics_find(MlcStr name, MlcNumerics *numerics);
// What `module` says; false after an error at it: no such name.
MLC_API MLC_NODISCARD bool mlc_module_numerics(MlcOp *module, MlcNumerics *numerics);

MLC_END_DECLS

#endif
