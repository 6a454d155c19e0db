// intern.c -- one hash table for everything uniqued, in 64 shards.
//
// A lookup that succeeds takes no lock: a table's slots are only ever set from NULL to a finished
// record (released, then acquired), and a grown table replaces the old one, which stays readable.
// Making a record locks its shard.
#include "context_impl.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"
#include "mlc/support/alloc.h"

// Word by word, so that how a key is cut into parts does not matter.
static uint64_t
hash_parts(MlcCategory category, unsigned kind, const MlcPart *parts, size_t num_parts)
{
    uint64_t hash = mlc_hash_u64((uint64_t)category << 8 | kind);
    for (size_t i = 0; i < num_parts; i++) {
        const char *at = parts[i].data;
        for (size_t left = parts[i].size; left > 0;) {
            uint64_t word = 0;
            size_t n = left < 8 ? left : 8;
            memcpy(&word, at, n);
            hash = mlc_hash_combine(hash, word);
            at += n;
            left -= n;
        }
    }
    return mlc_hash_u64(hash);
}

static bool
has_key(const MlcUniqued *record, const MlcPart *parts, size_t num_parts, size_t size)
{
    if (record->size != size)
        return false;
    const char *at = (const char *)record->words;
    for (size_t i = 0; i < num_parts; i++) {
        if (parts[i].size && memcmp(at, parts[i].data, parts[i].size) != 0)
            return false;
        at += parts[i].size;
    }
    return true;
}

static const MlcUniqued *
probe(MlcInternTable *table, uint32_t hash, unsigned tag, const MlcPart *parts, size_t num_parts,
      size_t size)
{
    uint32_t mask = table->num_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        const MlcUniqued *record = atomic_load_explicit(&table->slots[i], memory_order_acquire);
        if (!record)
            return NULL;
        if (record->hash == hash && (unsigned)(record->category << 8 | record->kind) == tag &&
            has_key(record, parts, num_parts, size))
            return record;
    }
}

static void
put(MlcInternTable *table, const MlcUniqued *record)
{
    uint32_t mask = table->num_slots - 1, i = record->hash & mask;
    while (atomic_load_explicit(&table->slots[i], memory_order_relaxed))
        i = (i + 1) & mask;
    atomic_store_explicit(&table->slots[i], record, memory_order_release);
}

static MlcInternTable *
grow(MlcShard *shard, MlcInternTable *old)
{
    uint32_t num_slots = old ? old->num_slots * 2 : 32;
    MlcInternTable *table =
        mlc_calloc(1, sizeof(MlcInternTable) + (size_t)num_slots * sizeof table->slots[0]);
    table->num_slots = num_slots;
    table->outgrown = old;
    for (uint32_t i = 0; old && i < old->num_slots; i++) {
        const MlcUniqued *record = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (record)
            put(table, record);
    }
    atomic_store_explicit(&shard->table, table, memory_order_release);
    return table;
}

static uint64_t
height_over(const uint64_t *words, size_t num_words, uint64_t height)
{
    for (size_t i = 0; i < num_words; i++) {
        const void *child = (const void *)(uintptr_t)words[i];
        if (child && mlc_height(child) + 1 > height)
            height = mlc_height(child) + 1;
    }
    return height;
}

// By the layouts of context_impl.h. Strings are nothing that one descends into.
static uint64_t
height_of_type(const MlcUniqued *type, size_t n)
{
    switch ((MlcTypeKind)type->kind) {
    case MLC_TYPE_COMPLEX:
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        return height_over(type->words + 2, n < 4 ? 0 : 2, height_over(type->words, 1, 0));
    case MLC_TYPE_FUNCTION:
    case MLC_TYPE_TUPLE:
    case MLC_TYPE_DIALECT:
        return height_over(type->words + 2, n - 2, 0);
    default:
        return 0;
    }
}

static uint64_t
height_of_attr(const MlcUniqued *attr, size_t n)
{
    uint64_t height = height_over(attr->words, 1, 0); // the type
    switch ((MlcAttrKind)attr->kind) {
    case MLC_ATTR_TYPE:
    case MLC_ATTR_LOC:
    case MLC_ATTR_DISTINCT:
    case MLC_ATTR_DENSE_ARRAY:
        return height_over(attr->words + 1, 1, height);
    case MLC_ATTR_SPARSE:
        return height_over(attr->words + 1, 2, height);
    case MLC_ATTR_ARRAY:
    case MLC_ATTR_DICT:
        return height_over(attr->words + 2, n - 2, height);
    case MLC_ATTR_DIALECT:
        return height_over(attr->words + 3, n - 3, height);
    default:
        return height;
    }
}

static uint64_t
height_of_loc(const MlcUniqued *loc, size_t n)
{
    switch ((MlcLocKind)loc->kind) {
    case MLC_LOC_NAME:
        return height_over(loc->words + 1, 1, 0);
    case MLC_LOC_CALLSITE:
        return height_over(loc->words, 2, 0);
    case MLC_LOC_FUSED:
        return height_over(loc->words + 2, n - 2, height_over(loc->words, 1, 0));
    default:
        return 0;
    }
}

static uint16_t
height_of(const MlcUniqued *record)
{
    size_t n = record->size / sizeof *record->words;
    uint64_t height = record->category == MLC_CATEGORY_TYPE   ? height_of_type(record, n)
                      : record->category == MLC_CATEGORY_ATTR ? height_of_attr(record, n)
                      : record->category == MLC_CATEGORY_LOC  ? height_of_loc(record, n)
                                                              : 0;
    return height < UINT16_MAX ? (uint16_t)height : UINT16_MAX;
}

static const MlcUniqued *
make(MlcContext *ctx, MlcShard *shard, uint32_t hash, unsigned tag, const MlcPart *parts,
     size_t num_parts, size_t size, size_t extra)
{
    size_t padded = (size + 7) & ~(size_t)7;
    MlcUniqued *record = mlc_arena_alloc(&shard->arena, sizeof *record + padded + extra, 8);
    record->hash = hash;
    record->category = (uint8_t)(tag >> 8);
    record->kind = (uint8_t)tag;
    record->ctx = ctx;
    record->size = size;
    char *at = (char *)record->words;
    for (size_t i = 0; i < num_parts; at += parts[i].size, i++)
        if (parts[i].size)
            memcpy(at, parts[i].data, parts[i].size);
    memset(at, 0, padded - size + extra);
    record->height = height_of(record);
    return record;
}

const void *
mlc_intern(MlcContext *ctx, MlcCategory category, unsigned kind, const MlcPart *parts,
           size_t num_parts, size_t extra)
{
    uint64_t hash64 = hash_parts(category, kind, parts, num_parts);
    uint32_t hash = (uint32_t)hash64;
    unsigned tag = (unsigned)category << 8 | kind;
    size_t size = 0;
    for (size_t i = 0; i < num_parts; i++)
        size += parts[i].size;
    MlcShard *shard = &ctx->shards[hash64 >> 58];

    MlcInternTable *table = atomic_load_explicit(&shard->table, memory_order_acquire);
    const MlcUniqued *found = table ? probe(table, hash, tag, parts, num_parts, size) : NULL;
    if (found)
        return found;

    pthread_mutex_lock(&shard->lock);
    table = atomic_load_explicit(&shard->table, memory_order_relaxed);
    found = table ? probe(table, hash, tag, parts, num_parts, size) : NULL;
    if (!found) {
        if (!table || (shard->num_used + 1) * 4 > table->num_slots * 3)
            table = grow(shard, table);
        found = make(ctx, shard, hash, tag, parts, num_parts, size, extra);
        put(table, found);
        shard->num_used++;
    }
    pthread_mutex_unlock(&shard->lock);
    return found;
}

const void *
mlc_intern_words(MlcContext *ctx, MlcCategory category, unsigned kind, const uint64_t *words,
                 size_t num_words)
{
    MlcPart part = {words, num_words * sizeof *words};
    return mlc_intern(ctx, category, kind, &part, 1, 0);
}
