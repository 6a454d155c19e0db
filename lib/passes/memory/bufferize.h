// bufferize.h -- the state of one bufferisation, shared by its analysis and its rewriting.
#ifndef MLC_PASSES_BUFFERIZE_H
#define MLC_PASSES_BUFFERIZE_H

#include "mlc/ir/bufferize.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

// Tensors that may share memory, and tensors that have the same buffer: union-find over value
// numbers.
struct MlcBufferizer {
    MlcPass *pass;
    MlcOp *function;
    MlcMap numbers; // tensor value -> number
    MlcValueVec values;
    MLC_VEC(uint32_t) alias, same; // parents
    MLC_VEC(MlcValueVec) members;  // of an alias class, at its root
    MlcMap in_place;               // MlcUse * of written operands that are done in place
    MlcMap put_back;               // ops that insert a slice where it was taken from
    MlcMap buffers;                // tensor -> memref
    MlcMap chosen;                 // tensor -> memref it shall have
    bool failed;
};

void bufferize_analyze(MlcBufferizer *bz);
void bufferize_release(MlcBufferizer *bz);
const MlcBufferize *bufferize_methods(MlcOp *op);

#endif
