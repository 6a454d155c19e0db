// schedule.h -- how a kernel is cut for a machine.
#ifndef MLC_PASSES_SCHEDULE_H
#define MLC_PASSES_SCHEDULE_H

#include "mlc/analysis/structured.h"
#include "mlc/machine.h"

// The largest divisor of n up to `most`; both positive.
static inline int64_t
mlc_largest_divisor(int64_t n, int64_t most)
{
    while (n % most != 0)
        most--;
    return most;
}

// What is left of a loop of dynamic size behind its tiles: as few tiles as are half as large, half
// of that, and so on; one tile of up to 8 rows of each number, or two that are as even as can be;
// or one tile of all that is left, which is to be cut further.
typedef enum MlcRest { MLC_REST_HALVES, MLC_REST_ROWS, MLC_REST_BLOCK } MlcRest;

enum { MLC_FEW_ROWS = 3 };

// Where the rows of a product are of dynamic size and as few as `most`, all are one tile, of so
// many sums that none waits for another: those of k rows have `size[k]` iterations of loop
// `channel`, several panels side by side.
typedef struct MlcFewRows {
    int64_t most; // 0: there are no such tiles
    unsigned row, channel;
    int64_t size[MLC_FEW_ROWS + 1];
} MlcFewRows;

// Which tiles a kernel is cut into: iterations of each loop of the root (0: whole), and the loops
// from outermost.
typedef struct MlcSchedule {
    int64_t sizes[MLC_SMALL_RANK];
    int64_t least[MLC_SMALL_RANK]; // a rest of fewer iterations shares those of the tile before it
    MlcRest rest[MLC_SMALL_RANK];  // of loops of dynamic size
    MlcFewRows few;
    unsigned order[MLC_SMALL_RANK];
    int64_t unroll;    // of the innermost reduction
    int64_t tile_rows; // of products in registers of small matrices; 0: there are none
    bool keeps_pads;   // padded tensors that the group reads are left as they are
} MlcSchedule;
// `heavy` is the op of the group with the most work (may be `root` itself); its loops are matched
// to those of `root` through the tensors between them, which have root's result shape.
// docs/internals/schedule.md has the reasons.
void mlc_schedule_for(MlcOp *root, MlcOp *heavy, const MlcTargetDesc *target, MlcSchedule *s);
// How many vectors wide a panel of a contraction's weights is: 4, if as many iterations of its
// reductions then stay in the second cache, else 2.
int64_t mlc_panel_vectors(int64_t reduction, const MlcTargetDesc *target);
// Whether the rows of a tile of a product fall on each other in the first cache if they lie so many
// bytes apart: tiles have fewer then.
bool mlc_rows_collide(int64_t bytes, const MlcTargetDesc *target);
enum { MLC_LEAST_ROWS = 48 }; // of a share: 6 FMAs a byte of the right side
// Blocks of rows that the threads take of a product whose right side they all read: one for each
// core. What a core reads that another one wrote comes from there where the two share no cache, and
// to write there again the other one waits much longer; so all kernels leave the same rows to the
// same thread. 1: there are too few rows to read the right side several times for.
int64_t mlc_row_shares(int64_t rows, const MlcTargetDesc *target);
// Elements of a vector register, for the widest element type of the op.
int64_t mlc_vector_length(MlcOp *op, const MlcTargetDesc *target);

// Products in registers of small matrices (MlcTargetDesc.tile_rows). How many runs of four bytes
// along its innermost reduction one such product takes of a contraction of bytes; 0: it is none
// that is done so, or would take longer.
int64_t mlc_tile_product_depth(MlcOp *op, const MlcTargetDesc *target);
// How many rows they have, as the schedule chose; 0: none was chosen.
int64_t mlc_tile_product_rows(MlcOp *op);
void mlc_set_tile_product_rows(MlcOp *op, int64_t rows);
// Whether neighbouring iterations of loop `row` read rows of the operand's last dimension but one;
// `step`: how far apart.
bool mlc_tile_row_step(MlcAffineMap map, int row, int64_t *step);

#endif
