// pool.h -- the worker threads of the process, shared by all sessions.
#ifndef MLC_LIB_RUNTIME_POOL_H
#define MLC_LIB_RUNTIME_POOL_H

#include "mlc/runtime/abi.h"

enum { MLC_RT_POOL_MAX_THREADS = 1024 };

// Makes sure that regions of up to `threads` threads (the caller included) can find helpers, until
// the matching release; the last release ends the workers. Returns how many threads there are to
// use, at least 1: a system that gives no more threads makes runs slower, not wrong.
int64_t mlc_rt_pool_acquire(int64_t threads);
void mlc_rt_pool_release(void);
// Around a run of a model: between its regions workers look for the next one for a while before
// they sleep.
void mlc_rt_pool_begin_run(void);
void mlc_rt_pool_end_run(void);

// Runs `task` over chunks 0..num_chunks-1 with at most `threads` threads and returns when all are
// done. `scratch` holds `threads` pieces of `scratch_bytes`. Allocates nothing, and needs no worker
// to make progress: the caller finishes alone what no one else has taken. Any number of threads may
// call at a time.
void mlc_rt_pool_run(int64_t threads, MlcRtTask task, void *context, int64_t num_chunks,
                     char *scratch, int64_t scratch_bytes);

#endif
