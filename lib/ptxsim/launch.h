// launch.h -- blocks and warps: how they start, take turns, wait and end.
#ifndef MLC_LIB_PTXSIM_LAUNCH_H
#define MLC_LIB_PTXSIM_LAUNCH_H

#include "inst.h"

static inline uint32_t
ptx_pc_of(const Warp *w, const Inst *in)
{
    return (uint32_t)(in - w->kernel->code.data);
}

// Coordinates of a block by its number, of a thread by its number in the block.
void ptx_block_of(const Run *run, uint32_t number, uint32_t block[3]);
void ptx_thread_of(const Run *run, uint32_t thread, uint32_t tid[3]);

// A number drawn from the launch's seed; 0 where there is none.
uint32_t ptx_random(Cluster *c, uint32_t below);

// One cluster, from start to end; false after an error, told in c->message.
bool ptx_run_cluster(Cluster *c);
// Runs a warp until it waits, ends, or has run so many instructions.
Step ptx_run_warp(Warp *w, unsigned num_steps);
// Lanes that leave.
void ptx_leave(Warp *w, uint32_t mask);

// An error: a register that is not there to be read, or not to be written.
void ptx_register_fault(Warp *w, const Inst *in, unsigned lane, uint32_t reg, bool is_write);
// Whether a matrix unit works on it.
bool ptx_is_in_flight(const Warp *w, uint32_t reg);
// What an instruction writes must be fenced before a matrix unit reads it.
void ptx_note_dirty(Warp *w, const Inst *in);
// False after an error: the instruction writes what a matrix unit works on.
bool ptx_check_in_flight(Warp *w, const Inst *in, uint32_t mask);
// Whether lanes may leave; an error if work of theirs is not done.
Step ptx_check_exit(Warp *w, const Inst *in, uint32_t mask);

// Fills the special registers of a warp that starts.
void ptx_start_specials(Warp *w);

#endif
