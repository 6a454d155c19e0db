// windows.h -- windows of tensors, whose offsets are expressions over index values.
#ifndef MLC_PASSES_WINDOWS_H
#define MLC_PASSES_WINDOWS_H

#include "index_values.h"

#include "mlc/analysis/structured.h"

// A window of a tensor: one offset and size a dimension, strides 1.
typedef struct MlcWindow {
    size_t rank;
    MlcAffineExpr offsets[MLC_SMALL_RANK];
    int64_t sizes[MLC_SMALL_RANK];
    MlcAffineExpr extents[MLC_SMALL_RANK]; // the sizes that are MLC_DYNAMIC; others are not set
} MlcWindow;
// The size along dimension `i`, as an expression.
MlcAffineExpr mlc_window_size(MlcContext *ctx, const MlcWindow *w, size_t i);
// The window of an operand, read by `map`, that the iterations `loops` touch.
void mlc_window_of_operand(MlcAffineMap map, const MlcWindow *loops, MlcWindow *w);
// Whether it is all of a tensor of that type. A dynamic size that begins at 0 is the tensor's.
bool mlc_window_is_whole(const MlcWindow *w, MlcType type);
bool mlc_window_is_static(const MlcWindow *w); // no size is dynamic
// tensor.empty of the window's shape.
MlcValue *mlc_window_empty(MlcBuilder *b, MlcIndexValues *indices, const MlcWindow *w,
                           MlcType element);
// tensor.extract_slice and tensor.insert_slice. `type` is the slice's; it may leave out dimensions
// of size 1.
MlcValue *mlc_window_extract(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source,
                             const MlcWindow *w, MlcType type);
MlcValue *mlc_window_insert(MlcBuilder *b, MlcIndexValues *indices, MlcValue *source,
                            MlcValue *dest, const MlcWindow *w);
// The window of an op that has the offsets, sizes and strides of tensor.extract_slice, its dynamic
// operands starting after the first `num_fixed`; false where a stride is not 1.
bool mlc_window_of_slice(MlcOp *slice, size_t num_fixed, MlcIndexValues *indices, MlcWindow *w);

#endif
