// map.h -- hash maps whose iteration follows insertion order.
//
// Entries stand in one array in the order in which their keys came; an open-addressing index of
// 32-bit entry numbers finds them. So output that comes from a walk over a map is the same in every
// run, whatever the addresses were. An erased entry stays as a hole until the next growth; holes at
// the end go at once, so a map also serves as a stack of unique things. Erasing while iterating is
// allowed, setting a new key is not. A zeroed map is a valid empty map.
//
// Ownership: the struct is the caller's to release; keys and values are borrowed, unless an arena
// takes copies of the keys.
// Threads: several may look while nobody changes it.
#ifndef MLC_SUPPORT_MAP_H
#define MLC_SUPPORT_MAP_H

#include "mlc/support/arena.h"
#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcMapEntry {
    uint64_t key;
    uint64_t value;
    uint32_t hash;
    bool live;
} MlcMapEntry;

// From 64-bit words or pointers to 64-bit words or pointers.
typedef struct MlcMap {
    MlcMapEntry *entries;
    uint32_t *index;    // entry number + 1, 0 for a free slot, UINT32_MAX where an entry was erased
    uint32_t num_slots; // of `index`: a power of two, or 0
    uint32_t num_used;  // slots that are not free
    uint32_t num_entries; // holes included
    uint32_t size;        // live entries
} MlcMap;

// Empty; takes no memory yet. A zeroed map is one, too. Release leaves it empty.
MLC_API void mlc_map_init(MlcMap *map);
MLC_API void mlc_map_release(MlcMap *map);
MLC_API void mlc_map_clear(MlcMap *map); // keeps the memory
// Makes room, so that as many keys go in without moving the table.
MLC_API void mlc_map_reserve(MlcMap *map, size_t num_keys);

// The entry of `key`, or NULL. Entries move when a new key is set.
MLC_API MLC_NODISCARD MlcMapEntry *mlc_map_find(const MlcMap *map, uint64_t key);

// The entry of `key`, made with value 0 when there is none; *inserted (may be NULL) says whether it
// is new.
MLC_API MlcMapEntry *mlc_map_insert(MlcMap *map, uint64_t key, bool *inserted);
MLC_API bool mlc_map_erase_u64(MlcMap *map, uint64_t key); // false: there was none

// How many keys there are.
static inline size_t
mlc_map_size(const MlcMap *map)
{
    return map->size;
}

// False, `*value` as it was: the key is not there.
static inline bool
mlc_map_get_u64(const MlcMap *map, uint64_t key, uint64_t *value)
{
    const MlcMapEntry *entry = mlc_map_find(map, key);
    if (entry)
        *value = entry->value;
    return entry != NULL;
}

// Adds the key, or replaces its value.
static inline void
mlc_map_set_u64(MlcMap *map, uint64_t key, uint64_t value)
{
    mlc_map_insert(map, key, NULL)->value = value;
}

// Whether the key is there.
static inline bool
mlc_map_has_u64(const MlcMap *map, uint64_t key)
{
    return mlc_map_find(map, key) != NULL;
}

// The value of pointer `key`, or NULL.
static inline void *
mlc_map_get(const MlcMap *map, const void *key)
{
    const MlcMapEntry *entry = mlc_map_find(map, (uint64_t)(uintptr_t)key);
    return entry ? (void *)(uintptr_t)entry->value : NULL;
}

// The same with pointers as keys and values; NULL is no key.
static inline void
mlc_map_set(MlcMap *map, const void *key, const void *value)
{
    mlc_map_insert(map, (uint64_t)(uintptr_t)key, NULL)->value = (uint64_t)(uintptr_t)value;
}

// Whether the key is there.
static inline bool
mlc_map_has(const MlcMap *map, const void *key)
{
    return mlc_map_find(map, (uint64_t)(uintptr_t)key) != NULL;
}

// Adds `key` to a map used as a set; false: it was there.
static inline bool
mlc_map_add(MlcMap *map, const void *key)
{
    bool inserted;
    mlc_map_insert(map, (uint64_t)(uintptr_t)key, &inserted);
    return inserted;
}

// False: it was not there.
static inline bool
mlc_map_erase(MlcMap *map, const void *key)
{
    return mlc_map_erase_u64(map, (uint64_t)(uintptr_t)key);
}

// Of an entry that MLC_MAP_FOR_EACH gives.
static inline void *
mlc_map_entry_key(const MlcMapEntry *entry)
{
    return (void *)(uintptr_t)entry->key;
}

// The value of such an entry.
static inline void *
mlc_map_entry_value(const MlcMapEntry *entry)
{
    return (void *)(uintptr_t)entry->value;
}

// for each live entry, oldest first: MLC_MAP_FOR_EACH(entry, &map) use(entry->key, entry->value);
#define MLC_MAP_FOR_EACH(entry, map)                                                               \
    for (MlcMapEntry *entry = (map)->entries;                                                      \
         (size_t)(entry - (map)->entries) < (map)->num_entries; entry++)                           \
        if (!entry->live)                                                                          \
            continue;                                                                              \
        else

typedef struct MlcStrMapEntry {
    MlcStr key;
    uint64_t value;
    uint32_t hash;
    bool live;
} MlcStrMapEntry;

// From strings to 64-bit words or pointers.
typedef struct MlcStrMap {
    MlcStrMapEntry *entries;
    uint32_t *index;
    uint32_t num_slots;
    uint32_t num_used;
    uint32_t num_entries;
    uint32_t size;
    MlcArena *key_arena;
} MlcStrMap;

// Keys are copied into `key_arena` (NUL-terminated), or borrowed for the map's life when it is
// NULL.
MLC_API void mlc_str_map_init(MlcStrMap *map, MlcArena *key_arena);
MLC_API void mlc_str_map_release(MlcStrMap *map); // not the arena
MLC_API void mlc_str_map_clear(MlcStrMap *map);

// NULL: the key is not there. The entry stays where it is until the map changes.
MLC_API MLC_NODISCARD MlcStrMapEntry *mlc_str_map_find(const MlcStrMap *map, MlcStr key);
// The entry of the key, made with the value 0 if it was not there: `*inserted` (may be NULL) then
// becomes true.
MLC_API MlcStrMapEntry *mlc_str_map_insert(MlcStrMap *map, MlcStr key, bool *inserted);
// False: it was not there.
MLC_API bool mlc_str_map_erase(MlcStrMap *map, MlcStr key);

// How many keys there are; whether one is there.
static inline size_t
mlc_str_map_size(const MlcStrMap *map)
{
    return map->size;
}

// Whether the key is there.
static inline bool
mlc_str_map_has(const MlcStrMap *map, MlcStr key)
{
    return mlc_str_map_find(map, key) != NULL;
}

// The value as a pointer; NULL: the key is not there.
static inline void *
mlc_str_map_get(const MlcStrMap *map, MlcStr key)
{
    const MlcStrMapEntry *entry = mlc_str_map_find(map, key);
    return entry ? (void *)(uintptr_t)entry->value : NULL;
}

// Adds the key, or replaces its value.
static inline void
mlc_str_map_set(MlcStrMap *map, MlcStr key, const void *value)
{
    mlc_str_map_insert(map, key, NULL)->value = (uint64_t)(uintptr_t)value;
}

// The same with numbers; false, `*value` as it was: the key is not there.
static inline bool
mlc_str_map_get_u64(const MlcStrMap *map, MlcStr key, uint64_t *value)
{
    const MlcStrMapEntry *entry = mlc_str_map_find(map, key);
    if (entry)
        *value = entry->value;
    return entry != NULL;
}

// Adds the key, or replaces its number.
static inline void
mlc_str_map_set_u64(MlcStrMap *map, MlcStr key, uint64_t value)
{
    mlc_str_map_insert(map, key, NULL)->value = value;
}

#define MLC_STR_MAP_FOR_EACH(entry, map)                                                           \
    for (MlcStrMapEntry *entry = (map)->entries;                                                   \
         (size_t)(entry - (map)->entries) < (map)->num_entries; entry++)                           \
        if (!entry->live)                                                                          \
            continue;                                                                              \
        else

MLC_END_DECLS

#endif
