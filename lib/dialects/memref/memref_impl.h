// memref_impl.h -- what the files of the memref dialect share: types of views.
#ifndef MLC_MEMREF_IMPL_H
#define MLC_MEMREF_IMPL_H

#include "mlc/ir/mixed.h"
#include "mlc/ir/type.h"

// Whether memref.cast may go from one to the other (unless they are the same).
bool mlc_memref_types_cast(MlcType from, MlcType to);
// Dimensions that `reduced` has not, of a type that a slice of these sizes has; false if it cannot
// be told. (MLIR's computeMemRefRankReductionMask.)
bool mlc_memref_dropped_dims(MlcType type, MlcType reduced, const MlcMixedList *sizes,
                             bool *dropped);
MlcType mlc_memref_slice_type(MlcType source, const MlcSlice *slice);

#endif
