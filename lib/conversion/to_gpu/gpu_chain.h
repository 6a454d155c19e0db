// gpu_chain.h -- what becomes one kernel with a root op: the op that fills its result before, and
// element-wise ops behind it, which read it point by point.
#ifndef MLC_CONVERSION_GPU_CHAIN_H
#define MLC_CONVERSION_GPU_CHAIN_H

#include "mlc/ir.h"
#include "mlc/support/vec.h"

typedef struct Chain {
    MlcOp *root;
    MlcOp *init; // NULL: the result has its values from elsewhere
    MlcOpVec followers;
} Chain;

// The chain of `root`, which writes one buffer. The caller releases it.
void gpu_chain_read(Chain *chain, MlcOp *root);
void gpu_chain_release(Chain *chain);
// Appends `op` if it can be one more; nothing with an effect is between, the caller says.
bool gpu_chain_take(Chain *chain, MlcOp *op);
// Whether `op` writes its whole output, one element an iteration.
bool gpu_is_pointwise(MlcOp *op);
// The op before which the chain's kernel belongs: the last of its ops.
MlcOp *gpu_chain_place(const Chain *chain);
// Erases its ops, and buffers that nobody needs any more.
void gpu_chain_erase(Chain *chain);

// Values of buffers at one point of the root's result.
typedef struct ChainPoint {
    const Chain *chain;
    MlcValue *const *coordinates; // of the root's result
    MLC_VEC(MlcValue *) buffers, values;
} ChainPoint;
// What the chain's init gives there, of the result's element type; NULL: it is zero. Without an
// init it is read from the result.
MlcValue *gpu_chain_initial(ChainPoint *point, MlcBuilder *b);
// The root's result there is `value`: computes the followers, and writes what somebody needs.
void gpu_chain_finish(ChainPoint *point, MlcBuilder *b, MlcValue *value);
// The same, but nothing is written: what `buffer` has there in the end.
MlcValue *gpu_chain_value(ChainPoint *point, MlcBuilder *b, MlcValue *value, MlcValue *buffer);
void gpu_chain_point_release(ChainPoint *point);

#endif
