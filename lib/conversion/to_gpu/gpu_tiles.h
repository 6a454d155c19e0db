// gpu_tiles.h -- tiles of a product's factors in workgroup memory: where an element lies, and how
// the tile gets there.
#ifndef MLC_CONVERSION_GPU_TILES_H
#define MLC_CONVERSION_GPU_TILES_H

#include "gpu_product.h"

#include "mlc/dialects/gpu.h"
#include "mlc/support/vec.h"

enum { WARP = 32, CHUNK_BYTES = 16, LINE_BYTES = 128 };

// As the attribute #gpu.schedule has it.
typedef struct Schedule {
    MlcGpuScheduleKind kind;
    int64_t tile[3];  // rows, columns, depth
    int64_t warps[2]; // of a block, along rows and columns
    int64_t stages;   // tiles of the depth that are there at once
    int64_t split;    // groups of such warps, which take the steps by turns; 0: one
} Schedule;

// How the lanes of a warp read a tile at once, which its layout makes free of bank conflicts.
typedef enum TileReading {
    READS_ROWS,     // 16 bytes each of 8 neighbouring rows of memory
    READS_ELEMENTS, // 8 neighbouring elements of 4 bytes of 4 neighbouring rows of memory
} TileReading;

// Stored as [stages][outer][inner], inner contiguous as in global memory; chunks of 16 bytes are
// permuted within a row of memory, by the row's number.
typedef struct Tile {
    size_t factor; // of the product: 0 has the rows, 1 the columns
    MlcType element;
    int64_t element_bytes;
    bool is_depth_inner; // else neighbours along rows (columns) are neighbours in memory
    int64_t outer, inner;
    int64_t run;   // elements that are copied together
    bool is_async; // by the hardware, past the registers
    TileReading reading;
    int64_t shift, mask, scale; // of the permutation: chunk ^= (outer >> shift & mask) * scale
    MlcValue *memory;           // the view
    MlcValue *first_depth;      // of what is read, counted from there; NULL: 0
    // Of each copy that a thread makes of a tile: where it goes and comes from, as far as that does
    // not depend on the depth.
    MLC_VEC(MlcValue *) to_outer, to_inner, depth, offset, inside;
    MLC_VEC(MlcValue *) edges; // [copy][edge]: the place in that dimension
} Tile;

// A kernel being built: values that its parts share.
typedef struct ProductKernel {
    MlcBuilder *b;
    const Product *product;
    Schedule schedule;
    int64_t threads; // of a group, that compute; others of the block come behind them
    int64_t groups;  // of the block, that share the steps of the depth; 0: one
    MlcValue *group; // the thread's; NULL: there is one
    int64_t gap;     // f32s behind a row of sums in workgroup memory
    MlcValue *thread, *lane, *warp[2]; // warp: its place along rows and columns
    MlcValue *first[2];                // row and column of the block's tile
    MlcValue *batch;                   // number; NULL: there is one
    MlcValue *memory;                  // the workgroup's, as bytes
    Tile tiles[2];
} ProductKernel;

// Decides the layout. False: no tile of the schedule can be copied by its threads.
bool gpu_tile_plan(Tile *tile, const Product *product, size_t factor, const Schedule *schedule,
                   TileReading reading);
// A tile that threads write themselves: of f32, its rows along the depth, lanes writing 8 elements
// each of 4 neighbouring rows, or 4 neighbours.
void gpu_tile_plan_written(Tile *tile, MlcType f32, int64_t rows, int64_t depth);
int64_t gpu_tile_bytes(const Tile *tile); // of one stage
// The view of `stages` of them, `offset` bytes from the start of workgroup memory.
void gpu_tile_view(ProductKernel *k, Tile *tile, int64_t stages, int64_t offset);
// What does not depend on the depth; `offset`: where its stages lie in workgroup memory, in bytes.
void gpu_tile_begin(ProductKernel *k, Tile *tile, int64_t offset);
// Copies of tile number `step` of the depth into stage `slot`; adds the tokens of asynchronous
// ones.
void gpu_tile_copy(ProductKernel *k, Tile *tile, MlcValue *step, MlcValue *slot,
                   MlcValueVec *tokens);
// `found`, an i32, and what gpu_scan_found sees in it where an element of f32, f16 or bf16 that the
// thread would copy then is not finite.
MlcValue *gpu_tile_scan(ProductKernel *k, Tile *tile, MlcValue *step, MlcValue *found);
// Whether one is, of scans that began with 0.
MlcValue *gpu_scan_found(MlcBuilder *b, MlcType element, MlcValue *found);
// Where element (row or column, depth) of a tile in stage `slot` lies.
void gpu_tile_place(MlcBuilder *b, const Tile *tile, MlcValue *slot, MlcValue *row, MlcValue *depth,
                    MlcValue *indices[3]);
void gpu_tile_release(Tile *tile);

// x + c, x * c, x / c, x mod c: of indices, which are not negative.
MlcValue *gpu_add(MlcBuilder *b, MlcValue *x, int64_t c);
MlcValue *gpu_scale(MlcBuilder *b, MlcValue *x, int64_t c);
MlcValue *gpu_divide(MlcBuilder *b, MlcValue *x, int64_t c);
MlcValue *gpu_modulo(MlcBuilder *b, MlcValue *x, int64_t c);

#endif
