// shapes.h -- sizes that follow from those of a run's inputs, and places of buffers for them.
#ifndef MLC_LIB_RUNTIME_SHAPES_H
#define MLC_LIB_RUNTIME_SHAPES_H

#include "model.h"

// What a session works with.
typedef struct MlcRtShapePlan MlcRtShapePlan;

// The section, `size` bytes that begin with an MlcArtefactShapes; `strings` bytes of strings, and
// so many outputs. NULL: it is sound; else what is wrong with it.
const char *mlc_rt_shapes_check(const void *section, size_t size, size_t strings,
                                uint32_t num_outputs);

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

// From `dims` of all inputs (negative ones are of caches, and are filled in): the sizes, those of
// the outputs' dims (which are written there), and the offsets of buffers. What follows from sizes
// that the code computes is -1. Allocates nothing. False with an error that names the dimension.
bool mlc_rt_shape_plan_run(MlcRtShapePlan *plan, int64_t *dims, int64_t *arena_bytes,
                           MlcRtError *error);
// How many sizes the code computes.
uint32_t mlc_rt_shape_plan_num_computed(const MlcRtShapePlan *plan);
// Computed size `number` is `value`, which it was not yet in this run: all that follows from it
// now, and places of buffers from 0 on, within `*bytes`, which mlc_rt_shape_plan_move puts
// somewhere.
bool mlc_rt_shape_plan_set(MlcRtShapePlan *plan, int64_t number, int64_t value, int64_t *dims,
                           int64_t *bytes, MlcRtError *error);
// The places of the last call begin `distance` bytes behind the arena; `outputs` are the addresses
// of outputs' memory, NULL where they have none yet.
void mlc_rt_shape_plan_move(MlcRtShapePlan *plan, const char *arena, intptr_t distance,
                            void *const *outputs);
// What the code gets: sizes, then offsets.
const int64_t *mlc_rt_shape_plan_sizes(const MlcRtShapePlan *plan);

#endif
