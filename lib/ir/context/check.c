// check.c -- mistakes of programs, told; and in a checking build guards before ops and blocks.
//
// What is erased waits in a list, its bytes poisoned (under AddressSanitizer) or overwritten, but
// for the few that lead to the guard. The list holds so much and no more; what leaves it is freed,
// and a use after that is AddressSanitizer's to tell.
#include "check.h"

#include <execinfo.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "context_impl.h"
#include "mlc/ir/loc.h"
#include "mlc/support/alloc.h"

void
mlc_mistake(const char *function, const char *format, ...)
{
    fprintf(stderr, "the program that uses libmlc has a fault: %s: ", function);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("\ncalled from:\n", stderr);
    fflush(stderr);
    void *frames[16];
    int n = backtrace(frames, sizeof frames / sizeof *frames);
    backtrace_symbols_fd(frames + 1, n - 1, STDERR_FILENO); // all but this function
    abort();
}

#ifdef MLC_CHECKING

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define HIDE(memory, size) __asan_poison_memory_region(memory, size)
#define SHOW(memory, size) __asan_unpoison_memory_region(memory, size)
#else
#define HIDE(memory, size) memset(memory, 0xdd, size)
#define SHOW(memory, size) ((void)0)
#endif

enum { MAX_WAITING = 32 << 20 }; // bytes of what is erased

typedef struct Guard {
    _Alignas(16) uint64_t state;
    struct Guard *next; // in the list, once it is erased
    MlcContext *ctx;
    const char *name; // of the op that it was; NULL: it was none
    MlcLoc loc;
    size_t size;               // of the object behind it
    size_t kept_at, kept_size; // what of it stays readable
} Guard;

#define LIVES UINT64_C(0x6c6976657320686d)
#define ERASED UINT64_C(0x6572617365642068)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Guard *oldest, *newest; // of what was erased
static size_t num_waiting;     // bytes

static Guard *
guard_of(const void *memory)
{
    return (Guard *)(uintptr_t)memory - 1;
}

void *
mlc_guarded_alloc(MlcContext *ctx, size_t size)
{
    Guard *guard = mlc_malloc(sizeof *guard + size);
    *guard = (Guard){.state = LIVES, .ctx = ctx, .size = size};
    return guard + 1;
}

void
mlc_guarded_note(void *memory, const char *name, MlcLoc loc, size_t from, size_t size)
{
    Guard *guard = guard_of(memory);
    guard->name = name;
    guard->loc = loc;
    guard->kept_at = from;
    guard->kept_size = size;
}

static void
release(Guard *guard)
{
    num_waiting -= sizeof *guard + guard->size;
    SHOW(guard + 1, guard->size);
    guard->state = 0;
    mlc_free(guard);
}

void
mlc_guarded_free(void *memory, size_t size)
{
    Guard *guard = guard_of(memory);
    size_t end = guard->kept_at + guard->kept_size;
    guard->state = ERASED;
    HIDE(memory, guard->kept_at);
    HIDE((char *)memory + end, size - end);
    pthread_mutex_lock(&lock);
    *(newest ? &newest->next : &oldest) = guard;
    newest = guard;
    num_waiting += sizeof *guard + guard->size;
    while (num_waiting > MAX_WAITING) {
        Guard *first = oldest;
        oldest = first->next;
        release(first);
    }
    pthread_mutex_unlock(&lock);
}

void
mlc_guarded_forget(MlcContext *ctx)
{
    pthread_mutex_lock(&lock);
    newest = NULL;
    for (Guard **link = &oldest, *guard; (guard = *link);) {
        if (guard->ctx != ctx) {
            newest = guard;
            link = &guard->next;
            continue;
        }
        *link = guard->next;
        release(guard);
    }
    pthread_mutex_unlock(&lock);
}

bool
mlc_guarded_lives(const void *memory)
{
    return guard_of(memory)->state == LIVES;
}

void
mlc_guarded_expect(const char *function, const void *memory, const char *what)
{
    const Guard *guard = guard_of(memory);
    if (guard->state == LIVES)
        return;
    if (guard->state != ERASED)
        mlc_mistake(function, "the %s is none, or was erased long ago", what);
    if (!guard->name)
        mlc_mistake(function, "the %s was erased", what);
    MlcBuf place = {0};
    mlc_loc_append_place(guard->ctx, guard->loc, &place);
    mlc_mistake(function, "the %s was erased: '%s' at %s", what, guard->name,
                mlc_buf_c_str(&place));
}

#endif
