// alloc.c -- malloc whose failure is handled in one place.
#include "mlc/support/alloc.h"

#include <stdio.h>
#include <stdlib.h>

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

void *
mlc_malloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        mlc_out_of_memory(size);
    return memory;
}

void *
mlc_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!mlc_mul_size(count, size, &bytes))
        mlc_out_of_memory(SIZE_MAX);
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        mlc_out_of_memory(bytes);
    return memory;
}

void *
mlc_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        mlc_out_of_memory(size);
    return memory;
}

void
mlc_free(void *memory)
{
    free(memory);
}
