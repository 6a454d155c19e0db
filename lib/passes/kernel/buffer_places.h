// buffer_places.h -- offsets for buffers of one block in one piece of memory.
#ifndef MLC_PASSES_BUFFER_PLACES_H
#define MLC_PASSES_BUFFER_PLACES_H

#include "mlc/analysis/alias.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

enum { MLC_BUFFER_ALIGNMENT = 64 }; // bytes; MLC_RT_ALIGNMENT

typedef struct MlcBufferPlace {
    MlcOp *alloc;
    int64_t bytes, offset;
    size_t first, last; // positions in the block of the ops that use it
} MlcBufferPlace;
typedef MLC_VEC(MlcBufferPlace) MlcBufferPlaces;

// Whether what the op allocates may be a window of other memory: of static shape, and not handed on
// or freed by anybody.
bool mlc_buffer_has_place(MlcOp *alloc);
int64_t mlc_buffer_align(int64_t bytes);

// Adds what `allocs` make: aligned sizes (0 where the shape is not static), and lives from the
// first op of `block` that uses one, in nested regions or through views, to the last.
void mlc_buffer_lives(MlcBlock *block, const MlcOpVec *allocs, MlcBufferPlaces *out);
// Gives disjoint offsets to buffers that live at the same time; returns how many bytes that takes.
int64_t mlc_buffer_place(MlcBufferPlaces *buffers, MlcArena *scratch);
// The largest sum of buffers alive at one time: what no plan can go below.
int64_t mlc_buffer_lower_bound(const MlcBufferPlaces *buffers);

#endif
