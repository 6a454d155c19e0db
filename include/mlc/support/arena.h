// arena.h -- memory that is given back all at once.
//
// Objects are bumped off chunks of growing size; an object too big for a chunk gets one of its own.
// Nothing is freed alone and no destructor runs. A zeroed MlcArena is a valid empty arena.
//
// Ownership: the arena owns what is allocated from it; the struct is the caller's to release.
// Threads: an arena belongs to one at a time.
#ifndef MLC_SUPPORT_ARENA_H
#define MLC_SUPPORT_ARENA_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcArenaChunk MlcArenaChunk;

typedef struct MlcArena {
    char *at;              // next free byte of the current chunk
    char *end;             // one past its last byte
    MlcArenaChunk *chunks; // the current one first, then full and big ones
    size_t next_chunk;     // bytes of the next chunk
    size_t num_bytes;      // bytes of all chunks, for statistics and limits
} MlcArena;

// Empty; takes no memory yet.
MLC_API void mlc_arena_init(MlcArena *arena);

// Gives everything back; the arena is empty and usable afterwards.
MLC_API void mlc_arena_release(MlcArena *arena);

// Forgets all objects but keeps the current chunk for the next ones.
MLC_API void mlc_arena_reset(MlcArena *arena);

// The slow half of mlc_arena_alloc: needs a new chunk.
MLC_API MLC_NODISCARD void *mlc_arena_alloc_slow(MlcArena *arena, size_t size, size_t align);

// `size` bytes, uninitialised; `align` is a power of two.
MLC_NODISCARD static inline void *
mlc_arena_alloc(MlcArena *arena, size_t size, size_t align)
{
    uintptr_t at = ((uintptr_t)arena->at + (align - 1)) & ~(uintptr_t)(align - 1);
    uintptr_t end = (uintptr_t)arena->end;
    if (arena->at && at <= end && size <= end - at) {
        arena->at = (char *)(at + size);
        return (void *)at;
    }
    return mlc_arena_alloc_slow(arena, size, align);
}

MLC_NODISCARD static inline void *
mlc_arena_alloc_zeroed(MlcArena *arena, size_t size, size_t align)
{
    return memset(mlc_arena_alloc(arena, size, align), 0, size);
}

// `count` objects of `size` bytes, zeroed. A product that overflows is out of memory.
MLC_API MLC_NODISCARD void *mlc_arena_alloc_array(MlcArena *arena, size_t count, size_t size,
                                                  size_t align);

// A copy with a NUL behind it, so that `.data` is a C string too.
MLC_API MLC_NODISCARD MlcStr mlc_arena_strdup(MlcArena *arena, MlcStr s);

// A copy of `size` bytes.
MLC_API MLC_NODISCARD void *mlc_arena_memdup(MlcArena *arena, const void *data, size_t size,
                                             size_t align);

// Text in the arena, NUL-terminated.
MLC_API MLC_NODISCARD MlcStr mlc_arena_printf(MlcArena *arena, const char *format, ...)
    MLC_PRINTF(2, 3);

#ifdef __cplusplus
#define MLC_ALIGNOF(T) alignof(T)
#else
#define MLC_ALIGNOF(T) _Alignof(T)
#endif

// Zeroed objects of type T.
#define MLC_NEW(arena, T) ((T *)mlc_arena_alloc_zeroed((arena), sizeof(T), MLC_ALIGNOF(T)))
#define MLC_NEW_ARRAY(arena, T, n)                                                                 \
    ((T *)mlc_arena_alloc_array((arena), (n), sizeof(T), MLC_ALIGNOF(T)))

MLC_END_DECLS

#endif
