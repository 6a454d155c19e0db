// loc.c -- locations. Most are a file, line and column that fit one word, which is then the
// location itself: bit 0 set, 14 bits of column, 24 of line, 24 of the file's number in the
// context. The word 3 is "unknown".
#include "mlc/ir/loc.h"

#include <assert.h>

#include "context_impl.h"
#include "mlc/ir/attr.h"

#define COLUMN_BITS 14
#define LINE_BITS 24
#define FILE_BITS 24
#define UNKNOWN ((MlcLoc)(uintptr_t)3)

static bool
is_tagged(MlcLoc loc)
{
    return (uintptr_t)loc & 1;
}

static uint64_t
field(MlcLoc loc, unsigned shift, unsigned bits)
{
    return ((uint64_t)(uintptr_t)loc >> shift) & ((UINT64_C(1) << bits) - 1);
}

// Block k of ctx->files holds the numbers from 64 * (2^k - 1) on.
static void
locate_file(uint32_t number, unsigned *block, uint32_t *at)
{
    *block = 31 - (unsigned)__builtin_clz(number / 64 + 1);
    *at = number - 64 * ((UINT32_C(1) << *block) - 1);
}

typedef struct File {
    uint64_t head[sizeof(MlcUniqued) / 8];
    uint64_t name;
    _Atomic uint32_t number_plus_1;
} File;

// The number of a file name, or false when there are too many.
static bool
number_file(MlcContext *ctx, MlcAttr name, uint32_t *number)
{
    uint64_t key = mlc_word(name);
    MlcPart part = {&key, sizeof key};
    File *file = (File *)(uintptr_t)mlc_intern(ctx, MLC_CATEGORY_FILE, 0, &part, 1, 8);
    uint32_t n = atomic_load_explicit(&file->number_plus_1, memory_order_acquire);
    if (n) {
        *number = n - 1;
        return true;
    }
    pthread_mutex_lock(&ctx->lock);
    n = atomic_load_explicit(&file->number_plus_1, memory_order_relaxed);
    unsigned block;
    uint32_t at;
    locate_file(ctx->num_files, &block, &at);
    if (!n && block < MLC_FILE_BLOCKS) {
        MlcAttr *names = atomic_load_explicit(&ctx->files[block], memory_order_relaxed);
        if (!names) {
            names = mlc_calloc((size_t)64 << block, sizeof *names);
            atomic_store_explicit(&ctx->files[block], names, memory_order_release);
        }
        names[at] = name;
        n = ++ctx->num_files;
        atomic_store_explicit(&file->number_plus_1, n, memory_order_release);
    }
    pthread_mutex_unlock(&ctx->lock);
    *number = n - 1;
    return n != 0;
}

MlcLoc
mlc_loc_unknown(MlcContext *ctx)
{
    (void)ctx;
    return UNKNOWN;
}

MlcLoc
mlc_loc_file(MlcContext *ctx, MlcStr file, unsigned line, unsigned column)
{
    MlcAttr name = mlc_string_attr_get(ctx, file);
    uint32_t number;
    if (line < 1u << LINE_BITS && column < 1u << COLUMN_BITS && number_file(ctx, name, &number) &&
        number < 1u << FILE_BITS) {
        uint64_t word = 1 | (uint64_t)column << 2 | (uint64_t)line << (2 + COLUMN_BITS) |
                        (uint64_t)number << (2 + COLUMN_BITS + LINE_BITS);
        return (MlcLoc)(uintptr_t)word;
    }
    uint64_t words[] = {mlc_word(name), line, column};
    return mlc_intern_words(ctx, MLC_CATEGORY_LOC, MLC_LOC_FILE, words, 3);
}

MlcLoc
mlc_loc_in_file(MlcLoc file, unsigned line, unsigned column)
{
    if (!is_tagged(file) || line >= 1u << LINE_BITS || column >= 1u << COLUMN_BITS)
        return NULL;
    uint64_t place = (uint64_t)column << 2 | (uint64_t)line << (2 + COLUMN_BITS);
    return (MlcLoc)((uintptr_t)file | place);
}

// What may be put in another location: `loc`, or its file's place where it is nested as deep as
// readers take already. Inlining along a chain of calls nests without end.
static MlcLoc
within_limit(MlcContext *ctx, MlcLoc loc)
{
    if (mlc_height(loc) < mlc_nesting_limit(ctx))
        return loc;
    MlcLoc file = mlc_loc_find_file(loc);
    return file ? file : UNKNOWN;
}

MlcLoc
mlc_loc_name(MlcContext *ctx, MlcStr name, MlcLoc child)
{
    uint64_t words[] = {mlc_word(mlc_string_attr_get(ctx, name)),
                        mlc_word(child ? within_limit(ctx, child) : UNKNOWN)};
    return mlc_intern_words(ctx, MLC_CATEGORY_LOC, MLC_LOC_NAME, words, 2);
}

MlcLoc
mlc_loc_callsite(MlcContext *ctx, MlcLoc callee, MlcLoc caller)
{
    uint64_t words[] = {mlc_word(within_limit(ctx, callee)), mlc_word(within_limit(ctx, caller))};
    return mlc_intern_words(ctx, MLC_CATEGORY_LOC, MLC_LOC_CALLSITE, words, 2);
}

typedef MLC_VEC(MlcLoc) LocVec;

static void
add_unique(LocVec *locs, MlcMap *seen, MlcLoc loc)
{
    if (loc != UNKNOWN && mlc_map_add(seen, loc))
        mlc_vec_push(locs, loc);
}

MlcLoc
mlc_loc_fused(MlcContext *ctx, const MlcLoc *locs, size_t num_locs, MlcAttr metadata)
{
    LocVec flat = {0};
    MlcMap seen = {0};
    for (size_t i = 0; i < num_locs; i++) {
        if (mlc_loc_kind(locs[i]) == MLC_LOC_FUSED && locs[i]->fused.metadata == metadata) {
            for (size_t j = 0; j < locs[i]->fused.size; j++)
                add_unique(&flat, &seen, locs[i]->fused.locs[j]);
        } else {
            add_unique(&flat, &seen, within_limit(ctx, locs[i]));
        }
    }
    MlcLoc result = flat.size ? flat.data[0] : UNKNOWN;
    if (flat.size > 1 || metadata) {
        if (!flat.size)
            mlc_vec_push(&flat, UNKNOWN);
        uint64_t head[] = {mlc_word(metadata), flat.size};
        MlcPart parts[] = {{head, sizeof head}, {flat.data, flat.size * sizeof *flat.data}};
        result = mlc_intern(ctx, MLC_CATEGORY_LOC, MLC_LOC_FUSED, parts, 2, 0);
    }
    mlc_vec_release(&flat);
    mlc_map_release(&seen);
    return result;
}

MlcLocKind
mlc_loc_kind(MlcLoc loc)
{
    if (!loc || loc == UNKNOWN)
        return MLC_LOC_UNKNOWN;
    return is_tagged(loc) ? MLC_LOC_FILE : (MlcLocKind)loc->kind;
}

MlcStr
mlc_loc_file_name(MlcContext *ctx, MlcLoc loc)
{
    assert(mlc_loc_kind(loc) == MLC_LOC_FILE);
    if (!is_tagged(loc))
        return mlc_string_attr_value(loc->file.name);
    unsigned block;
    uint32_t at;
    locate_file((uint32_t)field(loc, 2 + COLUMN_BITS + LINE_BITS, FILE_BITS), &block, &at);
    return mlc_string_attr_value(
        atomic_load_explicit(&ctx->files[block], memory_order_acquire)[at]);
}

unsigned
mlc_loc_line(MlcLoc loc)
{
    assert(mlc_loc_kind(loc) == MLC_LOC_FILE);
    return (unsigned)(is_tagged(loc) ? field(loc, 2 + COLUMN_BITS, LINE_BITS) : loc->file.line);
}

unsigned
mlc_loc_column(MlcLoc loc)
{
    assert(mlc_loc_kind(loc) == MLC_LOC_FILE);
    return (unsigned)(is_tagged(loc) ? field(loc, 2, COLUMN_BITS) : loc->file.column);
}

MlcStr
mlc_loc_name_str(MlcLoc loc)
{
    assert(mlc_loc_kind(loc) == MLC_LOC_NAME);
    return mlc_string_attr_value(loc->name.name);
}

size_t
mlc_loc_num_children(MlcLoc loc)
{
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_NAME:
        return 1;
    case MLC_LOC_CALLSITE:
        return 2;
    case MLC_LOC_FUSED:
        return loc->fused.size;
    default:
        return 0;
    }
}

MlcLoc
mlc_loc_child(MlcLoc loc, size_t i)
{
    assert(i < mlc_loc_num_children(loc));
    if (loc->kind == MLC_LOC_NAME)
        return loc->name.child;
    if (loc->kind == MLC_LOC_CALLSITE)
        return i == 0 ? loc->callsite.callee : loc->callsite.caller;
    return loc->fused.locs[i];
}

MlcAttr
mlc_loc_metadata(MlcLoc loc)
{
    return mlc_loc_kind(loc) == MLC_LOC_FUSED ? loc->fused.metadata : NULL;
}

MlcLoc
mlc_loc_find_file(MlcLoc loc)
{
    if (mlc_loc_kind(loc) == MLC_LOC_FILE)
        return loc;
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++) {
        MlcLoc found = mlc_loc_find_file(mlc_loc_child(loc, i));
        if (found)
            return found;
    }
    return NULL;
}

void
mlc_loc_visit_names(MlcLoc loc, void (*visit)(MlcStr name, void *user), void *user)
{
    if (mlc_loc_kind(loc) == MLC_LOC_NAME) {
        visit(mlc_loc_name_str(loc), user);
        return;
    }
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++)
        mlc_loc_visit_names(mlc_loc_child(loc, i), visit, user);
}

MlcAttr
mlc_loc_attr(MlcContext *ctx, MlcLoc loc)
{
    uint64_t words[] = {0, mlc_word(loc)};
    return mlc_intern_words(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_LOC, words, 2);
}

MlcLoc
mlc_attr_as_loc(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_LOC));
    return attr->loc;
}
