// pool.c -- one set of worker threads per process; regions are found by workers, not handed to
// them.
//
// A region sits in one of 64 slots. Its chunks lie in as many shares as it has threads, one after
// the other. A thread takes pieces of its own share first, the same one in every region, since what
// the region before left there is in its cache, and then of the others', until none is left. The
// region is complete when all chunks have been run, whoever ran them, so a worker that the system
// has taken off its core, or that never woke, delays nobody unless it holds a piece. What a late
// worker may still touch is the slot, never the caller's stack: a slot is reused only when its last
// reference is gone. With all slots taken a caller runs alone.
//
// Workers sleep on a futex (an event count: `epoch` moves when a region is published), so an idle
// pool costs nothing. Waking one can take longer than a small kernel, so while a model runs, a
// worker looks for the next region for a moment first, and so does a caller whose last chunks run
// elsewhere. A child after fork() has no workers, and works all the same.
//
// A core that another process uses too serves a thread for some milliseconds and then not; those
// who wait for the piece that it holds lose more than it gives (two threads beside a busy process
// took up to 1.5 times as long as one). So threads add up the time that they could have run and did
// not. If that is much, one worker keeps quiet for a while: it sleeps, and regions are run without
// it, on cores that are free. Then it tries again, and keeps quiet for longer each time that ends
// alike.
#include "pool.h"

#include "mlc/support/clock.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    NUM_SLOTS = 64,
    MAX_SHARES = 16,
    PIECES_PER_SHARE = 8, // the largest piece is what is left of a share, divided by this
    SPIN_NANOSECONDS = 100000,
    SPINS_PER_LOOK = 16, // at the clock
    // In nanoseconds. A thread that shares its core with one busy process loses half of a window.
    NOTICE_NANOSECONDS = 1000000, // between questions to the system
    WINDOW_NANOSECONDS = 80000000,
    STOLEN_NANOSECONDS = 30000000, // in a window
    MIN_QUIET_NANOSECONDS = 40000000,
    MAX_QUIET_NANOSECONDS = 640000000,
};

enum { RUNNING, FINISHED, OWNER_SLEEPS };

typedef struct Share {
    _Alignas(64) _Atomic int64_t next; // first chunk not yet taken
    int64_t end;
} Share;

typedef struct Region {
    // References in the low 32 bits, threads that ever joined in the next 16, the limit of those in
    // the top 16: one word, so that joining checks and counts at once. Zero references: nobody may
    // join.
    _Alignas(64) _Atomic uint64_t state;
    MlcRtTask task;
    void *context;
    char *scratch;
    int64_t scratch_bytes;
    int64_t num_chunks;
    int64_t num_shares;
    Share shares[MAX_SHARES];
    _Alignas(64) _Atomic int64_t done; // chunks that have been run
    _Atomic uint32_t finished;
} Region;

static struct {
    Region regions[NUM_SLOTS];
    _Alignas(64) _Atomic uint64_t used;   // slots that are owned or still referenced
    _Alignas(64) _Atomic uint64_t active; // slots where chunks may be left
    _Atomic uint32_t epoch; // beside it: a worker that sees it move reads `active` next
    _Atomic uint32_t sleepers;
    _Atomic uint32_t stop;
    _Atomic uint32_t runs; // of models, in progress

    _Alignas(64) _Atomic int64_t window; // when it began
    _Atomic int64_t stolen;              // nanoseconds in it, of all threads
    _Atomic uint32_t too_many;           // a worker is to keep quiet

    pthread_mutex_t mutex; // guards what follows
    int64_t users;
    int64_t num_workers;
    pthread_t workers[MLC_RT_POOL_MAX_THREADS];
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// Inside a task: nested regions run inline, with the scratch that the task has. initial-exec,
// because the other models allocate on a thread's first access.
static _Thread_local __attribute__((tls_model("initial-exec"))) char *task_scratch;
static _Thread_local __attribute__((tls_model("initial-exec"))) bool in_task;
static _Thread_local __attribute__((tls_model("initial-exec")))
int64_t worker_number; // 0: a caller

// Of this thread, in nanoseconds.
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    int64_t noticed, cpu;     // when it asked last, its processor time then; 0: not in this run
    int64_t slept;            // since then
    int64_t quiet, quiet_end; // a worker: how long it kept quiet the last time, until when
} lately;

static void
futex_wake(_Atomic uint32_t *word, int64_t count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count < INT_MAX ? (int)count : INT_MAX, NULL, NULL,
            0);
}

static void
cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Until *word is changed and woken, or for so long; 0: without limit.
static void
futex_wait(_Atomic uint32_t *word, uint32_t expected, int64_t nanoseconds)
{
    struct timespec t = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int64_t start = mlc_clock_wall();
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nanoseconds ? &t : NULL, NULL, 0);
    lately.slept += mlc_clock_wall() - start;
}

// Until *word is no longer `from`, or the time is over, or (if asked) no model runs.
static bool
spin_while(_Atomic uint32_t *word, uint32_t from, bool in_runs_only)
{
    int64_t end = mlc_clock_wall() + SPIN_NANOSECONDS;
    do {
        for (int i = 0; i < SPINS_PER_LOOK; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) != from)
                return true;
            cpu_relax();
        }
    } while ((!in_runs_only || atomic_load(&pool.runs) > 0) && mlc_clock_wall() < end);
    return false;
}

static void
run_task(MlcRtTask task, void *context, int64_t begin, int64_t end, char *scratch)
{
    in_task = true;
    task_scratch = scratch;
    task(context, begin, end, scratch);
    in_task = false;
}

// Takes pieces of a share until none is left, and gives the number of chunks run. Pieces shrink
// towards the end (guided self-scheduling, Polychronopoulos & Kuck 1987), so that few atomics serve
// many chunks and the last to finish is not far behind.
static int64_t
work_on_share(Region *r, Share *share, char *scratch)
{
    int64_t begin = atomic_load_explicit(&share->next, memory_order_relaxed), count = 0;
    while (begin < share->end) {
        int64_t size = (share->end - begin) / PIECES_PER_SHARE;
        int64_t end = begin + (size > 0 ? size : 1);
        if (!atomic_compare_exchange_weak_explicit(&share->next, &begin, end, memory_order_relaxed,
                                                   memory_order_relaxed))
            continue;
        run_task(r->task, r->context, begin, end, scratch);
        count += end - begin;
        begin = atomic_load_explicit(&share->next, memory_order_relaxed);
    }
    return count;
}

// Threads may begin a window at the same time and lose what one adds: there will be more.
static void
notice_stolen_time(void)
{
    int64_t time = mlc_clock_wall();
    if (time - lately.noticed < NOTICE_NANOSECONDS)
        return;
    int64_t cpu = mlc_clock_thread();
    int64_t stolen = lately.noticed ? time - lately.noticed - (cpu - lately.cpu) - lately.slept : 0;
    lately.noticed = time;
    lately.cpu = cpu;
    lately.slept = 0;
    if (time - atomic_load(&pool.window) > WINDOW_NANOSECONDS) {
        atomic_store(&pool.window, time);
        atomic_store(&pool.stolen, 0);
    }
    if (atomic_fetch_add(&pool.stolen, stolen) + stolen > STOLEN_NANOSECONDS) {
        atomic_store(&pool.window, 0);
        atomic_store(&pool.too_many, 1);
    }
}

// The participant's own share first. What it ran is counted once, at the end.
static void
work_on(Region *r, int64_t participant)
{
    char *scratch = r->scratch + participant * r->scratch_bytes;
    int64_t home = worker_number < r->num_shares ? worker_number : participant % r->num_shares;
    int64_t count = 0;
    for (int64_t i = 0; i < r->num_shares; i++)
        count += work_on_share(r, &r->shares[(home + i) % r->num_shares], scratch);
    if (count == 0)
        return;
    notice_stolen_time();
    int64_t done = atomic_fetch_add_explicit(&r->done, count, memory_order_acq_rel) + count;
    if (done == r->num_chunks && atomic_exchange(&r->finished, FINISHED) == OWNER_SLEEPS)
        futex_wake(&r->finished, 1);
}

static uint64_t
slot_bit(const Region *r)
{
    return UINT64_C(1) << (r - pool.regions);
}

static void
drop_reference(Region *r)
{
    uint64_t state = atomic_fetch_sub(&r->state, 1);
    if ((state & UINT32_MAX) == 1)
        atomic_fetch_and(&pool.used, ~slot_bit(r));
}

// Returns the participant's number, from 1, or 0 when the region is over or has all the threads it
// may have.
static int64_t
try_join(Region *r)
{
    uint64_t state = atomic_load(&r->state);
    for (;;) {
        uint64_t joined = state >> 32 & 0xffff;
        if ((state & UINT32_MAX) == 0 || joined >= state >> 48)
            return 0;
        if (atomic_compare_exchange_weak(&r->state, &state, state + (UINT64_C(1) << 32) + 1))
            return (int64_t)joined;
    }
}

// Runs what it can of every active region once; false if there was nothing to do.
static bool
help_all(void)
{
    bool helped = false;
    uint64_t active = atomic_load(&pool.active);
    for (; active != 0; active &= active - 1) {
        Region *r = &pool.regions[__builtin_ctzll(active)];
        int64_t participant = try_join(r);
        if (participant == 0)
            continue;
        work_on(r, participant);
        // No chunk is left to take: the next worker need not look. The owner clears it too; a
        // reused slot is not at risk, because our reference keeps the slot from being reused.
        atomic_fetch_and(&pool.active, ~slot_bit(r));
        drop_reference(r);
        helped = true;
    }
    return helped;
}

// Twice as long as the last time, if that ended lately.
static void
keep_quiet(void)
{
    bool again = mlc_clock_wall() - lately.quiet_end < lately.quiet + WINDOW_NANOSECONDS;
    int64_t quiet = again ? 2 * lately.quiet : MIN_QUIET_NANOSECONDS;
    lately.quiet = quiet < MAX_QUIET_NANOSECONDS ? quiet : MAX_QUIET_NANOSECONDS;
    futex_wait(&pool.stop, false, lately.quiet);
    lately.quiet_end = mlc_clock_wall();
}

static void *
worker_main(void *number)
{
    worker_number = (int64_t)(intptr_t)number;
    while (!atomic_load(&pool.stop)) {
        if (atomic_load(&pool.too_many) > 0 && atomic_exchange(&pool.too_many, 0) > 0)
            keep_quiet();
        uint32_t epoch = atomic_load(&pool.epoch);
        if (help_all())
            continue;
        if (atomic_load(&pool.runs) > 0 && spin_while(&pool.epoch, epoch, true))
            continue;
        atomic_fetch_add(&pool.sleepers, 1);
        if (!atomic_load(&pool.stop))
            futex_wait(&pool.epoch, epoch, 0);
        atomic_fetch_sub(&pool.sleepers, 1);
    }
    return NULL;
}

static void
wake_workers(int64_t count)
{
    atomic_fetch_add(&pool.epoch, 1);
    if (atomic_load(&pool.sleepers) > 0)
        futex_wake(&pool.epoch, count);
}

static Region *
take_slot(void)
{
    uint64_t used = atomic_load(&pool.used);
    while (used != UINT64_MAX) {
        uint64_t bit = ~used & (used + 1);
        if (atomic_compare_exchange_weak(&pool.used, &used, used | bit))
            return &pool.regions[__builtin_ctzll(bit)];
    }
    return NULL;
}

static void
wait_finished(Region *r)
{
    if (spin_while(&r->finished, RUNNING, false))
        return;
    uint32_t running = RUNNING;
    atomic_compare_exchange_strong(&r->finished, &running, OWNER_SLEEPS);
    while (atomic_load_explicit(&r->finished, memory_order_acquire) != FINISHED)
        futex_wait(&r->finished, OWNER_SLEEPS, 0);
}

static void
run_alone(MlcRtTask task, void *context, int64_t num_chunks, char *scratch)
{
    if (in_task) {
        task(context, 0, num_chunks, task_scratch);
        return;
    }
    run_task(task, context, 0, num_chunks, scratch);
}

void
mlc_rt_pool_run(int64_t threads, MlcRtTask task, void *context, int64_t num_chunks, char *scratch,
                int64_t scratch_bytes)
{
    if (num_chunks <= 0)
        return;
    if (threads > num_chunks)
        threads = num_chunks;
    Region *r = threads > 1 && !in_task ? take_slot() : NULL;
    if (!r) {
        run_alone(task, context, num_chunks, scratch);
        return;
    }
    r->task = task;
    r->context = context;
    r->scratch = scratch;
    r->scratch_bytes = scratch_bytes;
    r->num_chunks = num_chunks;
    r->num_shares = threads < MAX_SHARES ? threads : MAX_SHARES;
    for (int64_t i = 0; i < r->num_shares; i++) {
        r->shares[i].end = num_chunks / r->num_shares * (i + 1) +
                           num_chunks % r->num_shares * (i + 1) / r->num_shares;
        atomic_store_explicit(&r->shares[i].next, i > 0 ? r->shares[i - 1].end : 0,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&r->done, 0, memory_order_relaxed);
    atomic_store_explicit(&r->finished, RUNNING, memory_order_relaxed);
    atomic_store(&r->state, (uint64_t)threads << 48 | UINT64_C(1) << 32 | 1);
    atomic_fetch_or(&pool.active, slot_bit(r));
    wake_workers(threads - 1);
    work_on(r, 0);
    atomic_fetch_and(&pool.active, ~slot_bit(r));
    wait_finished(r);
    drop_reference(r);
}

// The child of a fork has the caller only: no worker, and no region of other threads.
static void
forget_after_fork(void)
{
    pthread_mutex_init(&pool.mutex, NULL);
    pool.num_workers = 0;
    for (int i = 0; i < NUM_SLOTS; i++)
        atomic_store(&pool.regions[i].state, 0);
    atomic_store(&pool.active, 0);
    atomic_store(&pool.used, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.runs, 0);
    atomic_store(&pool.too_many, 0);
}

static void
watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_after_fork);
}

static bool
start_worker(void)
{
    // Signals are the application's: no worker takes them.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&pool.workers[pool.num_workers], NULL, worker_main,
                                  (void *)(intptr_t)(pool.num_workers + 1)) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pool.num_workers += started;
    return started;
}

int64_t
mlc_rt_pool_acquire(int64_t threads)
{
    if (threads > MLC_RT_POOL_MAX_THREADS)
        threads = MLC_RT_POOL_MAX_THREADS;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&pool.mutex);
    pool.users++;
    while (pool.num_workers < threads - 1 && start_worker())
        ;
    int64_t available = pool.num_workers + 1;
    pthread_mutex_unlock(&pool.mutex);
    if (threads < 1)
        return 1;
    return threads < available ? threads : available;
}

void
mlc_rt_pool_begin_run(void)
{
    lately.noticed = 0; // what the caller did since the last run is its own business
    atomic_fetch_add(&pool.runs, 1);
}

void
mlc_rt_pool_end_run(void)
{
    atomic_fetch_sub(&pool.runs, 1);
}

void
mlc_rt_pool_release(void)
{
    pthread_mutex_lock(&pool.mutex);
    if (--pool.users == 0 && pool.num_workers > 0) {
        atomic_store(&pool.stop, true);
        futex_wake(&pool.stop, INT_MAX);
        wake_workers(INT_MAX);
        for (int64_t i = 0; i < pool.num_workers; i++)
            pthread_join(pool.workers[i], NULL);
        pool.num_workers = 0;
        atomic_store(&pool.stop, false);
    }
    pthread_mutex_unlock(&pool.mutex);
}
