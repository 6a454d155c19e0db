// alloc.c -- malloc whose failure is handled in one place.
//
// Under a quota each block is counted as what malloc says that it holds, so that giving it back
// counts the same; what is large is asked for before.
#include "mlc/support/alloc.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "quota_here.h"

#define LARGE ((size_t)1 << 16)

static void
report_and_abort(size_t size, void *user)
{
    (void)user;
    if (size == SIZE_MAX)
        fputs("mlc: out of memory: a size overflowed\n", stderr);
    else
        fprintf(stderr, "mlc: out of memory: %zu bytes could not be had\n", size);
    abort();
}

static MlcOutOfMemoryFn out_of_memory_handler = report_and_abort;
static void *out_of_memory_user;

void
mlc_set_out_of_memory_handler(MlcOutOfMemoryFn handler, void *user)
{
    out_of_memory_handler = handler ? handler : report_and_abort;
    out_of_memory_user = user;
}

void
mlc_out_of_memory(size_t size)
{
    out_of_memory_handler(size, out_of_memory_user);
    abort(); // a handler that returned broke its promise
}

// --- under a quota, of this thread or another

static bool
is_counted(void)
{
    return __builtin_expect(__atomic_load_n(&mlc_num_quotas, __ATOMIC_RELAXED), 0);
}

static __attribute__((noinline)) void
ask(size_t size)
{
    mlc_quota_ask_memory(mlc_quota_here, size < LARGE ? 0 : size);
}

static __attribute__((noinline)) void
count(void *memory, int64_t sign)
{
    if (mlc_quota_here)
        mlc_quota_count_memory(mlc_quota_here, sign * (int64_t)malloc_usable_size(memory));
}

// What every allocation ends with.
static inline void *
given(void *memory, size_t size)
{
    if (!memory)
        mlc_out_of_memory(size);
    if (is_counted())
        count(memory, 1);
    return memory;
}

// --- malloc and its kin

void *
mlc_malloc(size_t size)
{
    if (is_counted())
        ask(size);
    return given(malloc(size ? size : 1), size);
}

void *
mlc_aligned_alloc(size_t alignment, size_t size)
{
    if (is_counted())
        ask(size);
    return given(aligned_alloc(alignment, size), size);
}

void *
mlc_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!mlc_mul_size(count, size, &bytes))
        mlc_out_of_memory(SIZE_MAX);
    if (is_counted())
        ask(bytes);
    return given(calloc(bytes ? bytes : 1, 1), bytes);
}

void *
mlc_realloc(void *old, size_t size)
{
    if (is_counted()) {
        count(old, -1);
        ask(size);
    }
    return given(realloc(old, size ? size : 1), size);
}

static __attribute__((noinline)) void
free_counted(void *memory)
{
    count(memory, -1);
    free(memory);
}

void
mlc_free(void *memory)
{
    if (is_counted())
        free_counted(memory);
    else
        free(memory);
}
