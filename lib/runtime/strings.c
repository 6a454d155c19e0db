// strings.c -- strings by numbers: hash tables, and memory that a run fills and the next one reuses
// (texts.h).
#include "texts.h"

#include "mlc/runtime/artefact.h"
#include "mlc/support/regex.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 1 << 16, FEWEST_SLOTS = 64 };

typedef struct MlcRtChunk {
    struct MlcRtChunk *next;
    size_t size, used;
    char bytes[];
} MlcRtChunk;

void
mlc_rt_strings_release(MlcRtStrings *s)
{
    for (MlcRtChunk *chunk = s->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(s->all);
    free(s->slots);
    *s = (MlcRtStrings){0};
}

void
mlc_rt_strings_clear(MlcRtStrings *s)
{
    MlcRtChunk *kept = s->chunks;
    for (MlcRtChunk *chunk = kept ? kept->next : NULL, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    if (kept) {
        kept->next = NULL;
        kept->used = 0;
    }
    if (s->slots)
        memset(s->slots, 0, s->num_slots * sizeof *s->slots);
    s->count = 0;
}

// A copy with a NUL behind it.
static const char *
keep_bytes(MlcRtStrings *s, MlcRtString string)
{
    size_t size = string.size + 1;
    if (size == 0)
        return NULL;
    if (!s->chunks || s->chunks->size - s->chunks->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        MlcRtChunk *chunk = room < SIZE_MAX - sizeof *chunk ? malloc(sizeof *chunk + room) : NULL;
        if (!chunk)
            return NULL;
        *chunk = (MlcRtChunk){.next = s->chunks, .size = room};
        s->chunks = chunk;
    }
    char *to = s->chunks->bytes + s->chunks->used;
    if (string.size)
        memcpy(to, string.data, string.size);
    to[string.size] = '\0';
    s->chunks->used += size;
    return to;
}

// The slot of a string, or the free one where it belongs.
static size_t
find_slot(const MlcRtStrings *s, MlcRtString string)
{
    size_t at = mlc_artefact_hash(string.data, string.size) & (s->num_slots - 1);
    for (; s->slots[at]; at = (at + 1) & (s->num_slots - 1)) {
        MlcRtString there = s->all[s->slots[at] - 1];
        if (there.size == string.size &&
            (string.size == 0 || memcmp(there.data, string.data, string.size) == 0))
            break;
    }
    return at;
}

// At most half of the slots are taken.
static bool
make_room(MlcRtStrings *s)
{
    if (s->count == s->room) {
        int64_t room = s->room ? 2 * s->room : FEWEST_SLOTS / 2;
        MlcRtString *all = realloc(s->all, (size_t)room * sizeof *all);
        if (!all)
            return false;
        s->all = all;
        s->room = room;
    }
    if ((size_t)s->count < s->num_slots / 2)
        return true;
    size_t num_slots = s->num_slots ? 2 * s->num_slots : FEWEST_SLOTS;
    int64_t *slots = calloc(num_slots, sizeof *slots);
    if (!slots)
        return false;
    free(s->slots);
    s->slots = slots;
    s->num_slots = num_slots;
    for (int64_t i = 0; i < s->count; i++)
        s->slots[find_slot(s, s->all[i])] = i + 1;
    return true;
}

int64_t
mlc_rt_strings_find(const MlcRtStrings *s, MlcRtString string)
{
    int64_t found = s->num_slots ? s->slots[find_slot(s, string)] : 0;
    return found ? s->first + found - 1 : -1;
}

int64_t
mlc_rt_strings_add(MlcRtStrings *s, MlcRtString string, bool copy)
{
    int64_t found = mlc_rt_strings_find(s, string);
    if (found >= 0)
        return found;
    if (!make_room(s) || (copy && !(string.data = keep_bytes(s, string))))
        return -1;
    s->slots[find_slot(s, string)] = s->count + 1;
    s->all[s->count] = string;
    return s->first + s->count++;
}

void
mlc_rt_texts_clear(MlcRtTexts *t)
{
    mlc_rt_strings_clear(&t->own);
    t->walk = (MlcRtWalk){0};
}

int64_t
mlc_rt_text_number(MlcRtTexts *t, MlcRtString string)
{
    int64_t number = mlc_rt_strings_find(t->literals, string);
    return number >= 0 ? number : mlc_rt_strings_add(&t->own, string, true);
}

MlcRtString
mlc_rt_text_string(const MlcRtTexts *t, int64_t number)
{
    if (number >= 0 && number < t->literals->count)
        return t->literals->all[number];
    if (number >= t->own.first && number - t->own.first < t->own.count)
        return t->own.all[number - t->own.first];
    return (MlcRtString){"", 0};
}

bool
mlc_rt_text_is_valid(MlcRtString string, size_t *at)
{
    const char *p = string.data, *end = string.data + string.size;
    uint32_t character;
    while (p < end) {
        *at = (size_t)(p - string.data);
        if (!mlc_utf8_next(&p, end, &character))
            return false;
    }
    return true;
}
