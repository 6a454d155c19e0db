// code_memory.c -- memory that compiled code asks for: a file of its own, as the runtime has it
// without the compiler's allocator and its quotas.
#include "mlc/support/alloc.h"

#include <stdio.h>
#include <stdlib.h>

void *
mlc_code_alloc(int64_t size, int64_t alignment)
{
    enum { LEAST = 64 };
    size_t align = alignment > LEAST ? (size_t)alignment : LEAST, bytes;
    bool fits = size >= 0 && mlc_add_size((size_t)size, align, &bytes);
    void *memory = fits ? aligned_alloc(align, bytes / align * align) : NULL;
    if (!memory) {
        fprintf(stderr, "mlc: out of memory: a model asked for %lld bytes\n", (long long)size);
        abort();
    }
    return memory;
}

void
mlc_code_free(void *memory)
{
    free(memory);
}
