// sum_block.h -- sums in blocks: how exact a sum is.
#ifndef MLC_PASSES_SUM_BLOCK_H
#define MLC_PASSES_SUM_BLOCK_H

#include "mlc/ir.h"

// A long chain of sums rounds at the size of what is summed up already, and alike where what is
// added is alike; blocks of it, each summed from zero, keep the error near that of a block (Higham,
// "Accuracy and Stability of Numerical Algorithms", 4.2). So many steps of reduction `loop`, and
// all of the reductions inside, are a block, which may be the whole sum: a small one is then not
// rounded at the size of a large bias each time. The accumulators of the other blocks leave the
// registers meanwhile, which is why blocks are long.
typedef struct MlcSumBlock {
    size_t loop;
    int64_t size; // the last block of a sum may be shorter
} MlcSumBlock;

// Blocks within blocks, so that no chain of sums is long; the smallest first. None: the sum is
// short, or not one of floats. Of one loop, all but the first have 2^7 blocks inside.
enum { MLC_MAX_SUM_BLOCKS = 10 * MLC_SMALL_RANK };
typedef struct MlcSumBlocks {
    size_t num;
    MlcSumBlock of[MLC_MAX_SUM_BLOCKS];
} MlcSumBlocks;

// Of an op whose reductions are `loops`, from the outermost one in, the last of which runs in so
// many lanes at once. A function of the op's shape, and of what an op that was cut along its
// reduction says its blocks were (mlc_set_sum_block): so the bits do not depend on the cut, if that
// is between blocks.
MlcSumBlocks mlc_sum_blocks(MlcOp *op, const size_t *loops, size_t num_loops, int64_t lanes);
// Steps of a contraction's last reduction that are its smallest block; 0: there are none.
int64_t mlc_sum_block_size(MlcOp *contraction);
void mlc_set_sum_block(MlcOp *contraction); // as it is now; it has one reduction
// Blocks of at most `most` steps of the op's one reduction.
void mlc_shorten_sum_block(MlcOp *contraction, int64_t most);
void mlc_keep_sum_block(MlcOp *from, MlcOp *to); // what was set for an op, for one in its place

#endif
