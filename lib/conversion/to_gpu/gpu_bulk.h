// gpu_bulk.h -- tiles of a product's factors that bulk copies bring: a factor as a tensor of two or
// three dimensions whose boxes one thread asks for, edges included.
#ifndef MLC_CONVERSION_GPU_BULK_H
#define MLC_CONVERSION_GPU_BULK_H

#include "gpu_product.h"
#include "gpu_tiles.h"

// In workgroup memory a tile is blocks of 128 bytes, one behind the other: where the depth is
// contiguous in global memory there is one, of a row for each row (column) of the tile; else each
// is 64 rows (columns) wide, and has a row for each number of the depth.
typedef struct BulkTile {
    size_t factor;
    bool is_depth_inner;
    int64_t sizes[3], strides[3]; // of the factor: batch, outer, inner; elements
    bool has_batch;
    int64_t box[3]; // of one copy
    int64_t blocks; // copies of a tile
    int64_t bytes;  // of a tile
    MlcType map;    // type of its description
    MlcValue *description;
} BulkTile;

// False: no tensor that the hardware copies boxes of, or no tile of whole blocks.
bool gpu_bulk_plan(BulkTile *tile, const Product *product, size_t factor, const int64_t size[3]);
// Describes the factor, for `tile.description`; ahead of the launch.
void gpu_bulk_describe(BulkTile *tile, const Product *product, MlcBuilder *b);
// Begins the copies of the tile at `first` (row or column) and `depth` to `offset`, in bytes, of
// the workgroup's memory; they count at barrier `id` of `group`.
void gpu_bulk_copy(const ProductKernel *k, const BulkTile *tile, MlcValue *depth, MlcValue *offset,
                   MlcValue *group, MlcValue *id);

#endif
