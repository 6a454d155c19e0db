// The worker pool: every chunk runs exactly once, under contention too, and a caller never waits
// for a thread that holds no chunk.
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_CHUNKS = 1000, SCRATCH = 64 };

typedef struct Counts {
    _Atomic int runs[MAX_CHUNKS];
    _Atomic int sharing; // tasks seen in a scratch that another task was using
} Counts;

static void
count_chunks(void *context, int64_t begin, int64_t end, void *scratch)
{
    Counts *counts = context;
    _Atomic int *in_use = scratch;
    if (atomic_exchange(in_use, 1) != 0)
        atomic_fetch_add(&counts->sharing, 1);
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add(&counts->runs[i], 1);
    atomic_store(in_use, 0);
}

static bool
run_and_check(int64_t threads, int64_t num_chunks)
{
    static _Thread_local Counts counts;
    static _Thread_local _Alignas(64) char scratch[16 * SCRATCH];
    memset(&counts, 0, sizeof counts);
    mlc_rt_pool_run(threads, count_chunks, &counts, num_chunks, scratch, SCRATCH);
    for (int64_t i = 0; i < MAX_CHUNKS; i++)
        if (counts.runs[i] != (i < num_chunks))
            return false;
    return counts.sharing == 0;
}

static void
each_chunk_runs_once(void **state)
{
    (void)state;
    assert_int_equal(mlc_rt_pool_acquire(4), 4);
    for (int64_t threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 300; round++)
            assert_true(run_and_check(threads, round % 100));
    assert_true(run_and_check(4, MAX_CHUNKS));
    mlc_rt_pool_release();
}

static void *
session_thread(void *result)
{
    bool ok = true;
    for (int round = 0; round < 300; round++)
        ok &= run_and_check(1 + round % 4, round % 37);
    *(bool *)result = ok;
    return NULL;
}

static void
many_callers_at_a_time(void **state)
{
    (void)state;
    enum { NUM_CALLERS = 6 };
    pthread_t callers[NUM_CALLERS];
    bool ok[NUM_CALLERS] = {0};
    mlc_rt_pool_acquire(4);
    for (int i = 0; i < NUM_CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, session_thread, &ok[i]), 0);
    for (int i = 0; i < NUM_CALLERS; i++) {
        pthread_join(callers[i], NULL);
        assert_true(ok[i]);
    }
    mlc_rt_pool_release();
}

typedef struct Hold {
    _Atomic int entered;
    _Atomic bool let_go;
} Hold;

static void
hold_until_let_go(void *context, int64_t begin, int64_t end, void *scratch)
{
    (void)begin, (void)end, (void)scratch;
    Hold *hold = context;
    atomic_fetch_add(&hold->entered, 1);
    while (!atomic_load(&hold->let_go))
        usleep(1000);
}

static void *
hold_thread(void *hold)
{
    char scratch[2 * SCRATCH];
    mlc_rt_pool_run(2, hold_until_let_go, hold, 2, scratch, SCRATCH);
    return NULL;
}

// All workers are stuck in somebody else's region; a caller finishes alone.
static void
no_worker_needed(void **state)
{
    (void)state;
    mlc_rt_pool_acquire(2);
    Hold hold = {0};
    pthread_t holder;
    assert_int_equal(pthread_create(&holder, NULL, hold_thread, &hold), 0);
    while (atomic_load(&hold.entered) < 2)
        usleep(1000);
    assert_true(run_and_check(4, 100));
    atomic_store(&hold.let_go, true);
    pthread_join(holder, NULL);
    mlc_rt_pool_release();
}

static void
nested(void *context, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    for (int64_t i = begin; i < end; i++)
        mlc_rt_pool_run(4, count_chunks, (Counts *)context + i, 10, NULL, SCRATCH);
}

static void
nested_regions_run_inline(void **state)
{
    (void)state;
    _Alignas(64) char scratch[4 * SCRATCH] = {0};
    Counts *counts = calloc(8, sizeof *counts);
    mlc_rt_pool_acquire(4);
    mlc_rt_pool_run(4, nested, counts, 8, scratch, SCRATCH);
    mlc_rt_pool_release();
    for (int i = 0; i < 8; i++)
        for (int chunk = 0; chunk < 10; chunk++)
            assert_int_equal(counts[i].runs[chunk], 1);
    free(counts);
}

static void
child_of_fork_works(void **state)
{
    (void)state;
    mlc_rt_pool_acquire(3);
    assert_true(run_and_check(3, 50));
    pid_t child = fork();
    if (child == 0) {
        bool ok = run_and_check(3, 50);
        mlc_rt_pool_release();
        _exit(ok ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    mlc_rt_pool_release();
}

static int64_t
milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *
be_busy(void *stop)
{
    while (!atomic_load((_Atomic bool *)stop))
        ;
    return NULL;
}

// All threads on one core, and a busy one beside them: workers lose so much time that they keep
// quiet, try again, and end in the middle of that.
static void
taken_off_their_core(void **state)
{
    (void)state;
    cpu_set_t all, one;
    _Atomic bool stop = false;
    pthread_t busy;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(pthread_create(&busy, NULL, be_busy, &stop), 0);
    for (int round = 0; round < 3; round++) {
        mlc_rt_pool_acquire(4);
        mlc_rt_pool_begin_run();
        for (int64_t end = milliseconds() + 400; milliseconds() < end;)
            assert_true(run_and_check(4, MAX_CHUNKS));
        mlc_rt_pool_end_run();
        mlc_rt_pool_release();
    }
    atomic_store(&stop, true);
    pthread_join(busy, NULL);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chunk_runs_once), cmocka_unit_test(many_callers_at_a_time),
        cmocka_unit_test(no_worker_needed),     cmocka_unit_test(nested_regions_run_inline),
        cmocka_unit_test(child_of_fork_works),  cmocka_unit_test(taken_off_their_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
