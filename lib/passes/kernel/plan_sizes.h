// plan_sizes.h -- the memory plan of a model whose sizes are known when it runs.
#ifndef MLC_PASSES_PLAN_SIZES_H
#define MLC_PASSES_PLAN_SIZES_H

#include "buffer_places.h"

typedef struct MlcSizePlan MlcSizePlan;

// Before the function gets its arguments for memory, when `mlc.inputs` and `mlc.outputs` are told.
// NULL: all sizes are known when compiling. Of `buffers` those go whose size nobody can tell: they
// stay allocations.
MlcSizePlan *mlc_size_plan_begin(MlcOp *module, MlcOp *function, MlcBufferPlaces *buffers);
// Afterwards: adds the argument behind them, replaces the buffers and tells `mlc.shapes`. False after
// a diagnostic. Ends the plan.
bool mlc_size_plan_finish(MlcSizePlan *plan, const MlcBufferPlaces *buffers);

#endif
