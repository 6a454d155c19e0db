// linalg_loops.h -- the scalar body of a structured op on buffers, at one point of its loops.
#ifndef MLC_CONVERSION_LINALG_LOOPS_H
#define MLC_CONVERSION_LINALG_LOOPS_H

#include "mlc/ir.h"

// How an element is read and written at map(ivs).
typedef struct MlcElementAccess {
    MlcValue *(*load)(MlcBuilder *b, MlcValue *memref, MlcAffineMap map, MlcValue *const *ivs);
    void (*store)(MlcBuilder *b, MlcValue *value, MlcValue *memref, MlcAffineMap map,
                  MlcValue *const *ivs);
} MlcElementAccess;

bool mlc_structured_has_tensors(const MlcOp *op);
// Loads each operand that the body reads (scalars stand for themselves), clones the body and stores
// what it yields; `ivs`: one per loop of `op`.
void mlc_structured_build_point(MlcOp *op, MlcBuilder *b, MlcValue *const *ivs,
                                const MlcElementAccess *access);

#endif
