// gpu_launch.h -- what kernels of products have in common: limits of a block, the ring of stages,
// and how results leave.
#ifndef MLC_CONVERSION_GPU_LAUNCH_H
#define MLC_CONVERSION_GPU_LAUNCH_H

#include "gpu_chain.h"
#include "gpu_tiles.h"

#include "mlc/dialects/nvgpu.h"

enum { MAX_THREADS = 1024, MAX_MEMORY = 163 * 1024 }; // of a block, from sm_80 on

int64_t gpu_round_up(int64_t x, int64_t multiple);
MlcAttr gpu_workgroup_space(MlcContext *ctx);
// The slot behind `slot` in the ring.
MlcValue *gpu_next_slot(MlcBuilder *b, MlcValue *slot, int64_t stages);
// Until all copies but those of the last `left` groups are there, for all threads. `group`: NULL
// where all copies go through registers.
void gpu_wait_for_copies(MlcBuilder *b, MlcValue *group, int64_t left);
// A loop in which threads take the tile's elements one by one, row by row, of `across` columns; the
// builder goes to where one is inside of the result. `place`: in the tile, `global`: in the result.
void gpu_begin_elements(ProductKernel *k, int64_t across, MlcValue *place[2], MlcValue *global[2]);
// The product's sum there is `sum`: adds what the result begins with, and what follows.
void gpu_finish_element(ProductKernel *k, const Chain *chain, MlcValue *sum, MlcValue *row,
                        MlcValue *column);

#endif
