// affine_to_scf.h -- bounds of affine loops as arithmetic.
#ifndef MLC_CONVERSION_AFFINE_TO_SCF_H
#define MLC_CONVERSION_AFFINE_TO_SCF_H

#include "mlc/ir.h"

// The least (or greatest) of results [first, first + count) of a map of `values`: a bound.
MlcValue *affine_expand_bound(MlcBuilder *b, MlcAffineMap map, size_t first, size_t count,
                              MlcValue *const *values, bool is_min);

#endif
