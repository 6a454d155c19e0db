// affine_loops.h -- what passes on affine.for share: bounds as maps, iterations counted, the body
// in the loop's place.
#ifndef MLC_PASSES_AFFINE_LOOPS_H
#define MLC_PASSES_AFFINE_LOOPS_H

#include "mlc/dialects/affine_compose.h"

enum { MLC_FOR_LOWER, MLC_FOR_UPPER, MLC_FOR_INITS }; // operand groups of affine.for

bool mlc_is_affine_for(const MlcOp *op);
MlcValueMap mlc_affine_for_bound(MlcOp *loop, bool is_upper); // the caller releases it
void mlc_affine_for_set_bound(MlcOp *loop, bool is_upper, const MlcValueMap *bound);
int64_t mlc_affine_for_step_size(MlcOp *loop); // 0 if it is not a positive number
// The iterations, one result per upper bound, of which the least counts. False if the lower bound
// is the greatest of several.
bool mlc_affine_for_trip_map(MlcOp *loop, MlcValueMap *trips);
int64_t mlc_affine_for_trip_count(MlcOp *loop); // -1 if it is not a constant
// A loop of one iteration gives way to its body. True if it did.
bool mlc_affine_for_promote(MlcOp *loop);

#endif
