// exec_warp.h -- instructions that move a warp's lanes, or make them wait.
#ifndef MLC_LIB_PTXSIM_EXEC_WARP_H
#define MLC_LIB_PTXSIM_EXEC_WARP_H

#include "inst.h"

typedef enum ShuffleKind { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX } ShuffleKind;
typedef enum VoteKind { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } VoteKind;
typedef enum BarrierKind {
    BARRIER_SYNC,
    BARRIER_ARRIVE,
    BARRIER_POPC,
    BARRIER_AND,
    BARRIER_OR,
} BarrierKind;

// STEP_NEXT: all lanes of `members` that are left are in the group that runs. Else they are waited
// for, or an error was told.
Step ptx_converge(Warp *w, const Inst *in, uint32_t mask, uint32_t members);

Step ptx_branch(Warp *w, const Inst *in, uint32_t mask);
Step ptx_exit(Warp *w, const Inst *in, uint32_t mask);
Step ptx_trap(Warp *w, const Inst *in, uint32_t mask);
Step ptx_nothing(Warp *w, const Inst *in, uint32_t mask);
Step ptx_clock_register(Warp *w, const Inst *in, uint32_t mask);
Step ptx_active_mask(Warp *w, const Inst *in, uint32_t mask);

// Operands: id, threads or nothing; of a reduction the result first and the predicate last.
Step ptx_barrier(Warp *w, const Inst *in, uint32_t mask);
Step ptx_warp_barrier(Warp *w, const Inst *in, uint32_t mask);
Step ptx_cluster_arrive(Warp *w, const Inst *in, uint32_t mask);
Step ptx_cluster_wait(Warp *w, const Inst *in, uint32_t mask);
// Barriers that are complete now that a warp has left.
void ptx_barriers_after_exit(Block *block);

Step ptx_shuffle(Warp *w, const Inst *in, uint32_t mask);
Step ptx_vote(Warp *w, const Inst *in, uint32_t mask);
Step ptx_match(Warp *w, const Inst *in, uint32_t mask);
Step ptx_redux(Warp *w, const Inst *in, uint32_t mask);
Step ptx_elect(Warp *w, const Inst *in, uint32_t mask);

#endif
