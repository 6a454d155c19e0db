// arena.c -- chunks that grow from a page to a megabyte, and big objects beside them.
//
// The chunk being bumped is always the head of the list; a big object's chunk is linked behind the
// head, so that it does not end the current chunk early.
#include "mlc/support/arena.h"

#include <stdarg.h>
#include <stdio.h>

#include "mlc/support/alloc.h"

#define FIRST_CHUNK ((size_t)4 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)

struct MlcArenaChunk {
    MlcArenaChunk *next;
    size_t size; // bytes behind the header
};

#define HEADER ((sizeof(MlcArenaChunk) + 15) & ~(size_t)15)

static char *
chunk_data(MlcArenaChunk *chunk)
{
    return (char *)chunk + HEADER;
}

static MlcArenaChunk *
new_chunk(MlcArena *arena, size_t size)
{
    size_t total;
    if (!mlc_add_size(size, HEADER, &total))
        mlc_out_of_memory(SIZE_MAX);
    MlcArenaChunk *chunk = mlc_malloc(total);
    chunk->next = NULL;
    chunk->size = size;
    arena->num_bytes += total;
    return chunk;
}

static void
push_current(MlcArena *arena, size_t size)
{
    MlcArenaChunk *chunk = new_chunk(arena, size);
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->at = chunk_data(chunk);
    arena->end = arena->at + size;
}

void
mlc_arena_init(MlcArena *arena)
{
    memset(arena, 0, sizeof *arena);
}

void
mlc_arena_release(MlcArena *arena)
{
    for (MlcArenaChunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        mlc_free(chunk);
    }
    mlc_arena_init(arena);
}

void
mlc_arena_reset(MlcArena *arena)
{
    MlcArenaChunk *kept = arena->chunks;
    if (!kept || !arena->at) {
        mlc_arena_release(arena);
        return;
    }
    for (MlcArenaChunk *chunk = kept->next, *next; chunk; chunk = next) {
        next = chunk->next;
        mlc_free(chunk);
    }
    kept->next = NULL;
    arena->at = chunk_data(kept);
    arena->num_bytes = kept->size + HEADER;
}

void *
mlc_arena_alloc_slow(MlcArena *arena, size_t size, size_t align)
{
    size_t padded;
    if (!mlc_add_size(size, align, &padded))
        mlc_out_of_memory(SIZE_MAX);
    size_t chunk_size = arena->next_chunk ? arena->next_chunk : FIRST_CHUNK;
    if (padded > chunk_size / 4 && arena->chunks) {
        MlcArenaChunk *big = new_chunk(arena, padded);
        big->next = arena->chunks->next;
        arena->chunks->next = big;
        return (void *)(((uintptr_t)chunk_data(big) + (align - 1)) & ~(uintptr_t)(align - 1));
    }
    push_current(arena, padded > chunk_size ? padded : chunk_size);
    arena->next_chunk = chunk_size < LARGEST_CHUNK ? chunk_size * 2 : LARGEST_CHUNK;
    return mlc_arena_alloc(arena, size, align);
}

void *
mlc_arena_alloc_array(MlcArena *arena, size_t count, size_t size, size_t align)
{
    size_t bytes;
    if (!mlc_mul_size(count, size, &bytes))
        mlc_out_of_memory(SIZE_MAX);
    return mlc_arena_alloc_zeroed(arena, bytes, align);
}

void *
mlc_arena_memdup(MlcArena *arena, const void *data, size_t size, size_t align)
{
    void *copy = mlc_arena_alloc(arena, size, align);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

MlcStr
mlc_arena_strdup(MlcArena *arena, MlcStr s)
{
    size_t total;
    if (!mlc_add_size(s.size, 1, &total))
        mlc_out_of_memory(SIZE_MAX);
    char *copy = mlc_arena_alloc(arena, total, 1);
    if (s.size)
        memcpy(copy, s.data, s.size);
    copy[s.size] = '\0';
    return mlc_str_n(copy, s.size);
}

MlcStr
mlc_arena_printf(MlcArena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        mlc_bug("bad format '%s'", format);
    char *text = mlc_arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return mlc_str_n(text, (size_t)length);
}
