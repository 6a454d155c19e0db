// pool.c -- a loop is one shared counter; workers sleep between loops.
//
// `busy` makes a second loop (nested, or of another thread) run alone instead of waiting: compiling
// must not deadlock because a pass inside a parallel pass asks for threads too. Workers never spin.
#include "mlc/support/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "mlc/support/alloc.h"
#include "quota_here.h"

#define MOST_THREADS 256u

typedef struct Worker {
    MlcPool *pool;
    pthread_t thread;
    unsigned number; // from 1: 0 is the caller
} Worker;

struct MlcPool {
    pthread_mutex_t lock;
    pthread_cond_t wake; // a loop began, or the end
    pthread_cond_t done; // the last worker left a loop
    uint64_t generation; // of loops; under `lock`, as are the next four
    bool stop;
    unsigned num_inside; // workers in the loop
    MlcPoolFn fn;
    void *ctx;
    MlcQuota *quota; // of who shares the loop out
    size_t n;
    atomic_size_t next; // index
    atomic_flag busy;
    unsigned num_workers; // threads besides the caller
    Worker workers[];
};

static void
work(MlcPool *pool, MlcPoolFn fn, void *ctx, size_t n, unsigned number)
{
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= n)
            return;
        fn(ctx, i, number);
    }
}

static void *
worker_main(void *arg)
{
    Worker *self = arg;
    MlcPool *pool = self->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && (pool->generation == seen || !pool->fn))
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->generation;
        MlcPoolFn fn = pool->fn;
        void *ctx = pool->ctx;
        size_t n = pool->n;
        mlc_quota_here = pool->quota;
        pool->num_inside++;
        pthread_mutex_unlock(&pool->lock);
        work(pool, fn, ctx, n, self->number);
        mlc_quota_here = NULL;
        pthread_mutex_lock(&pool->lock);
        if (--pool->num_inside == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static unsigned
usable_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

MlcPool *
mlc_pool_create(unsigned num_threads)
{
    if (num_threads == 0)
        num_threads = usable_processors();
    if (num_threads > MOST_THREADS)
        num_threads = MOST_THREADS;
    MlcPool *pool = mlc_calloc(1, sizeof *pool + (num_threads - 1) * sizeof(Worker));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    atomic_init(&pool->next, 0);
    atomic_flag_clear(&pool->busy);
    for (unsigned i = 0; i + 1 < num_threads; i++) {
        Worker *worker = &pool->workers[i];
        *worker = (Worker){.pool = pool, .number = i + 1};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
            break;
        pool->num_workers++;
    }
    return pool;
}

void
mlc_pool_destroy(MlcPool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->num_workers; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    mlc_free(pool);
}

unsigned
mlc_pool_num_threads(const MlcPool *pool)
{
    return pool ? pool->num_workers + 1 : 1;
}

static void
run_shared(MlcPool *pool, size_t n, MlcPoolFn fn, void *ctx)
{
    pthread_mutex_lock(&pool->lock);
    pool->fn = fn;
    pool->ctx = ctx;
    pool->quota = mlc_quota_here;
    pool->n = n;
    atomic_store(&pool->next, 0);
    pool->generation++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    work(pool, fn, ctx, n, 0);

    // All indices are taken. Workers that have not woken up yet find no function and stay out.
    pthread_mutex_lock(&pool->lock);
    pool->fn = NULL;
    while (pool->num_inside > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void
mlc_parallel_for(MlcPool *pool, size_t n, MlcPoolFn fn, void *ctx)
{
    bool shared = pool && pool->num_workers > 0 && n > 1 && !atomic_flag_test_and_set(&pool->busy);
    if (!shared) {
        for (size_t i = 0; i < n; i++)
            fn(ctx, i, 0);
        return;
    }
    run_shared(pool, n, fn, ctx);
    atomic_flag_clear(&pool->busy);
}
