// parallel_space.h -- the iterations of an scf.parallel, counted in row-major order.
#ifndef MLC_CONVERSION_PARALLEL_SPACE_H
#define MLC_CONVERSION_PARALLEL_SPACE_H

#include "mlc/ir.h"

// Iterations in dimension i, as index: a constant if the bounds are. Operands are taken through
// `map`, which may be NULL.
MlcValue *parallel_trip_count(MlcBuilder *b, MlcOp *loop, size_t i, MlcCloneMap *map);
// The loop's induction variables in iteration `number`: one for each of `counts`, appended.
void parallel_indices(MlcBuilder *b, MlcOp *loop, MlcValue *number, const MlcValueVec *counts,
                      MlcCloneMap *map, MlcValueVec *indices);

#endif
