// exec_async.h -- copies that go on by themselves, and the barriers that count them.
#ifndef MLC_LIB_PTXSIM_EXEC_ASYNC_H
#define MLC_LIB_PTXSIM_EXEC_ASYNC_H

#include "exec_mem.h"

typedef enum MbarrierOp {
    MBARRIER_INIT,
    MBARRIER_INVAL,
    MBARRIER_ARRIVE,
    MBARRIER_ARRIVE_DROP,
    MBARRIER_EXPECT, // no arrival
    MBARRIER_COMPLETE,
} MbarrierOp;
enum {
    MBARRIER_EXPECTS = 1,
    MBARRIER_RELAXED = 2,
    MBARRIER_TRIES = 4,
    MBARRIER_BY_PARITY = 8,
    MBARRIER_NO_COMPLETE = 16,
};

// Operands: state or nothing, the address, a count or bytes; in->variant is the operation.
Step ptx_mbarrier(Warp *w, const Inst *in, uint32_t mask);
// Operands: p, the address, a state or a parity.
Step ptx_mbarrier_wait(Warp *w, const Inst *in, uint32_t mask);

// cp.async: destination, source, bytes, bytes of the source or nothing.
Step ptx_copy_async(Warp *w, const Inst *in, uint32_t mask);
Step ptx_copy_commit(Warp *w, const Inst *in, uint32_t mask);
Step ptx_copy_wait(Warp *w, const Inst *in, uint32_t mask); // operand[0].imm groups may be left
Step ptx_copy_arrive(Warp *w, const Inst *in, uint32_t mask);

// Bulk copies: in->shape says from where to where, in->vector has the rank of a tensor (0: none).
typedef enum BulkKind { BULK_LOAD, BULK_STORE, BULK_SHARED, BULK_PREFETCH } BulkKind;
enum { BULK_MULTICAST = 1, BULK_IM2COL = 2, BULK_REDUCES = 4 };
// Operands: 0 destination, 1 source, 2 bytes, 3 mbarrier, 4 coordinates, 5 offsets, 6 mask. The
// tensor's address stands in the place of what it is.
Step ptx_bulk_copy(Warp *w, const Inst *in, uint32_t mask);
Step ptx_bulk_commit(Warp *w, const Inst *in, uint32_t mask);
Step ptx_bulk_wait(Warp *w, const Inst *in, uint32_t mask);

Step ptx_fence_proxy(Warp *w, const Inst *in, uint32_t mask);

// The mbarrier at an address of shared memory, by its number; an error if there is none.
struct Mbarrier *ptx_find_mbarrier(Warp *w, const Inst *in, unsigned lane, uint64_t address,
                                   uint32_t *number);
// So many bytes have come.
void ptx_mbarrier_bytes(Cluster *c, struct Mbarrier *m, int64_t num_bytes);
// An instruction's arrivals, a lane at a time. Lanes that arrive at one mbarrier in one phase let
// it know together what they know, so that those that wait know of the warp as a whole.
typedef struct Arrivals {
    uint32_t mask;
    const uint64_t *addresses;
    uint32_t given; // lanes whose knowledge their mbarriers have
} Arrivals;
void ptx_mbarrier_arrive(Warp *w, unsigned lane, struct Mbarrier *m, uint32_t count,
                         Arrivals *arrivals);

void ptx_async_start(Cluster *c);
void ptx_async_release(Cluster *c);
void ptx_copies_release(Warp *w);
// All of a warp's cp.async that are under way.
bool ptx_copies_finish(Warp *w, uint32_t mask);

typedef struct Mbarrier {
    uint32_t rank, offset; // of the block, in its shared memory
    bool is_valid;
    uint32_t count, pending; // arrivals
    int64_t bytes;           // expected, and not there yet
    uint32_t phases;         // complete
    Clock seen, fenced, given_seen, given_fenced;
    uint8_t *memory;
} Mbarrier;

typedef struct Mbarriers {
    Mbarrier all[MAX_MBARRIERS];
    unsigned num;
} Mbarriers;

#endif
