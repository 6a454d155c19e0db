// shapes.h -- sizes that follow from those of a run's inputs, and places of buffers for them.
#ifndef MLC_LIB_RUNTIME_SHAPES_H
#define MLC_LIB_RUNTIME_SHAPES_H

#include "model.h"

// What a session works with.
typedef struct MlcRtShapePlan MlcRtShapePlan;

// The section, `size` bytes that begin with an MlcArtefactShapes; `strings` bytes of strings. NULL: it
// is sound; else what is wrong with it.
const char *mlc_rt_shapes_check(const void *section, size_t size, size_t strings);

// Whether its caches are inputs and outputs that are alike.
bool mlc_rt_caches_check(const MlcModel *model);

// NULL: not enough memory. The model has shapes.
MlcRtShapePlan *mlc_rt_shape_plan_create(const MlcModel *model);
void mlc_rt_shape_plan_destroy(MlcRtShapePlan *plan);

// Outputs that grow in an input's memory. Those of a session have a room, and hold a length of
// elements; others have the room that their output needs.
const MlcArtefactCache *mlc_rt_shape_plan_caches(const MlcRtShapePlan *plan, size_t *count);
// The dimension along which cache `i` grows.
const char *mlc_rt_shape_plan_cache_name(const MlcRtShapePlan *plan, size_t i);
// Cache `i` is the session's from now on.
void mlc_rt_shape_plan_grow(MlcRtShapePlan *plan, size_t i, int64_t length, int64_t room);
// Forgets the dims of inputs that are the session's, and that other inputs or the length tell.
void mlc_rt_shape_plan_open(const MlcRtShapePlan *plan, int64_t *dims);

// From `dims` of all inputs (negative ones are of caches, and are filled in): the sizes, those of the outputs' dims (which are written there), and the
// offsets of buffers. Allocates nothing. False with an error that names the dimension.
bool mlc_rt_shape_plan_run(MlcRtShapePlan *plan, int64_t *dims, int64_t *arena_bytes,
                           MlcRtError *error);
// What the code gets: sizes, then offsets.
const int64_t *mlc_rt_shape_plan_sizes(const MlcRtShapePlan *plan);

#endif
