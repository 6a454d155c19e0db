// gpu_point.h -- the body of a structured op on buffers at one point of its loops.
#ifndef MLC_CONVERSION_GPU_POINT_H
#define MLC_CONVERSION_GPU_POINT_H

#include "mlc/ir.h"

static inline bool
gpu_is_buffer(MlcValue *value)
{
    return mlc_type_is(mlc_value_type(value), MLC_TYPE_MEMREF);
}

// The (first) output of a structured op.
static inline MlcValue *
gpu_output_of(MlcOp *op)
{
    return mlc_op_operand(op, mlc_structured_num_inputs(op));
}

// What the body's argument `i` is: an element of operand `i`, which is a buffer.
typedef MlcValue *(*ReadElement)(void *user, MlcBuilder *b, MlcOp *op, size_t i,
                                 MlcValue *const *ivs);

// Clones the body; `ivs`: one per loop of `op`. Returns the (first) value that it yields.
MlcValue *gpu_build_point(MlcBuilder *b, MlcOp *op, MlcValue *const *ivs, ReadElement read,
                          void *user);
// Where operand `i` is read or written at a point of the loops: its map's results. Returns how
// many.
size_t gpu_element_indices(MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs,
                           MlcValue **indices);
// Whether the map's results are the first `count` loops, in order.
bool gpu_is_identity(MlcAffineMap map, size_t count);
// Loads the element of operand `i` at the map of the loops.
MlcValue *gpu_load_element(MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs);
// Whether parts of the op's reductions may be computed apart and joined. IR that adds in halves
// gets what it says, op by op: models have none, for graph-widen-floats made their sums f32.
bool gpu_can_combine(MlcOp *op);
// x and y by what joins an element with the output; what changes nothing then.
MlcValue *gpu_combine(MlcBuilder *b, MlcOp *op, MlcValue *x, MlcValue *y);
MlcValue *gpu_neutral(MlcBuilder *b, MlcOp *op);

#endif
