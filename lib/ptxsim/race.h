// race.h -- who touched memory last, and whether that was before.
//
// Each 4 bytes of global and shared memory have a cell: the last write and a read since then, each
// an epoch of 64 bits (who, at which clock, by which instruction). An access races with the epoch
// there unless the accessing warp knows of it, by barriers (inst.h, Clock). What a cell cannot hold
// is dropped so that a race may be missed, and none is invented: docs/internals/ptxsim.md.
#ifndef MLC_LIB_PTXSIM_RACE_H
#define MLC_LIB_PTXSIM_RACE_H

#include "inst.h"

typedef struct Cell {
    uint64_t write, read; // 0: none
} Cell;

// The fields of an epoch, from bit 0: 3 flags, 4 bytes of the cell, 16 pc, 14 clock, 5 lane,
// 5 warp, 17 block.
enum {
    EPOCH_ATOMIC = 1, // a strong access: no race with another one
    EPOCH_MANY = 2,   // reads: by several lanes, or blocks; writes: by several lanes
    EPOCH_ASYNC = 4,  // writes of a bulk copy: lane and warp are its mbarrier, the clock its
                      // phase; reads through the async proxy
    EPOCH_BYTES_AT = 3,
    EPOCH_PC_AT = 7,
    EPOCH_CLOCK_AT = 23,
    EPOCH_LANE_AT = 37,
    EPOCH_WARP_AT = 42,
    EPOCH_BLOCK_AT = 47,
    CLOCK_PENDING = 0x3fff,   // before nothing: an asynchronous access in flight
    CLOCK_SATURATED = 0x3ffe, // before everything: the count has run over
};

typedef enum AccessKind {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_UPDATE, // an atomic one
    ACCESS_STRONG_READ,
    ACCESS_STRONG_WRITE,
} AccessKind;

// Whole words that the lanes of a warp touch at once, from cells[0] on.
typedef struct RaceWords {
    Cell *cells;
    uint64_t offsets[LANES]; // bytes, a multiple of num_bytes
    uint8_t same[LANES];     // the first lane at the same place
    uint32_t first;          // lanes that are the first at theirs
    uint32_t repeated;       // those of them that have followers
    unsigned num_bytes;      // of each lane: 4, 8, 16 or 32
} RaceWords;

// What an asynchronous access is told as.
typedef struct AsyncTag {
    bool pending;  // until ptx_race_settle
    bool by_phase; // a bulk copy's write: done with a phase of an mbarrier
    uint32_t mbarrier, phase;
    bool atomic; // a reduction: no race with another one
    bool proxy;  // reads and writes through the async proxy, so that earlier writes need a fence
} AsyncTag;

// Checks and notes an access of `num_bytes` at `offset` from a multiple of 4 that cells[0] is for.
// False after an error. `same_value`: the bytes written are there already.
bool ptx_race_access(Warp *w, const Inst *in, unsigned lane, Cell *cells, unsigned offset,
                     unsigned num_bytes, AccessKind kind, bool same_value);
// The same for reads of whole words by many lanes, and for writes, no place of which is repeated.
// Lane l writes what lies at values + l * 32 to places in `data`; `values` are NULL for copies,
// which are in flight until ptx_race_settle.
bool ptx_race_read_words(Warp *w, const Inst *in, uint32_t mask, const RaceWords *words);
bool ptx_race_write_words(Warp *w, const Inst *in, const RaceWords *words, const uint8_t *data,
                          const uint8_t *values);
// The same for what a copy or a matrix unit does on its own; `tag` says when it is done.
bool ptx_race_async(Warp *w, const Inst *in, unsigned lane, Cell *cells, unsigned offset,
                    uint64_t num_bytes, bool is_write, const AsyncTag *tag);
// What was pending since `pc` by this lane counts as done by it now; `for_all`: and everybody
// knows.
void ptx_race_settle(const Warp *w, unsigned lane, uint32_t pc, Cell *cells, unsigned offset,
                     uint64_t num_bytes, bool for_all);

// Knowledge. `into` learns what `from` knows; both of one cluster.
void ptx_clock_join(const Cluster *c, Clock *into, const Clock *from);
void ptx_clock_clear(const Cluster *c, Clock *clock);
void ptx_clock_copy(const Cluster *c, Clock *to, const Clock *from);
size_t ptx_clock_bytes(const MlcPtxEntry *kernel, unsigned num_warps);
// Lays a clock into memory of ptx_clock_bytes; returns what follows.
uint8_t *ptx_clock_place(const MlcPtxEntry *kernel, unsigned num_warps, Clock *clock, uint8_t *at);
// The lanes in `mask` give what they know; what they do after this is not in it.
void ptx_release(Warp *w, uint32_t mask, Clock *seen, Clock *fenced);
// They learn it.
void ptx_acquire(Warp *w, const Clock *seen, const Clock *fenced);
// All lanes of the warp wait for each other.
void ptx_warp_sync(Warp *w);
// fence.proxy.async: all that the warp knows is before what async proxies do for it.
void ptx_proxy_fence(Warp *w, uint32_t mask);

enum { MAX_MBARRIERS = 256 }; // of a cluster

#endif
