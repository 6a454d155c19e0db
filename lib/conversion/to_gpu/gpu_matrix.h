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
    MlcType (*sum_type)(MlcType element); // of sums of such elements
    // Adds the products of stage slots[0] of the rows' factor and slots[1] of the columns' to
    // `sums`.
    void (*step)(ProductKernel *k, MlcValue *const slots[2], MlcValue **sums);
    // f32s behind a row of sums that make `store` free of bank conflicts.
    int64_t (*gap)(const ProductKernel *k);
    // Writes the sums to `memory`, [rows][columns + gap] of their elements, of 4 bytes.
    void (*store)(ProductKernel *k, MlcValue *memory, MlcValue *const *sums);
    // What a thread has of the block's tile: `num_rows` rows, of each so many columns, the others
    // of a row being its neighbours', `row_lanes` in all.
    int64_t row_lanes, num_elements; // elements: of one of the sums
    size_t (*num_rows)(const Schedule *schedule);
    MlcValue *(*row_place)(ProductKernel *k, size_t row);
    // Of element `e` of sum `i`: which of the thread's rows it is in, and its column.
    size_t (*element_row)(const Schedule *schedule, size_t i, size_t e);
    MlcValue *(*element_column)(ProductKernel *k, size_t i, size_t e);
    // Adds the product of `left` and stage `slot` of the columns' factor to `sums`. `left` are
    // sums of `from`, whose rows are the same and whose columns, of the warp, are the depth.
    void (*step_from)(ProductKernel *k, ProductKernel *from, MlcValue *slot, MlcValue *const *left,
                      MlcValue **sums);
    bool left_in_memory; // step_from puts `left` into the tile of the rows' factor, of f32
} ProductUnit;
// Those of a unit's file.
#define PRODUCT_UNIT_FUNCTIONS                                                                     \
    .fits = fits, .num_sums = num_sums, .sum_type = sum_type, .step = step, .gap = gap,            \
    .store = store, .num_rows = num_rows, .row_place = row_place, .element_row = element_row,      \
    .element_column = element_column, .step_from = step_from

// Element `e` of one of the sums, and the sums with another one in its place.
MlcValue *gpu_sum_element(MlcBuilder *b, MlcValue *sum, size_t e);
MlcValue *gpu_sum_with_element(MlcBuilder *b, MlcValue *sum, size_t e, MlcValue *element);

extern const ProductUnit gpu_unit_mma, gpu_unit_fma;
// Of a kind of schedule that is one product; NULL: it computes no products.
const ProductUnit *gpu_product_unit(MlcGpuScheduleKind kind);
// Of one that is attention; NULL: it is something else.
const ProductUnit *gpu_attention_unit(MlcGpuScheduleKind kind);

#endif
