// loop_sizes.h -- sizes that are known only when the kernel runs: where they come from.
#ifndef MLC_PASSES_LOOP_SIZES_H
#define MLC_PASSES_LOOP_SIZES_H

#include "mlc/ir.h"

// The size of dimension `dim` of a tensor as an index value, made at the builder's place where it
// has to be computed: that of the tensor.empty it grew out of, of the slice that it is, and so on,
// so that equal sizes are one value; tensor.dim of what nothing else is known of.
MlcValue *mlc_size_value(MlcBuilder *b, MlcValue *tensor, size_t dim);
// The size of a loop of a structured op, which an operand has as a dimension.
MlcValue *mlc_loop_size_value(MlcBuilder *b, MlcOp *op, size_t loop);
// tensor.empty of the shape of a tensor.
MlcValue *mlc_build_empty_like(MlcBuilder *b, MlcValue *tensor);
// A number that a size never exceeds: of a constant, or of affine.min with a constant; MLC_DYNAMIC:
// none is known.
int64_t mlc_size_bound(MlcValue *size);

#endif
