// vectorize.h -- the parts of linalg_vectorize: tiles of vectors, what is read and written
// (vectorize_read.c), the body of an op (vectorize_body.c), the loops of a reduction
// (vectorize_sums.c), dot products of bytes (vectorize_dots.c), products in registers of small
// matrices (vectorize_tiles.c), and reductions in the lanes (vectorize_lanes.c).
#ifndef MLC_PASSES_VECTORIZE_H
#define MLC_PASSES_VECTORIZE_H

#include "loop_sizes.h"
#include "sum_block.h"
#include "vector_ops.h"
#include "windows.h"

#include "mlc/pass.h"

enum { MLC_MAX_TILE_VECTORS = 64 }; // accumulators of one op; more would only spill

typedef struct MlcVectorTile {
    MlcOp *op; // that computed it
    size_t rank;
    int64_t shape[MLC_SMALL_RANK]; // the last one at most a vector where it is not known
    int64_t vector;                // elements of a full vector
    int64_t min_width;             // of one that is not full
    MlcValue *count;    // elements of the only vector of a row, where they are not known; else NULL
    int64_t num_points; // product of all dimensions but the last
    int64_t num_chunks; // vectors along the last dimension
    MlcType element;
    MlcValue **values; // [num_points][num_chunks]; NULL: only in memory
    MlcValue *memory;  // as a tensor, where something needed it
    bool is_by_rows;   // too large for registers: what reads it goes row by row
} MlcVectorTile;

typedef struct MlcVectorRead { // an operand already read in the current straight line
    size_t operand, rank;
    MlcAffineExpr index[MLC_SMALL_RANK];
    int64_t width;
    MlcValue *value;
} MlcVectorRead;

typedef struct MlcVectorizer {
    MlcPass *pass;
    MlcContext *ctx;
    MlcBuilder b;
    MlcIndexValues indices;
    MlcMap tiles; // result of a vectorised op -> MlcVectorTile
    MlcOpVec done;
    // The op at hand.
    MlcOp *op;
    int64_t extent[MLC_SMALL_RANK];
    MlcAffineExpr dynamic_extent[MLC_SMALL_RANK]; // of reductions of dynamic size
    MlcAffineExpr at[MLC_SMALL_RANK];             // where in the iteration space
    int channel; // loop along the last dimension of the result; -1: the result has rank 0
    size_t reductions[MLC_SMALL_RANK], num_reductions;
    int64_t lanes; // that the last of them runs in; 0: lanes run along `channel`
    int64_t
        depth; // iterations of the last of them that one product of small matrices takes; 0: none
    int dot_loop; // the reduction in runs of four bytes, which is none of those above; -1: none
    MlcSumBlocks blocks;
    MlcVectorTile *tile;
    MlcMap varying, positions; // of its body, where that reads tensors by itself
    MLC_VEC(MlcVectorRead) reads;
} MlcVectorizer;

// ---- vectorize_read.c

// Vector `i` of a row of the tile.
MlcChunk mlc_vectorize_chunk(const MlcVectorTile *t, int64_t i);
// The tile of an op, without its values; it lives as long as the pass runs. NULL: a dimension is
// dynamic that is not the last, or of which it is not known that it is at most a vector.
MlcVectorTile *mlc_vectorize_new_tile(MlcVectorizer *v, MlcOp *op);
// The coordinates of point `p`, all dimensions but the last.
void mlc_vectorize_point(const MlcVectorTile *t, int64_t p, int64_t *coordinates);
// Writes one vector of the tile, at `index` in it, into the window of `dest`, and gives the new
// tensor.
MlcValue *mlc_vectorize_write(MlcVectorizer *v, const MlcVectorTile *t, MlcValue *value,
                              const MlcAffineExpr *index, MlcChunk c, MlcValue *dest,
                              const MlcWindow *w);
// The same with all of them; `at_once`: each as soon as it is computed, all in the builder's block.
MlcValue *mlc_vectorize_write_tile(MlcVectorizer *v, const MlcVectorTile *t, MlcValue *dest,
                                   const MlcWindow *w, bool at_once);
// The window of a tensor of the tile's shape that is all of it.
MlcWindow mlc_vectorize_whole_tile(MlcVectorizer *v, const MlcVectorTile *t);
// The tensor that an op writes into, behind those that are only values.
MlcValue *mlc_vectorize_destination(MlcVectorizer *v, MlcOp *op);
// A tile as a tensor, made where the op that computed it stands.
MlcValue *mlc_vectorize_memory(MlcVectorizer *v, MlcVectorTile *t);
// Operand `i` at v->at, as a vector of c.width (a scalar if 0).
MlcValue *mlc_vectorize_operand(MlcVectorizer *v, size_t i, MlcChunk c);

// Operand `i` from v->at on: c.lanes neighbours along its last dimension, wherever they belong.
MlcValue *mlc_vectorize_neighbours(MlcVectorizer *v, size_t i, MlcChunk c);

// Operand `i` from v->at on: shape[0] rows along the last dimension but one, `step` apart, of
// shape[1] neighbours. Where the last two dimensions are a run of bytes for each channel, these are
// the neighbours, and rows lie along the dimension before.
MlcValue *mlc_vectorize_matrix(MlcVectorizer *v, size_t i, const int64_t shape[2], int64_t step);
// Whether the channels from v->at on, one of the machine's vectors, lie in a row of operand `i`,
// whose last two dimensions are channels and runs.
bool mlc_vectorize_has_panel(MlcVectorizer *v, size_t i, int64_t channels);
// Writes a matrix at `index`, along the last two dimensions, and gives the new tensor.
MlcValue *mlc_vectorize_write_matrix(MlcVectorizer *v, MlcValue *matrix, const MlcAffineExpr *index,
                                     MlcValue *dest);

// ---- vectorize_body.c

// Which values of the body differ between lanes along loop `channel`, and which are never needed as
// vectors. Bodies that read nothing by themselves need not know.
void mlc_vectorize_analyze_body(MlcVectorizer *v, MlcOp *op, int channel);
// After mlc_vectorize_analyze_body: whether a tensor.extract of the body reads neighbours in memory
// for neighbouring lanes, or one element for all.
bool mlc_vectorize_can_extract(MlcVectorizer *v, MlcOp *op, MlcOp *extract);
// Whether a value of the body is needed for positions alone, never as a vector.
bool mlc_vectorize_is_position(MlcVectorizer *v, MlcValue *value);
// A constant 0, or a vector of them.
bool mlc_vectorize_is_zero(MlcValue *value);
// Sets v->at for point `p` and the chunk; reductions stay where they are.
void mlc_vectorize_move_to(MlcVectorizer *v, int64_t p, MlcChunk c);
// The body once, for one vector of the result; `acc` is the output's element, NULL: read it.
MlcValue *mlc_vectorize_body(MlcVectorizer *v, MlcValue *acc, MlcChunk c);
// The same for all vectors of the tile: `values` are the outputs' elements, and become the results.
void mlc_vectorize_points(MlcVectorizer *v, MlcValue **values);

// ---- vectorize_dots.c

// One run of four products at v->at, for one vector of the result, added to `acc`; NULL: to the
// output's elements.
MlcValue *mlc_vectorize_dot(MlcVectorizer *v, MlcValue *acc, MlcChunk c);

// ---- vectorize_tiles.c

// Whether the op at hand is a product that the machine's registers of small matrices do.
bool mlc_vectorize_is_tile_product(MlcVectorizer *v);
// It, from zeros into memory.
void mlc_vectorize_tile_product(MlcVectorizer *v);
// One step of it: v->depth iterations at v->at, joined with `sums`.
void mlc_vectorize_tile_step(MlcVectorizer *v, MlcValue **sums);

// ---- vectorize_sums.c

// Joins all steps of the op's reductions with `values`.
void mlc_vectorize_sums(MlcVectorizer *v, MlcValue **values, size_t num_values);

// ---- vectorize_lanes.c

// One step of all elements of the tile, of which each of `values` is a vector: `c` lanes of the
// reduction at v->at.
void mlc_vectorize_lanes(MlcVectorizer *v, MlcValue **values, MlcChunk c);

// The tile's values by a reduction along `loop` in the lanes of vectors, joined by `combine`.
void mlc_vectorize_lane_reduction(MlcVectorizer *v, int loop, MlcOp *combine);

#endif
