// memo.h -- private: a map from strings to pointers that never change, for names that come again
// and again: what was asked for lately is found without a call, most names by two words.
#ifndef MLC_IR_MEMO_H
#define MLC_IR_MEMO_H

#include "mlc/support/alloc.h"
#include "mlc/support/map.h"

typedef struct MlcMemoEntry {
    uint64_t head, tail; // the ends of the key, with overlap: all of it up to 16 bytes
    MlcStr key;          // empty: free
    const void *value;
} MlcMemoEntry;

typedef struct MlcMemo {
    MlcStrMap map;
    MlcMemoEntry *recent; // 1 << bits of them; NULL until something is known
    unsigned bits;
} MlcMemo;

static inline void
mlc_memo_init(MlcMemo *memo, unsigned bits)
{
    mlc_str_map_init(&memo->map, NULL); // keys are borrowed
    memo->recent = NULL;
    memo->bits = bits;
}

static inline void
mlc_memo_release(MlcMemo *memo)
{
    mlc_str_map_release(&memo->map);
    mlc_free(memo->recent);
}

// Up to 16 bytes are all in these two words.
static inline void
mlc_memo_ends(MlcStr key, uint64_t *head, uint64_t *tail)
{
    const unsigned char *text = (const unsigned char *)key.data;
    *head = *tail = 0;
    if (key.size >= 8) {
        memcpy(head, text, 8);
        memcpy(tail, text + key.size - 8, 8);
    } else if (key.size >= 4) {
        memcpy(head, text, 4);
        memcpy(tail, text + key.size - 4, 4);
    } else if (key.size) {
        *head = text[0] | (uint64_t)text[key.size / 2] << 8 | (uint64_t)text[key.size - 1] << 16;
    }
}

static inline MlcMemoEntry *
mlc_memo_place_(const MlcMemo *memo, MlcStr key, uint64_t *head, uint64_t *tail)
{
    mlc_memo_ends(key, head, tail);
    uint64_t hash =
        (*head ^ (*tail + key.size) * UINT64_C(0xE7037ED1A0B428DB)) * UINT64_C(0x9E3779B97F4A7C15);
    return &memo->recent[hash >> (64 - memo->bits)];
}

// parse_text.c: what was not asked for lately.
void *mlc_memo_find(MlcMemo *memo, MlcStr key, MlcMemoEntry *entry);

// NULL: not known.
static inline __attribute__((always_inline)) void *
mlc_memo_get(MlcMemo *memo, MlcStr key)
{
    if (!memo->recent || !key.size)
        return NULL;
    uint64_t head, tail;
    MlcMemoEntry *entry = mlc_memo_place_(memo, key, &head, &tail);
    if (entry->head == head && entry->tail == tail && entry->key.size == key.size &&
        (key.size <= 16 || memcmp(entry->key.data, key.data, key.size) == 0))
        return (void *)(uintptr_t)entry->value;
    return mlc_memo_find(memo, key, entry);
}

// Of a key that is not known; the key stays where it is.
static inline void
mlc_memo_set(MlcMemo *memo, MlcStr key, const void *value)
{
    if (!memo->recent)
        memo->recent = mlc_calloc((size_t)1 << memo->bits, sizeof *memo->recent);
    mlc_str_map_set(&memo->map, key, value);
}

#endif
