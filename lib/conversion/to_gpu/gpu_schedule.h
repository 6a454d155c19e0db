// gpu_schedule.h -- the attribute #gpu.schedule, which an op carries as mlc.schedule.
#ifndef MLC_CONVERSION_GPU_SCHEDULE_H
#define MLC_CONVERSION_GPU_SCHEDULE_H

#include "gpu_tiles.h"

#define GPU_SCHEDULE_ATTR "mlc.schedule"

// The schedule that `op` carries; false after an error at it.
bool gpu_schedule_read(MlcOp *op, Schedule *schedule);
void gpu_schedule_write(MlcOp *op, const Schedule *schedule);

#endif
