// shapes.h -- sizes that follow from those of a run's inputs, and places of buffers for them.
#ifndef MLC_LIB_RUNTIME_SHAPES_H
#define MLC_LIB_RUNTIME_SHAPES_H

#include "model.h"

// What a session works with.
typedef struct MlcRtShapePlan MlcRtShapePlan;

// The section, `size` bytes that begin with an MlcArtefactShapes; `strings` bytes of strings. NULL: it
// is sound; else what is wrong with it.
const char *mlc_rt_shapes_check(const void *section, size_t size, size_t strings);

// NULL: not enough memory. The model has shapes.
MlcRtShapePlan *mlc_rt_shape_plan_create(const MlcModel *model);
void mlc_rt_shape_plan_destroy(MlcRtShapePlan *plan);

// From `dims` of all inputs: the sizes, those of the outputs' dims (which are written there), and the
// offsets of buffers. Allocates nothing. False with an error that names the dimension.
bool mlc_rt_shape_plan_run(MlcRtShapePlan *plan, int64_t *dims, int64_t *arena_bytes,
                           MlcRtError *error);
// What the code gets: sizes, then offsets.
const int64_t *mlc_rt_shape_plan_sizes(const MlcRtShapePlan *plan);

#endif
