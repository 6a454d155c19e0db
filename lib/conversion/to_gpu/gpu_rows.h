// gpu_rows.h -- a run of ops that walk the same rows: reductions along a row, and ops on its
// elements, as in a softmax or a norm. They are one kernel, in which threads share a row.
#ifndef MLC_CONVERSION_GPU_ROWS_H
#define MLC_CONVERSION_GPU_ROWS_H

#include "gpu_tiles.h"

typedef struct RowRun {
    MlcOpVec ops;             // in order; loops of each: rows, then those of a row or none
    size_t num_rows, num_row; // loops
    int64_t sizes[MLC_SMALL_RANK];
    int64_t rows, length; // how many, and elements of one
} RowRun;

// The run that begins at `first`, without ops of which `is_taken` says so; false if there is none
// with a reduction. The caller releases it either way.
bool gpu_row_run_read(RowRun *run, MlcOp *first, bool (*is_taken)(void *user, MlcOp *op),
                      void *user);
void gpu_row_run_release(RowRun *run);
// Warps of a row, and rows of a block; false: rows are too long for the registers of a block.
bool gpu_row_run_schedule(const RowRun *run, Schedule *schedule);
// Launches it in the place of its ops.
void gpu_row_run_launch(RowRun *run, const Schedule *schedule);

#endif
