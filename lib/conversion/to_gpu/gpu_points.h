// gpu_points.h -- a thread, or some, for each element of an op's result: they walk the op's
// reductions, and compute what follows.
#ifndef MLC_CONVERSION_GPU_POINTS_H
#define MLC_CONVERSION_GPU_POINTS_H

#include "gpu_tiles.h"

#include "mlc/ir.h"
#include "mlc/machine.h"

// Whether `op` can be launched so: it writes one buffer, each element of it from the reductions'
// elements alone.
bool gpu_points_fit(MlcOp *op);
// Whether it reads a padded buffer, which its launch would not need.
bool gpu_points_are_padded(MlcOp *op);
// Whether its body picks elements of buffers itself.
bool gpu_points_are_picked(MlcOp *op);
// Elements of a block, and the threads of each: more than one where there are few elements and they
// have much to do.
void gpu_points_schedule(MlcOp *op, const MlcTargetDesc *target, Schedule *schedule);
// Launches it, and the ops of its chain, which are erased.
void gpu_points_launch(MlcOp *op, const Schedule *schedule);

#endif
