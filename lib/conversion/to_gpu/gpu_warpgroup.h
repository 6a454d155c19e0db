// gpu_warpgroup.h -- products by warpgroups (sm_90a): one thread asks for tiles, others multiply.
#ifndef MLC_CONVERSION_GPU_WARPGROUP_H
#define MLC_CONVERSION_GPU_WARPGROUP_H

#include "gpu_bulk.h"
#include "gpu_chain.h"

typedef struct WarpgroupPlan {
    BulkTile tiles[2];
    int64_t groups; // that multiply, along rows
    bool hands_on;  // registers, from the warpgroup that asks for tiles to those
    int64_t slot_bytes;
} WarpgroupPlan;

// False: the product has no such form, or a block not enough memory or registers.
bool gpu_warpgroup_plan(WarpgroupPlan *plan, const Product *product, const Schedule *schedule);
// Ahead of the launch.
void gpu_warpgroup_describe(WarpgroupPlan *plan, const Product *product, MlcBuilder *b);
// Threads of the block beside those that multiply, and bytes of its memory.
int64_t gpu_warpgroup_helpers(void);
int64_t gpu_warpgroup_bytes(const WarpgroupPlan *plan, const Schedule *schedule);
// The launch's body; `finish` takes the tile from workgroup memory, with k->threads threads.
void gpu_warpgroup_build(ProductKernel *k, const WarpgroupPlan *plan,
                         void (*finish)(ProductKernel *k, const Chain *chain, MlcValue *memory),
                         const Chain *chain);

#endif
