// threads.c -- threads that meet at barriers, as coroutines on one machine thread.
//
// Each thread has a copy of the frame, so that values defined inside differ from thread to thread.
// A thread runs until it ends or waits; a coroutine (a C stack) is handed on when its thread ends,
// so that without barriers one is enough. The order is the seed's. A barrier that not all of its
// threads reach is an error, and so is one that they reach at different ops.
#include <stdio.h>

#include "interp_impl.h"
#include "mlc/support/alloc.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)2 << 20)
#define STACK_MARGIN ((size_t)256 << 10)
#else
#define STACK_BYTES ((size_t)256 << 10)
#define STACK_MARGIN ((size_t)64 << 10)
#endif

typedef enum ThreadState { THREAD_NEW, THREAD_READY, THREAD_WAITING, THREAD_DONE } ThreadState;

struct Thread {
    ThreadState state;
    MlcOp *barrier; // where it waits, with whom
    size_t first, count;
    ucontext_t context;
    char *stack;
    Frame *root, *frame; // the thread's copy of the frame, and where it stands
    MlcCell **fresh;
    size_t num_fresh, max_fresh;
    uint64_t depth;
    char *stack_end;
    void *fake_stack; // of the address sanitizer
};

struct Team {
    MlcInterp *interp;
    MlcOp *op;
    Thread *threads;
    size_t num_threads;
    bool (*run)(MlcEval *e, size_t thread, void *user);
    void *user;
    ucontext_t scheduler;
    bool failed;
    void *fake_stack;
    const void *stack_bottom;
    size_t stack_size;
    Team *outer;
};

// --- switching

static void
switch_to_thread(Team *team, Thread *thread)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&team->fake_stack, thread->stack, STACK_BYTES);
#endif
    swapcontext(&team->scheduler, &thread->context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(team->fake_stack, NULL, NULL);
#endif
}

static void
switch_to_scheduler(Team *team, Thread *thread, bool is_last)
{
    (void)is_last;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(is_last ? NULL : &thread->fake_stack, team->stack_bottom,
                                   team->stack_size);
#endif
    swapcontext(&thread->context, &team->scheduler);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(thread->fake_stack, &team->stack_bottom, &team->stack_size);
#endif
}

static void
thread_main(unsigned low, unsigned high)
{
    Team *team = (Team *)(uintptr_t)((uint64_t)high << 32 | low);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(NULL, &team->stack_bottom, &team->stack_size);
#endif
    MlcEval *e = &team->interp->eval;
    Thread *thread = &team->threads[e->thread];
    if (!team->run(e, e->thread, team->user))
        team->failed = true;
    thread->state = THREAD_DONE;
    switch_to_scheduler(team, thread, true);
}

static void
start(Team *team, Thread *thread)
{
    MlcInterp *interp = team->interp;
    thread->stack = interp->stacks.size ? mlc_vec_pop(&interp->stacks) : mlc_malloc(STACK_BYTES);
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK_BYTES;
    thread->context.uc_link = NULL;
    uint64_t word = (uint64_t)(uintptr_t)team;
    // makecontext's function takes ints; a pointer travels as two.
    makecontext(&thread->context, (void (*)(void))thread_main, 2, (unsigned)word,
                (unsigned)(word >> 32));
}

static Frame *
copy_frame(MlcInterp *interp, const Frame *from)
{
    Frame *frame = mlc_interp_push_frame(interp, from->scope);
    for (size_t i = 0; i < from->scope->num_slots; i++) {
        frame->slots[i] = from->slots[i];
        mlc_datum_hold(&frame->slots[i]);
    }
    return frame;
}

// The interpreter's own state and the thread's change places.
static void
swap_state(MlcInterp *interp, Thread *thread)
{
    MlcEval *e = &interp->eval;
    Frame *frame = interp->frame;
    MlcCell **fresh = e->fresh;
    size_t num_fresh = e->num_fresh, max_fresh = e->max_fresh;
    uint64_t depth = interp->depth;
    char *stack_end = interp->stack_end;
    interp->stack_end = thread->stack_end, thread->stack_end = stack_end;
    interp->frame = thread->frame, thread->frame = frame;
    e->fresh = thread->fresh, thread->fresh = fresh;
    e->num_fresh = thread->num_fresh, thread->num_fresh = num_fresh;
    e->max_fresh = thread->max_fresh, thread->max_fresh = max_fresh;
    interp->depth = thread->depth, thread->depth = depth;
}

static void
finish(MlcInterp *interp, Thread *thread)
{
    mlc_vec_push(&interp->stacks, thread->stack);
    thread->stack = NULL;
    mlc_interp_pop_frame(interp, thread->root);
}

// Until the thread ends or waits.
static void
resume(Team *team, size_t number)
{
    MlcInterp *interp = team->interp;
    Thread *thread = &team->threads[number];
    size_t outer = interp->eval.thread;
    if (thread->state == THREAD_NEW) {
        thread->root = thread->frame = copy_frame(interp, interp->frame);
        thread->depth = interp->depth;
        start(team, thread);
        thread->stack_end = thread->stack + STACK_MARGIN;
    }
    interp->eval.thread = number;
    swap_state(interp, thread);
    switch_to_thread(team, thread);
    if (thread->state == THREAD_DONE)
        mlc_eval_drain(&interp->eval, 0);
    swap_state(interp, thread);
    interp->eval.thread = outer;
    if (thread->state == THREAD_DONE)
        finish(interp, thread);
}

// --- barriers

bool
mlc_interp_barrier(MlcEval *e, MlcOp *op, size_t first, size_t count)
{
    Team *team = ((MlcInterp *)e)->team;
    size_t number = e->thread;
    Thread *thread = &team->threads[number];
    thread->state = THREAD_WAITING;
    thread->barrier = op;
    thread->first = first;
    thread->count = count;
    switch_to_scheduler(team, thread, false);
    return true;
}

static bool
never_reached(Team *team, const Thread *waiting, size_t missing)
{
    const Thread *other = &team->threads[missing];
    mlc_op_error(waiting->barrier, "thread %zu waits for thread %zu, which %s",
                 (size_t)(waiting - team->threads), missing,
                 other->state == THREAD_DONE ? "has ended" : "waits at another barrier");
    if (other->state == THREAD_WAITING)
        mlc_op_note(other->barrier, "it waits here");
    return false;
}

static bool
is_at(const Thread *thread, const Thread *at)
{
    return thread->state == THREAD_WAITING && thread->barrier == at->barrier &&
           thread->first == at->first && thread->count == at->count;
}

// All threads wait or have ended: lets those go whose group is complete. False where no group is.
static bool
release_waiting(Team *team)
{
    bool any = false;
    const Thread *stuck = NULL;
    size_t missing = 0;
    for (size_t t = 0; t < team->num_threads; t++) {
        Thread *thread = &team->threads[t];
        if (thread->state != THREAD_WAITING)
            continue;
        size_t end = thread->first + thread->count, at = thread->first;
        while (at < end && is_at(&team->threads[at], thread))
            at++;
        if (at < end) {
            stuck = thread;
            missing = at;
            continue;
        }
        for (size_t i = thread->first; i < end; i++)
            team->threads[i].state = THREAD_READY;
        any = true;
    }
    return any || !stuck || never_reached(team, stuck, missing);
}

static bool
run_all(Team *team)
{
    MlcEval *e = &team->interp->eval;
    size_t num_done = 0;
    while (num_done < team->num_threads && !team->failed) {
        for (size_t i = 0; i < team->num_threads && !team->failed; i++) {
            size_t number = (size_t)mlc_eval_order(e, i, team->num_threads);
            Thread *thread = &team->threads[number];
            if (thread->state == THREAD_DONE || thread->state == THREAD_WAITING)
                continue;
            resume(team, number);
            num_done += thread->state == THREAD_DONE;
        }
        if (!team->failed && !release_waiting(team))
            team->failed = true;
    }
    return !team->failed;
}

// What an error left: threads in the middle. Their frames go with the interpreter.
static void
abandon(Team *team)
{
    for (size_t i = 0; i < team->num_threads; i++) {
        Thread *thread = &team->threads[i];
        if (thread->stack) {
            mlc_free(thread->stack);
            swap_state(team->interp, thread);
            mlc_eval_drain(&team->interp->eval, 0);
            swap_state(team->interp, thread);
        }
    }
}

bool
mlc_interp_threads(MlcEval *e, MlcOp *op, size_t num_threads,
                   bool (*run)(MlcEval *e, size_t thread, void *user), void *user)
{
    MlcInterp *interp = (MlcInterp *)e;
    Team team = {.interp = interp,
                 .op = op,
                 .num_threads = num_threads,
                 .run = run,
                 .user = user,
                 .outer = interp->team};
    team.threads = mlc_calloc(num_threads, sizeof *team.threads);
    interp->team = &team;
    bool ok = run_all(&team);
    if (!ok)
        abandon(&team);
    for (size_t i = 0; i < num_threads; i++)
        mlc_free(team.threads[i].fresh);
    mlc_free(team.threads);
    interp->team = team.outer;
    return ok;
}
