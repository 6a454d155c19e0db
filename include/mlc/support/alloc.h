// alloc.h -- heap allocation that does not fail, and overflow-checked sizes.
//
// Nobody checks for NULL: when memory runs out the handler is called, and it does not return (the
// default prints a message and aborts; a library user may longjmp out or end the process in another
// way).
//
// Ownership: what is allocated here is freed here, by whoever holds it.
// Threads: any; the handler is set before there are others.
#ifndef MLC_SUPPORT_ALLOC_H
#define MLC_SUPPORT_ALLOC_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// Called when `size` bytes cannot be had (SIZE_MAX: the size itself overflowed). Must not return.
typedef void (*MlcOutOfMemoryFn)(size_t size, void *user);

// Sets the handler of the whole process (NULL: the default). Call it before threads start.
MLC_API void mlc_set_out_of_memory_handler(MlcOutOfMemoryFn handler, void *user);
// Calls the handler; `size`: bytes that were asked for.
MLC_API MLC_NORETURN void mlc_out_of_memory(size_t size);

// As in libc but never NULL; a size of 0 gives a pointer that may be freed and not read.
MLC_API MLC_NODISCARD void *mlc_malloc(size_t size);
// As C's, of memory that mlc_free takes; they do not return where there is none. A size of 0 gives
// memory, too.
MLC_API MLC_NODISCARD void *mlc_calloc(size_t count, size_t size);
// As C's, of memory that mlc_free takes; `old` may be NULL.
MLC_API MLC_NODISCARD void *mlc_realloc(void *old, size_t size);
// As C11's, likewise: `alignment` is a power of two and divides `size`.
MLC_API MLC_NODISCARD void *mlc_aligned_alloc(size_t alignment, size_t size);
// NULL: nothing.
MLC_API void mlc_free(void *memory);

// Memory of compiled code (MLC_RT_IMPORTS), at a multiple of `alignment`, a power of two, and of 64
// bytes. Where there is none, or for less than 0 bytes, a message ends the process.
MLC_API MLC_NODISCARD void *mlc_code_alloc(int64_t size, int64_t alignment);
// NULL: nothing.
MLC_API void mlc_code_free(void *memory);

// *out = a * b, or false (and *out unspecified) when that overflows: for all sizes from users.
MLC_NODISCARD static inline bool
mlc_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

MLC_NODISCARD static inline bool
mlc_add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

MLC_END_DECLS

#endif
