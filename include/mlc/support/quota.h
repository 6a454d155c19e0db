// quota.h -- how much memory, how many ops and how much time a piece of work may take.
//
//     MlcQuota *quota = mlc_quota_begin(&(MlcQuotaLimits){.memory = 1 << 30}, NULL, NULL);
//     ... read, run passes ...
//     bool ok = mlc_quota_exceeded(quota) == MLC_QUOTA_NONE;
//     mlc_quota_end(quota);
//
// It holds for the thread that began it, inside whatever quota that has already, and for the loops
// which that thread shares out (mlc/support/pool.h). Memory is counted where mlc_malloc and its kin
// give it; what LLVM takes and files that are mapped are not. Who goes beyond is told once, in the
// thread that does, by the handler; without one, work goes on to the next place where it can stop.
// Time is looked at only in such places, so a handler that must hear of it in time needs a thread
// of its own.
//
// Ownership: the caller ends what it began; limits are copied, names of tasks borrowed.
// Threads: begun and ended by one thread; the handler is called in any.
#ifndef MLC_SUPPORT_QUOTA_H
#define MLC_SUPPORT_QUOTA_H

#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef enum MlcQuotaKind {
    MLC_QUOTA_NONE,
    MLC_QUOTA_MEMORY,
    MLC_QUOTA_OPS,
    MLC_QUOTA_TIME,
} MlcQuotaKind;

typedef struct MlcQuotaLimits { // 0: no limit
    int64_t memory;             // bytes held beyond those at the beginning
    int64_t ops;                // made, those that are erased again too
    int64_t nanoseconds;        // since the beginning, on the wall
} MlcQuotaLimits;

typedef struct MlcQuota MlcQuota;

// Called once, by the thread that goes beyond, from inside an allocation as it may be: it asks for
// no memory and for no lock of mlc's. It may block or end the process; if it returns, work goes on
// as without it.
typedef void (*MlcQuotaFn)(MlcQuotaKind kind, void *user);

// `limits` is copied; `handler` may be NULL.
MLC_API MLC_NODISCARD MlcQuota *mlc_quota_begin(const MlcQuotaLimits *limits, MlcQuotaFn handler,
                                                void *user);
// By the thread that began it, the innermost first; NULL: nothing.
MLC_API void mlc_quota_end(MlcQuota *quota);
// What it went beyond first; looks at the clock.
MLC_API MlcQuotaKind mlc_quota_exceeded(MlcQuota *quota);
// Whether the calling thread is under one.
MLC_API bool mlc_quota_is_begun(void);

// How many there are in the process, so that where there is none nothing is called; by __atomic
// operations.
extern MLC_API int mlc_num_quotas;
// The two below, where there is one.
MLC_API bool mlc_quota_is_over_slow(void);
// Likewise.
MLC_API void mlc_quota_count_op_slow(void);

// Whether the calling thread's work should stop: a quota that it is under was exceeded.
static inline bool
mlc_quota_is_over(void)
{
    return __atomic_load_n(&mlc_num_quotas, __ATOMIC_RELAXED) && mlc_quota_is_over_slow();
}

// One more op is about to be made.
static inline void
mlc_quota_count_op(void)
{
    if (__atomic_load_n(&mlc_num_quotas, __ATOMIC_RELAXED))
        mlc_quota_count_op_slow();
}

// Appends "went beyond the limit on memory, 64 MiB (--max-memory)".
MLC_API void mlc_quota_describe(const MlcQuotaLimits *limits, MlcQuotaKind kind, MlcBuf *out);

// What a thread is about, for messages. Begun and ended like a quota; costs nothing where there is
// none. The strings live until the end, as the task does.
typedef struct MlcQuotaTask {
    const char *what;  // "pass"
    const char *name;  // "canonicalize"; NULL: none
    const char *place; // "t.mlir:3:1"; NULL: none
    struct MlcQuotaTask *next;
    unsigned long thread; // 0: it is not listed
} MlcQuotaTask;
// `name` and `place` may be NULL.
MLC_API void mlc_quota_task_begin(MlcQuotaTask *task, const char *what, const char *name,
                                  const char *place);
// By the thread that began it.
MLC_API void mlc_quota_task_end(MlcQuotaTask *task);
// "t.mlir:3:1: error: pass 'canonicalize'", as much as there is room for: the newest task of the
// calling thread; if it has none, of the thread whose work began first. False if there is no task.
MLC_API bool mlc_quota_task_tell(char *text, size_t size);

MLC_END_DECLS

#endif
