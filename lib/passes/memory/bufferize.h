// bufferize.h -- the state of one bufferisation, shared by its analysis and its rewriting.
#ifndef MLC_PASSES_BUFFERIZE_H
#define MLC_PASSES_BUFFERIZE_H

#include "mlc/dialects/bufferize.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

// Tensors that may share memory, and tensors that have the same buffer: union-find over value
// numbers.
typedef struct Bufferization {
    MlcBufferizer base; // first: hooks give back this
    MlcOp *function;
    MlcMap numbers; // tensor value -> number
    MlcValueVec values;
    MLC_VEC(uint32_t) alias, same; // parents
    MLC_VEC(MlcValueVec) members;  // of an alias class, at its root
} Bufferization;

void bufferize_analyze(Bufferization *bufferizer);
void bufferize_release(Bufferization *bufferizer);
bool bufferize_same(Bufferization *bufferizer, MlcValue *a, MlcValue *b);
bool bufferize_may_share(Bufferization *bufferizer, MlcValue *a, MlcValue *b);
void bufferize_unite(Bufferization *bufferizer, MlcValue *a, MlcValue *b, bool whole);

#endif
