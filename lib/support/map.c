// map.c -- entries in insertion order and an open-addressing index over them.
//
// MlcMap and MlcStrMap differ in their keys only. Their structs agree in everything but the
// entries, so the index (slots holding entry number + 1, linear probing, at most three quarters
// used) is written once, over a small view of both.
#include "mlc/support/map.h"

#include "mlc/support/alloc.h"
#include "mlc/support/hash.h"

#define ERASED UINT32_MAX
#define FIRST_SLOTS 8u
#define MOST_ENTRIES (UINT32_C(1) << 30)

static uint32_t
short_hash(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t
slots_for(uint64_t num_keys)
{
    if (num_keys > MOST_ENTRIES)
        mlc_out_of_memory(SIZE_MAX);
    uint64_t slots = FIRST_SLOTS;
    while (slots / 4 * 3 < num_keys)
        slots *= 2;
    return (uint32_t)slots;
}

static void
put_in_index(uint32_t *index, uint32_t num_slots, uint32_t hash, uint32_t entry)
{
    uint32_t slot = hash & (num_slots - 1);
    while (index[slot] != 0)
        slot = (slot + 1) & (num_slots - 1);
    index[slot] = entry + 1;
}

// The functions below are the same for both kinds of map; `same` is an expression over `entry`.
#define FIND_SLOT(map, hash_value, same, result)                                                   \
    do {                                                                                           \
        (result) = UINT32_MAX;                                                                     \
        if ((map)->num_slots == 0)                                                                 \
            break;                                                                                 \
        uint32_t mask_ = (map)->num_slots - 1;                                                     \
        for (uint32_t slot_ = (hash_value) & mask_; (map)->index[slot_] != 0;                      \
             slot_ = (slot_ + 1) & mask_) {                                                        \
            if ((map)->index[slot_] == ERASED)                                                     \
                continue;                                                                          \
            __typeof__((map)->entries) entry = &(map)->entries[(map)->index[slot_] - 1];           \
            if (entry->hash == (hash_value) && (same)) {                                           \
                (result) = slot_;                                                                  \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
    } while (0)

// Makes room for `num_keys` live entries in all: squeezes the holes out and builds the index anew.
#define REBUILD(map, num_keys)                                                                     \
    do {                                                                                           \
        uint32_t slots_ = slots_for(num_keys);                                                     \
        size_t room_ = slots_ / 4 * 3;                                                             \
        __typeof__((map)->entries) entries_ = mlc_malloc(room_ * sizeof *entries_);                \
        uint32_t *index_ = mlc_calloc(slots_, sizeof *index_);                                     \
        uint32_t count_ = 0;                                                                       \
        for (uint32_t i_ = 0; i_ < (map)->num_entries; i_++) {                                     \
            if (!(map)->entries[i_].live)                                                          \
                continue;                                                                          \
            put_in_index(index_, slots_, (map)->entries[i_].hash, count_);                         \
            entries_[count_++] = (map)->entries[i_];                                               \
        }                                                                                          \
        mlc_free((map)->entries);                                                                  \
        mlc_free((map)->index);                                                                    \
        (map)->entries = entries_;                                                                 \
        (map)->index = index_;                                                                     \
        (map)->num_slots = slots_;                                                                 \
        (map)->num_used = (map)->num_entries = count_;                                             \
    } while (0)

// Both the used slots and the entries (holes included) stay within three quarters of the slots.
#define MAKE_ROOM_FOR_ONE(map)                                                                     \
    do {                                                                                           \
        uint32_t room_ = (map)->num_slots / 4 * 3;                                                 \
        if ((map)->num_used >= room_ || (map)->num_entries >= room_)                               \
            REBUILD(map, (map)->size < room_ / 2 ? (uint64_t)room_ : (uint64_t)room_ + 1);         \
    } while (0)

#define ERASE_SLOT(map, slot)                                                                      \
    do {                                                                                           \
        (map)->entries[(map)->index[slot] - 1].live = false;                                       \
        (map)->index[slot] = ERASED;                                                               \
        --(map)->size;                                                                             \
        while ((map)->num_entries > 0 && !(map)->entries[(map)->num_entries - 1].live)             \
            --(map)->num_entries;                                                                  \
    } while (0)

void
mlc_map_init(MlcMap *map)
{
    memset(map, 0, sizeof *map);
}

void
mlc_map_release(MlcMap *map)
{
    mlc_free(map->entries);
    mlc_free(map->index);
    mlc_map_init(map);
}

void
mlc_map_clear(MlcMap *map)
{
    if (map->num_slots)
        memset(map->index, 0, map->num_slots * sizeof *map->index);
    map->num_used = map->num_entries = map->size = 0;
}

void
mlc_map_reserve(MlcMap *map, size_t num_keys)
{
    if (num_keys > map->num_slots / 4 * 3)
        REBUILD(map, num_keys);
}

MlcMapEntry *
mlc_map_find(const MlcMap *map, uint64_t key)
{
    uint32_t hash = short_hash(mlc_hash_u64(key)), slot;
    FIND_SLOT(map, hash, entry->key == key, slot);
    return slot == UINT32_MAX ? NULL : &map->entries[map->index[slot] - 1];
}

MlcMapEntry *
mlc_map_insert(MlcMap *map, uint64_t key, bool *inserted)
{
    MlcMapEntry *entry = mlc_map_find(map, key);
    if (inserted)
        *inserted = !entry;
    if (entry)
        return entry;
    MAKE_ROOM_FOR_ONE(map);
    uint32_t hash = short_hash(mlc_hash_u64(key));
    put_in_index(map->index, map->num_slots, hash, map->num_entries);
    entry = &map->entries[map->num_entries++];
    *entry = (MlcMapEntry){.key = key, .hash = hash, .live = true};
    map->num_used++;
    map->size++;
    return entry;
}

bool
mlc_map_erase_u64(MlcMap *map, uint64_t key)
{
    uint32_t hash = short_hash(mlc_hash_u64(key)), slot;
    FIND_SLOT(map, hash, entry->key == key, slot);
    if (slot == UINT32_MAX)
        return false;
    ERASE_SLOT(map, slot);
    return true;
}

// Most keys are short, and a call costs more than to compare them: both ends, with overlap.
static inline bool
is_key(MlcStr a, MlcStr b)
{
    if (a.size != b.size)
        return false;
    if (a.size >= 8 && a.size <= 16) {
        uint64_t words[4];
        memcpy(&words[0], a.data, 8);
        memcpy(&words[1], b.data, 8);
        memcpy(&words[2], a.data + a.size - 8, 8);
        memcpy(&words[3], b.data + a.size - 8, 8);
        return ((words[0] ^ words[1]) | (words[2] ^ words[3])) == 0;
    }
    if (a.size >= 4 && a.size < 8) {
        uint32_t words[4];
        memcpy(&words[0], a.data, 4);
        memcpy(&words[1], b.data, 4);
        memcpy(&words[2], a.data + a.size - 4, 4);
        memcpy(&words[3], b.data + a.size - 4, 4);
        return ((words[0] ^ words[1]) | (words[2] ^ words[3])) == 0;
    }
    return mlc_str_equal(a, b);
}

void
mlc_str_map_init(MlcStrMap *map, MlcArena *key_arena)
{
    memset(map, 0, sizeof *map);
    map->key_arena = key_arena;
}

void
mlc_str_map_release(MlcStrMap *map)
{
    mlc_free(map->entries);
    mlc_free(map->index);
    mlc_str_map_init(map, map->key_arena);
}

void
mlc_str_map_clear(MlcStrMap *map)
{
    if (map->num_slots)
        memset(map->index, 0, map->num_slots * sizeof *map->index);
    map->num_used = map->num_entries = map->size = 0;
}

MlcStrMapEntry *
mlc_str_map_find(const MlcStrMap *map, MlcStr key)
{
    uint32_t hash = short_hash(mlc_hash_str(key)), slot;
    FIND_SLOT(map, hash, is_key(entry->key, key), slot);
    return slot == UINT32_MAX ? NULL : &map->entries[map->index[slot] - 1];
}

MlcStrMapEntry *
mlc_str_map_insert(MlcStrMap *map, MlcStr key, bool *inserted)
{
    MlcStrMapEntry *entry = mlc_str_map_find(map, key);
    if (inserted)
        *inserted = !entry;
    if (entry)
        return entry;
    MAKE_ROOM_FOR_ONE(map);
    uint32_t hash = short_hash(mlc_hash_str(key));
    put_in_index(map->index, map->num_slots, hash, map->num_entries);
    entry = &map->entries[map->num_entries++];
    *entry = (MlcStrMapEntry){
        .key = map->key_arena ? mlc_arena_strdup(map->key_arena, key) : key,
        .hash = hash,
        .live = true,
    };
    map->num_used++;
    map->size++;
    return entry;
}

bool
mlc_str_map_erase(MlcStrMap *map, MlcStr key)
{
    uint32_t hash = short_hash(mlc_hash_str(key)), slot;
    FIND_SLOT(map, hash, is_key(entry->key, key), slot);
    if (slot == UINT32_MAX)
        return false;
    ERASE_SLOT(map, slot);
    return true;
}
