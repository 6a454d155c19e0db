// The compiler's worker pool: every index once, nested and concurrent loops end, workers are told
// apart.
#include "mlc/support/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NUM_INDICES = 10000, MOST_WORKERS = 8 };

typedef struct Loop {
    MlcPool *pool;
    atomic_int runs[NUM_INDICES];
    atomic_int inside[MOST_WORKERS];
    atomic_int clashes;
} Loop;

static void
count_run(void *ctx, size_t i, unsigned worker)
{
    Loop *loop = ctx;
    if (atomic_fetch_add(&loop->inside[worker], 1) != 0)
        atomic_fetch_add(&loop->clashes, 1);
    atomic_fetch_add(&loop->runs[i], 1);
    atomic_fetch_sub(&loop->inside[worker], 1);
}

static void
check_loop(MlcPool *pool, size_t n)
{
    static _Thread_local Loop loop;
    memset(&loop, 0, sizeof loop);
    mlc_parallel_for(pool, n, count_run, &loop);
    for (size_t i = 0; i < NUM_INDICES; i++)
        if (atomic_load(&loop.runs[i]) != (i < n))
            fail_msg("index %zu ran %d times", i, atomic_load(&loop.runs[i]));
    assert_int_equal(atomic_load(&loop.clashes), 0);
}

static void
every_index_runs_once(void **state)
{
    (void)state;
    check_loop(NULL, 100);
    for (unsigned threads = 0; threads <= 5; threads++) {
        MlcPool *pool = mlc_pool_create(threads);
        assert_true(threads == 0 || mlc_pool_num_threads(pool) == threads);
        for (size_t n = 0; n < 200; n++)
            check_loop(pool, n);
        check_loop(pool, NUM_INDICES);
        mlc_pool_destroy(pool);
    }
    mlc_pool_destroy(NULL);
}

static void
add_up(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    atomic_fetch_add((atomic_int *)ctx, (int)i);
}

typedef struct Nested {
    MlcPool *pool;
    atomic_int sum;
} Nested;

static void
run_inner_loop(void *ctx, size_t i, unsigned worker)
{
    (void)i, (void)worker;
    Nested *nested = ctx;
    mlc_parallel_for(nested->pool, 10, add_up, &nested->sum);
}

static void
loops_nest(void **state)
{
    (void)state;
    Nested nested = {.pool = mlc_pool_create(3)};
    mlc_parallel_for(nested.pool, 100, run_inner_loop, &nested);
    assert_int_equal(atomic_load(&nested.sum), 4500);
    mlc_pool_destroy(nested.pool);
}

static void *
run_loops(void *arg)
{
    for (int i = 0; i < 200; i++)
        check_loop(arg, 50);
    return NULL;
}

static void
several_threads_share_a_pool(void **state)
{
    (void)state;
    MlcPool *pool = mlc_pool_create(3);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_loops, pool), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    mlc_pool_destroy(pool);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once),
        cmocka_unit_test(loops_nest),
        cmocka_unit_test(several_threads_share_a_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
