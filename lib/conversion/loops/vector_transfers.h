// vector_transfers.h -- what lower-vector-transfers does, for conversions that meet transfers.
#ifndef MLC_CONVERSION_VECTOR_TRANSFERS_H
#define MLC_CONVERSION_VECTOR_TRANSFERS_H

#include "mlc/ir.h"

// A vector.transfer_read or vector.transfer_write.
typedef struct VectorTransfer {
    MlcOp *op;
    bool is_write;
    MlcValue *vector, *memref, *padding, *mask; // mask NULL: none
    MlcValueVec indices;                        // the caller's to release
    MlcAffineMap map;
} VectorTransfer;

void vector_transfer_read(MlcOp *op, VectorTransfer *t); // `t` is zeroed before
// Whether the op says that it lies inside along dimension `i` of the vector.
bool vector_transfer_in_bounds(const VectorTransfer *t, size_t i);
// Of one dimension, along neighbours in the buffer's last, or of one element for all lanes.
bool vector_transfer_is_contiguous(const VectorTransfer *t);

// In `root`: transfers between buffers and vectors of one dimension become loads and stores.
void vector_lower_transfers(MlcOp *root);

#endif
