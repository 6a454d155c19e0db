// context.c -- owns what is uniqued; finds dialects and their definitions; limits.
//
// Registering a dialect stores a pointer. An op is found by its dialect's name and then by
// bisection of the dialect's table, which the generator and the loader sort by name; a table that
// is not sorted is hashed when it is first asked.
#include "context_impl.h"

#include "check.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"

const MlcLimits *
mlc_limits_default(void)
{
    static const MlcLimits limits = {
        .nesting = 256,
        .operands = 1 << 20,
        .rank = MLC_RANK_LIMIT,
        .integer_width = MLC_INTEGER_WIDTH_LIMIT,
        .file_size = INT32_MAX,
        .expansion = 1 << 26,
        .constant = 1 << 28,
        .errors = 100,
    };
    return &limits;
}

MlcContext *
mlc_context_make(const MlcTextFunctions *text)
{
    static _Atomic uint64_t serial;
    MlcContext *ctx = NULL;
    size_t size = (sizeof *ctx + 63) & ~(size_t)63;
    ctx = mlc_aligned_alloc(64, size);
    memset(ctx, 0, size);
    ctx->threads = 1;
    ctx->min_shared = 256 * 1024;
    for (size_t i = 0; i < MLC_NUM_SHARDS; i++)
        pthread_mutex_init(&ctx->shards[i].lock, NULL);
    pthread_rwlock_init(&ctx->dialects_lock, NULL);
    pthread_mutex_init(&ctx->lock, NULL);
    pthread_mutex_init(&ctx->patterns_lock, NULL);
    pthread_mutexattr_t recursive; // a handler may report
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&ctx->diag_lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    mlc_arena_init(&ctx->arena);
    mlc_str_map_init(&ctx->dialect_names, NULL);
    mlc_str_map_init(&ctx->unregistered, &ctx->arena);
    ctx->text = text;
    ctx->limits = *mlc_limits_default();
    ctx->serial = ++serial;
    mlc_diag_know_context(ctx);
    return ctx;
}

static void
release_shard(MlcShard *shard)
{
    MlcInternTable *table = atomic_load(&shard->table);
    while (table) {
        MlcInternTable *outgrown = table->outgrown;
        mlc_free(table);
        table = outgrown;
    }
    mlc_arena_release(&shard->arena);
    pthread_mutex_destroy(&shard->lock);
}

void
mlc_context_free(MlcContext *ctx)
{
    mlc_pool_destroy(ctx->pool);
    MLC_GUARDED_FORGET(ctx);
    mlc_diag_forget_context(ctx);
    for (MlcResource *r = ctx->resources; r; r = r->next_with_blob)
        mlc_blob_release(atomic_load(&r->blob));
    for (size_t i = 0; i < MLC_NUM_SHARDS; i++)
        release_shard(&ctx->shards[i]);
    MLC_MAP_FOR_EACH (entry, &ctx->unsorted_ops) {
        MlcStrMap *names = mlc_map_entry_value(entry);
        if (names)
            mlc_str_map_release(names);
        mlc_free(names);
    }
    mlc_map_release(&ctx->unsorted_ops);
    for (size_t i = 0; i < ctx->interfaces.size; i++)
        mlc_map_release(&ctx->interfaces.data[i]);
    mlc_vec_release(&ctx->interfaces);
    mlc_str_map_release(&ctx->dialect_names);
    mlc_str_map_release(&ctx->unregistered);
    mlc_vec_release(&ctx->dialects);
    mlc_vec_release(&ctx->sources);
    mlc_vec_release(&ctx->extensions);
    for (size_t k = 0; k < MLC_FILE_BLOCKS; k++)
        mlc_free(atomic_load(&ctx->files[k]));
    for (struct MlcLoaded *l = ctx->loaded, *next; l; l = next) {
        next = l->next;
        mlc_arena_release(&l->arena);
        mlc_free(l);
    }
    mlc_arena_release(&ctx->arena);
    pthread_rwlock_destroy(&ctx->dialects_lock);
    pthread_mutex_destroy(&ctx->lock);
    pthread_mutex_destroy(&ctx->patterns_lock);
    pthread_mutex_destroy(&ctx->diag_lock);
    mlc_free(ctx);
}

MlcLimits *
mlc_context_limits(MlcContext *ctx)
{
    return &ctx->limits;
}

void
mlc_context_set_threads(MlcContext *ctx, unsigned threads)
{
    ctx->threads = threads;
}

unsigned
mlc_context_threads(const MlcContext *ctx)
{
    return ctx->threads;
}

void
mlc_context_set_min_shared(MlcContext *ctx, size_t bytes)
{
    ctx->min_shared = bytes;
}

MlcPool *
mlc_context_pool(MlcContext *ctx)
{
    if (ctx->threads == 1)
        return NULL;
    pthread_mutex_lock(&ctx->lock);
    if (!ctx->pool)
        ctx->pool = mlc_pool_create(ctx->threads);
    pthread_mutex_unlock(&ctx->lock);
    return mlc_pool_num_threads(ctx->pool) > 1 ? ctx->pool : NULL;
}

MlcPool *
mlc_context_pool_for(MlcContext *ctx, size_t size)
{
    return ctx->threads == 1 || size < ctx->min_shared ? NULL : mlc_context_pool(ctx);
}

// An op of 184 bytes makes a line of 46 or 92, in custom and generic form.
size_t
mlc_context_text_bytes(const MlcContext *ctx)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < MLC_NUM_STRIPES; i++)
        bytes += atomic_load_explicit(&((MlcContext *)(uintptr_t)ctx)->op_bytes[i].bytes,
                                      memory_order_relaxed);
    return bytes > 0 ? (size_t)bytes / 4 : 0;
}

void
mlc_context_allow_unregistered(MlcContext *ctx, bool allow)
{
    ctx->allow_unregistered = allow;
}

bool
mlc_context_allows_unregistered(const MlcContext *ctx)
{
    return ctx->allow_unregistered;
}

// --- dialects

static const MlcDialectDef *
find_dialect(MlcContext *ctx, MlcStr name)
{
    uint64_t i;
    bool found = mlc_str_map_get_u64(&ctx->dialect_names, name, &i) && i < ctx->dialects.size;
    return found ? ctx->dialects.data[i] : NULL;
}

bool
mlc_context_register_dialect(MlcContext *ctx, const MlcDialectDef *dialect)
{
    MlcStr name = mlc_str(dialect->name);
    pthread_rwlock_wrlock(&ctx->dialects_lock);
    const MlcDialectDef *other = find_dialect(ctx, name);
    if (!other) {
        mlc_str_map_set_u64(&ctx->dialect_names, name, ctx->dialects.size);
        mlc_vec_push(&ctx->dialects, dialect);
    }
    pthread_rwlock_unlock(&ctx->dialects_lock);
    if (other && other != dialect)
        return mlc_error(ctx, mlc_loc_unknown(ctx), "dialect '%s' is already registered",
                         dialect->name);
    return true;
}

void
mlc_context_drop_dialect(MlcContext *ctx, const MlcDialectDef *dialect)
{
    pthread_rwlock_wrlock(&ctx->dialects_lock);
    assert(mlc_vec_last(&ctx->dialects) == dialect);
    mlc_str_map_set_u64(&ctx->dialect_names, mlc_str(dialect->name), UINT64_MAX);
    ctx->dialects.size--;
    pthread_rwlock_unlock(&ctx->dialects_lock);
}

size_t
mlc_context_num_dialects(const MlcContext *ctx)
{
    return ctx->dialects.size;
}

const MlcDialectDef *
mlc_context_dialect_at(const MlcContext *ctx, size_t i)
{
    assert(i < ctx->dialects.size);
    return ctx->dialects.data[i];
}

const MlcDialectDef *
mlc_context_dialect(const MlcContext *ctx_, MlcStr name)
{
    MlcContext *ctx = (MlcContext *)(uintptr_t)ctx_; // the lock
    pthread_rwlock_rdlock(&ctx->dialects_lock);
    const MlcDialectDef *dialect = find_dialect(ctx, name);
    pthread_rwlock_unlock(&ctx->dialects_lock);
    return dialect;
}

static const MlcDialectDef *
dialect_of(MlcContext *ctx, MlcStr full_name)
{
    const char *dot = full_name.size ? memchr(full_name.data, '.', full_name.size) : NULL;
    if (!dot)
        return NULL;
    return mlc_context_dialect(ctx, mlc_str_n(full_name.data, (size_t)(dot - full_name.data)));
}

// As strcmp, of a slice, which may hold NULs, with a C string.
static int
compare_name(MlcStr name, const char *with)
{
    int order = strncmp(name.data, with, name.size);
    if (order)
        return order;
    if (strnlen(with, name.size) < name.size) // a NUL of the slice is not the end of its name
        return 1;
    return with[name.size] ? -1 : 0;
}

static bool
is_sorted(const MlcDialectDef *dialect)
{
    for (size_t i = 1; i < dialect->num_ops; i++)
        if (strcmp(dialect->ops[i - 1]->name, dialect->ops[i]->name) >= 0)
            return false;
    return true;
}

// The map of a dialect whose table is not sorted; NULL if it is. Checked once per dialect, when
// first asked.
static const MlcStrMap *
unsorted_names(MlcContext *ctx, const MlcDialectDef *dialect)
{
    pthread_rwlock_rdlock(&ctx->dialects_lock);
    const MlcMapEntry *entry = mlc_map_find(&ctx->unsorted_ops, mlc_word(dialect));
    const MlcStrMap *names = entry ? mlc_map_entry_value(entry) : NULL;
    pthread_rwlock_unlock(&ctx->dialects_lock);
    if (entry)
        return names;

    MlcStrMap *made = NULL;
    if (!is_sorted(dialect)) {
        made = mlc_calloc(1, sizeof *made);
        mlc_str_map_init(made, NULL);
        for (size_t i = 0; i < dialect->num_ops; i++)
            mlc_str_map_set(made, mlc_str(dialect->ops[i]->name), dialect->ops[i]);
    }
    pthread_rwlock_wrlock(&ctx->dialects_lock);
    bool is_new;
    MlcMapEntry *put = mlc_map_insert(&ctx->unsorted_ops, mlc_word(dialect), &is_new);
    if (is_new)
        put->value = mlc_word(made);
    names = mlc_map_entry_value(put);
    pthread_rwlock_unlock(&ctx->dialects_lock);
    if (!is_new && made) {
        mlc_str_map_release(made);
        mlc_free(made);
    }
    return names;
}

const MlcOpDef *
mlc_context_op(MlcContext *ctx, MlcStr name)
{
    const MlcDialectDef *dialect = dialect_of(ctx, name);
    if (!dialect)
        return NULL;
    const MlcStrMap *names = unsorted_names(ctx, dialect);
    if (names)
        return mlc_str_map_get(names, name);
    size_t first = 0, end = dialect->num_ops;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        int order = compare_name(name, dialect->ops[middle]->name);
        if (order == 0)
            return dialect->ops[middle];
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

// Dialects have few types and attributes; no order is asked of their tables.
const MlcTypeDef *
mlc_context_type(MlcContext *ctx, MlcStr name)
{
    const MlcDialectDef *dialect = dialect_of(ctx, name);
    for (size_t i = 0; dialect && i < dialect->num_types; i++)
        if (compare_name(name, dialect->types[i]->name) == 0)
            return dialect->types[i];
    return NULL;
}

const MlcAttrDef *
mlc_context_attr(MlcContext *ctx, MlcStr name)
{
    const MlcDialectDef *dialect = dialect_of(ctx, name);
    for (size_t i = 0; dialect && i < dialect->num_attrs; i++)
        if (compare_name(name, dialect->attrs[i]->name) == 0)
            return dialect->attrs[i];
    return NULL;
}

const MlcOpDef *
mlc_context_unregistered_op(MlcContext *ctx, MlcStr name)
{
    pthread_mutex_lock(&ctx->lock);
    MlcStrMapEntry *entry = mlc_str_map_insert(&ctx->unregistered, name, NULL);
    MlcOpDef *def = (MlcOpDef *)(uintptr_t)entry->value;
    if (!def) {
        def = MLC_NEW(&ctx->arena, MlcOpDef);
        def->name = entry->key.data;
        def->summary = "";
        entry->value = mlc_word(def);
    }
    pthread_mutex_unlock(&ctx->lock);
    return def;
}

MlcAttr
mlc_context_default_attr(MlcContext *ctx, const MlcAttrSlot *slot)
{
    typedef struct Default {
        uint64_t head[sizeof(MlcUniqued) / 8];
        uint64_t slot;
        _Atomic(MlcAttr) value;
    } Default;
    // Asked for each op that is made or printed.
    static _Thread_local struct {
        uint64_t serial; // of the context
        const MlcAttrSlot *slot;
        MlcAttr value;
    } recent[64];
    if (!slot->default_text)
        return NULL;
    size_t place = (mlc_word(slot) * UINT64_C(0x9E3779B97F4A7C15)) >> 58;
    if (recent[place].slot == slot && recent[place].serial == ctx->serial)
        return recent[place].value;
    uint64_t key = mlc_word(slot);
    MlcPart part = {&key, sizeof key};
    Default *entry = (Default *)(uintptr_t)mlc_intern(ctx, MLC_CATEGORY_DEFAULT, 0, &part, 1, 8);
    MlcAttr value = atomic_load_explicit(&entry->value, memory_order_acquire);
    if (!value) {
        value = ctx->text->parse_attr(ctx, mlc_str(slot->default_text));
        if (!value)
            mlc_bug("default of attribute '%s' does not parse: %s", slot->name, slot->default_text);
        atomic_store_explicit(&entry->value, value, memory_order_release);
    }
    recent[place].serial = ctx->serial;
    recent[place].slot = slot;
    recent[place].value = value;
    return value;
}

// --- memory

void *
mlc_context_alloc(MlcContext *ctx, size_t size, size_t alignment)
{
    pthread_mutex_lock(&ctx->lock);
    void *memory = mlc_arena_alloc(&ctx->arena, size, alignment);
    pthread_mutex_unlock(&ctx->lock);
    return memory;
}

size_t
mlc_context_memory(const MlcContext *ctx)
{
    int64_t bytes = (int64_t)ctx->arena.num_bytes;
    for (size_t i = 0; i < MLC_NUM_SHARDS; i++)
        bytes += (int64_t)ctx->shards[i].arena.num_bytes;
    for (size_t i = 0; i < MLC_NUM_STRIPES; i++)
        bytes += atomic_load_explicit(&((MlcContext *)(uintptr_t)ctx)->op_bytes[i].bytes,
                                      memory_order_relaxed);
    return (size_t)bytes;
}

bool
mlc_is_dialect_namespace(MlcStr name)
{
    if (name.size == 0 || (!isalpha((unsigned char)name.data[0]) && name.data[0] != '_'))
        return false;
    for (size_t i = 1; i < name.size; i++)
        if (!isalnum((unsigned char)name.data[i]) && name.data[i] != '_' && name.data[i] != '$')
            return false;
    return true;
}
