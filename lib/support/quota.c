// quota.c -- counters that a chain of quotas shares with the threads under it.
//
// What is exceeded is found by whoever counts, so there is no list of threads and no lock but that
// of the tasks, which nobody holds while asking for memory.
#include "quota_here.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "mlc/support/alloc.h"
#include "mlc/support/clock.h"

struct MlcQuota {
    MlcQuotaLimits limits;
    MlcQuotaFn handler;
    void *user;
    MlcQuota *outer;
    int64_t start;
    _Atomic int64_t memory, ops;
    _Atomic MlcQuotaKind exceeded;
};

_Thread_local MlcQuota *mlc_quota_here;
int mlc_num_quotas;

MlcQuota *
mlc_quota_begin(const MlcQuotaLimits *limits, MlcQuotaFn handler, void *user)
{
    MlcQuota *quota = mlc_calloc(1, sizeof *quota);
    quota->limits = *limits;
    quota->handler = handler;
    quota->user = user;
    quota->outer = mlc_quota_here;
    quota->start = mlc_clock_wall();
    __atomic_fetch_add(&mlc_num_quotas, 1, __ATOMIC_RELAXED);
    return mlc_quota_here = quota;
}

void
mlc_quota_end(MlcQuota *quota)
{
    if (!quota)
        return;
    assert(mlc_quota_here == quota);
    mlc_quota_here = quota->outer;
    __atomic_fetch_sub(&mlc_num_quotas, 1, __ATOMIC_RELAXED);
    mlc_free(quota);
}

// --- counting

static void
exceed(MlcQuota *quota, MlcQuotaKind kind)
{
    MlcQuotaKind none = MLC_QUOTA_NONE;
    if (atomic_compare_exchange_strong(&quota->exceeded, &none, kind) && quota->handler)
        quota->handler(kind, quota->user);
}

void
mlc_quota_ask_memory(MlcQuota *quota, size_t bytes)
{
    for (; quota; quota = quota->outer) {
        int64_t limit = quota->limits.memory, held = atomic_load(&quota->memory);
        if (limit && (bytes > (size_t)limit || held > limit - (int64_t)bytes))
            exceed(quota, MLC_QUOTA_MEMORY);
    }
}

void
mlc_quota_count_memory(MlcQuota *quota, int64_t bytes)
{
    for (; quota; quota = quota->outer)
        atomic_fetch_add_explicit(&quota->memory, bytes, memory_order_relaxed);
}

bool
mlc_quota_is_begun(void)
{
    return mlc_quota_here != NULL;
}

void
mlc_quota_count_op_slow(void)
{
    for (MlcQuota *quota = mlc_quota_here; quota; quota = quota->outer) {
        int64_t made = atomic_fetch_add_explicit(&quota->ops, 1, memory_order_relaxed);
        if (quota->limits.ops && made >= quota->limits.ops)
            exceed(quota, MLC_QUOTA_OPS);
    }
}

MlcQuotaKind
mlc_quota_exceeded(MlcQuota *quota)
{
    int64_t limit = quota->limits.nanoseconds;
    if (limit && mlc_clock_wall() - quota->start > limit)
        exceed(quota, MLC_QUOTA_TIME);
    return atomic_load(&quota->exceeded);
}

bool
mlc_quota_is_over_slow(void)
{
    for (MlcQuota *quota = mlc_quota_here; quota; quota = quota->outer)
        if (mlc_quota_exceeded(quota) != MLC_QUOTA_NONE)
            return true;
    return false;
}

// --- messages

// 64 MiB, where that is all of it.
static void
append_bytes(MlcBuf *out, int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; unit < 4 && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    mlc_buf_printf(out, "%lld %s", (long long)bytes, units[unit]);
}

void
mlc_quota_describe(const MlcQuotaLimits *limits, MlcQuotaKind kind, MlcBuf *out)
{
    if (kind == MLC_QUOTA_MEMORY) {
        mlc_buf_append_c(out, "went beyond the limit on memory, ");
        append_bytes(out, limits->memory);
        mlc_buf_append_c(out, " (--max-memory)");
    } else if (kind == MLC_QUOTA_OPS) {
        mlc_buf_printf(out, "went beyond the limit on ops made, %lld (--max-ops)",
                       (long long)limits->ops);
    } else if (kind == MLC_QUOTA_TIME) {
        mlc_buf_printf(out, "went beyond the limit on time, %g s (--max-seconds)",
                       1e-9 * (double)limits->nanoseconds);
    }
}

// --- tasks

static pthread_mutex_t tasks_lock = PTHREAD_MUTEX_INITIALIZER;
static MlcQuotaTask *tasks; // the newest first

void
mlc_quota_task_begin(MlcQuotaTask *task, const char *what, const char *name, const char *place)
{
    *task = (MlcQuotaTask){.what = what, .name = name, .place = place};
    if (!mlc_quota_here)
        return;
    task->thread = (unsigned long)pthread_self();
    pthread_mutex_lock(&tasks_lock);
    task->next = tasks;
    tasks = task;
    pthread_mutex_unlock(&tasks_lock);
}

void
mlc_quota_task_end(MlcQuotaTask *task)
{
    if (!task->thread)
        return;
    pthread_mutex_lock(&tasks_lock);
    MlcQuotaTask **at = &tasks;
    while (*at != task)
        at = &(*at)->next;
    *at = task->next;
    pthread_mutex_unlock(&tasks_lock);
}

static const MlcQuotaTask *
newest_of(unsigned long thread)
{
    const MlcQuotaTask *task = tasks;
    while (task && task->thread != thread)
        task = task->next;
    return task;
}

bool
mlc_quota_task_tell(char *text, size_t size)
{
    pthread_mutex_lock(&tasks_lock);
    const MlcQuotaTask *found = newest_of((unsigned long)pthread_self());
    for (const MlcQuotaTask *task = tasks; task && !found; task = task->next)
        if (!task->next)
            found = newest_of(task->thread);
    if (found)
        snprintf(text, size, found->name ? "%s%serror: %s '%s'" : "%s%serror: %s",
                 found->place ? found->place : "", found->place ? ": " : "", found->what,
                 found->name);
    pthread_mutex_unlock(&tasks_lock);
    return found != NULL;
}
