// places.h -- offsets in one piece of memory for buffers that live for some time: those that live
// at the same time get ranges that do not overlap.
//
// The biggest are placed first, each at the lowest offset where it fits ("greedy by size",
// Pisarchyk and Lee, 2020). Where that does not reach the lower bound, what sticks out is placed
// first and all others again, some times over; the best plan is kept.
//
// Ownership: all memory is the caller's.
// Threads: any.
#ifndef MLC_SUPPORT_PLACES_H
#define MLC_SUPPORT_PLACES_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcPlaced {
    int64_t bytes, offset;
    size_t first, last; // alive from first to last, both included
} MlcPlaced;

// Room for one buffer in what is worked with.
typedef struct MlcPlacing {
    MlcPlaced *order, *placed;
    int64_t best;
} MlcPlacing;

// The largest sum of buffers alive at one time: what no plan can go below. Sums are below 2^63.
MLC_API int64_t mlc_places_lower_bound(const MlcPlaced *places, size_t n);
// Sets the offsets, trying up to `tries` orders, and returns how many bytes they take. `work` has
// room for `n`. The same buffers get the same offsets.
MLC_API int64_t mlc_places_find(MlcPlaced *places, size_t n, size_t tries, MlcPlacing *work);

MLC_END_DECLS

#endif
