// sum_block.h -- sums in blocks: how exact a contraction is.
#ifndef MLC_PASSES_SUM_BLOCK_H
#define MLC_PASSES_SUM_BLOCK_H

#include "mlc/ir.h"

// A long chain of sums in f32 rounds at the size of what is summed up already; blocks of it, each
// summed from zero, keep the error near that of a block (Higham, "Accuracy and Stability of
// Numerical Algorithms", 4.2). So many steps of reduction `loop`, and all of the reductions inside,
// are a block, which may be the whole sum: a small one is then not rounded at the size of a large
// bias each time; 0: all is one chain. The accumulators of the other blocks leave the registers
// meanwhile, which is why blocks are long. A function of the op's shape, or what an op that was cut
// along its reduction says it was (mlc_set_sum_block): so the bits do not depend on the cut, if
// that is between blocks.
typedef struct MlcSumBlock {
    size_t loop;
    int64_t size;
} MlcSumBlock;
MlcSumBlock mlc_sum_block(MlcOp *contraction);
void mlc_set_sum_block(MlcOp *contraction); // as it is now; it has one reduction
// Shorter blocks than the op's shape would have, of at most `most` or twice as many steps, where
// they divide its one reduction.
void mlc_shorten_sum_block(MlcOp *contraction, int64_t most);
void mlc_keep_sum_block(MlcOp *from, MlcOp *to); // what was set for an op, for one in its place

#endif
