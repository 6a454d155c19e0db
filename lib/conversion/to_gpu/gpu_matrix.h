// gpu_matrix.h -- what a block computes of a stage: products of warps by matrix instructions, or of
// threads by fused multiply and add.
#ifndef MLC_CONVERSION_GPU_MATRIX_H
#define MLC_CONVERSION_GPU_MATRIX_H

#include "gpu_tiles.h"

// One way to compute a tile. Accumulators are values that a loop carries.
typedef struct ProductUnit {
    TileReading reading; // of elements of 4 bytes, where rows (columns) are contiguous
    // Whether it can do this with such a schedule.
    bool (*fits)(const Product *product, const Schedule *schedule);
    size_t (*num_sums)(const Schedule *schedule);
    MlcType (*sum_type)(MlcContext *ctx, const Schedule *schedule);
    // Adds the products of stage `slot` to `sums`.
    void (*step)(ProductKernel *k, MlcValue *slot, MlcValue **sums);
    // f32s behind a row of sums that make `store` free of bank conflicts.
    int64_t (*gap)(const ProductKernel *k);
    // Writes the sums to `memory`, [rows][columns + gap] of f32.
    void (*store)(ProductKernel *k, MlcValue *memory, MlcValue *const *sums);
} ProductUnit;

extern const ProductUnit gpu_unit_mma, gpu_unit_fma;
// Of a kind of schedule; NULL: it computes no products.
const ProductUnit *gpu_product_unit(MlcGpuScheduleKind kind);

#endif
