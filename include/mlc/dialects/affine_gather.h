// affine_gather.h -- index values read back as affine expressions of affine loops' variables.
//
// Ownership: nothing is kept; expressions live as long as the context.
// Threads: as for reading ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_AFFINE_GATHER_H
#define MLC_DIALECTS_AFFINE_GATHER_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

enum { MLC_GATHER_MAX = 256 }; // values, and results of a bound

// The values that expressions are over: dim i is values[i]. Zeroed before the first call; several
// expressions may share one.
typedef struct MlcGather {
    MlcValue *values[MLC_GATHER_MAX];
    size_t num_values;
} MlcGather;

// Follows constants, sums, differences, products with constants and affine.apply down to variables
// of affine loops, to sizes that the function is given (its index arguments, dimensions of its
// buffers, products of these), and to whatever else is computed at the top of the function, before
// or between its loops. False if the value is anything else.
MLC_API bool mlc_gather(MlcGather *e, MlcValue *value, MlcAffineExpr *out);
// A loop bound: an affine value, or the least (upper bound) or greatest (lower) of several, as
// affine.min, affine.max, arith.minsi and arith.maxsi say. `results` has room for MLC_GATHER_MAX.
MLC_API bool mlc_gather_bound(MlcGather *e, MlcValue *value, bool is_upper, MlcAffineExpr *results,
                              size_t *num_results);

MLC_END_DECLS

#endif
