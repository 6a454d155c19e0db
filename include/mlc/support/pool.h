// pool.h -- worker threads for the compiler: one loop at a time, the caller takes part.
//
// Indices are handed out one by one, so iterations should be worth at least some microseconds.
// Which thread runs which index is not fixed: give each index its own output and the result is the
// same for any number of threads. (The runtime has a pool of its own, with other promises.)
//
// Ownership: the caller destroys it, when no loop runs.
// Threads: any may ask for a loop; one runs at a time.
#ifndef MLC_SUPPORT_POOL_H
#define MLC_SUPPORT_POOL_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcPool MlcPool;

// `num_threads` counts the caller; 0: one per processor that this process may use. Fewer when the
// system refuses more.
MLC_API MLC_NODISCARD MlcPool *mlc_pool_create(unsigned num_threads);
MLC_API void mlc_pool_destroy(MlcPool *pool); // NULL is fine

// Threads that may run a loop's iterations, the caller included; 1 for NULL.
MLC_API unsigned mlc_pool_num_threads(const MlcPool *pool);

// `worker` is below mlc_pool_num_threads and no two running iterations of one loop share it.
typedef void (*MlcPoolFn)(void *ctx, size_t i, unsigned worker);

// Runs fn(ctx, i, worker) for each i < n and returns when all are done; what they wrote is visible
// then. A NULL pool, or a call from inside an iteration, or while another thread's loop runs, works
// through the indices alone as worker 0.
MLC_API void mlc_parallel_for(MlcPool *pool, size_t n, MlcPoolFn fn, void *ctx);

MLC_END_DECLS

#endif
