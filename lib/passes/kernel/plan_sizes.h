// plan_sizes.h -- the memory plan of a model whose sizes are known when it runs.
#ifndef MLC_PASSES_PLAN_SIZES_H
#define MLC_PASSES_PLAN_SIZES_H

#include "buffer_places.h"

typedef struct MlcSizePlan MlcSizePlan;

// What the model function is given, ahead of inputs and outputs; the last two only if something is
// in device memory.
enum {
    MLC_PLAN_ARENA,
    MLC_PLAN_CONSTANTS,
    MLC_PLAN_PREPARED,
    MLC_PLAN_DEVICE_ARENA,
    MLC_PLAN_DEVICE_CONSTANTS,
};
// Of ARENA and CONSTANTS, the argument that has windows of this type: the host's or the device's.
MlcValue *mlc_plan_memory_for(MlcBlock *body, MlcType type, size_t host);

// Before the function gets its arguments for memory, when `mlc.inputs` and `mlc.outputs` are told.
// NULL: all sizes are known when compiling. Of `buffers` those go whose size nobody can tell: they
// stay allocations.
MlcSizePlan *mlc_size_plan_begin(MlcOp *module, MlcOp *function, MlcBufferPlaces *buffers);
// Afterwards: adds the argument behind those `memory_args`, replaces the buffers and tells
// `mlc.shapes`. False after a diagnostic. Ends the plan.
bool mlc_size_plan_finish(MlcSizePlan *plan, const MlcBufferPlaces *buffers, size_t memory_args);

#endif
