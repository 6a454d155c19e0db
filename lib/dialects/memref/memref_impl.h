// memref_impl.h -- what the files of the memref dialect share: types of views, casts.
#ifndef MLC_MEMREF_IMPL_H
#define MLC_MEMREF_IMPL_H

#include "mlc/ir/mixed.h"
#include "mlc/ir/type.h"
#include "mlc/ir/reshape.h"

extern const MlcReshapeOps mlc_memref_reshapes;

// Whether memref.cast may go from one to the other (unless they are the same).
bool mlc_memref_types_cast(MlcType from, MlcType to);
// The memref.cast that makes `value`, if what it casts knows as much of shape, offset and strides;
// NULL otherwise.
MlcOp *mlc_memref_foldable_cast(MlcValue *value);
// Takes what was cast instead of casts, but for operand `but`; true if there was one.
bool mlc_memref_fold_casts(MlcOp *op, size_t but);

// Dimensions that `reduced` has not, of a type that a slice of these sizes has; false if it cannot
// be told. (MLIR's computeMemRefRankReductionMask.)
bool mlc_memref_dropped_dims(MlcType type, MlcType reduced, const MlcMixedList *sizes,
                             bool *dropped);
bool mlc_memref_subview_dropped_dims(const MlcOp *op, bool *dropped);
MlcType mlc_memref_slice_type(MlcType source, const MlcSlice *slice);

#endif
