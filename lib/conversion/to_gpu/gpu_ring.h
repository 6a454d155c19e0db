// gpu_ring.h -- slots of workgroup memory that some threads fill by bulk copies and others read, in
// turn: barriers in memory say when a slot is full, and when it is empty again.
#ifndef MLC_CONVERSION_GPU_RING_H
#define MLC_CONVERSION_GPU_RING_H

#include "mlc/ir.h"

typedef struct Ring {
    int64_t slots, slot_bytes;
    int64_t readers;        // threads that release a slot
    MlcValue *full, *empty; // a barrier for each slot
} Ring;

// Where somebody is who walks the ring. `phase`, i1, is of the slot's barrier that is waited for
// next, and turns with each round.
typedef struct RingPlace {
    MlcValue *slot, *phase;
} RingPlace;

// Makes the barriers; `first`, i1, is true for one thread. Others use the ring behind a barrier of
// the block.
void gpu_ring_create(Ring *ring, MlcBuilder *b, MlcValue *first);
RingPlace gpu_ring_start(MlcBuilder *b, bool writes);
RingPlace gpu_ring_next(const Ring *ring, MlcBuilder *b, RingPlace at);
// For one thread: waits until the slot is empty, and says that its bytes will come. Copies into it,
// which count at barrier `full`, follow.
void gpu_ring_put(const Ring *ring, MlcBuilder *b, RingPlace at);
// Waits until the slot is full.
void gpu_ring_get(const Ring *ring, MlcBuilder *b, RingPlace at);
// For each of the readers, when it is done with the slot.
void gpu_ring_release(const Ring *ring, MlcBuilder *b, MlcValue *slot);

#endif
