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
// Loads the element of operand `i` at the map of the loops.
MlcValue *gpu_load_element(MlcBuilder *b, MlcOp *op, size_t i, MlcValue *const *ivs);

#endif
