// attr.c -- attributes but elements (elements.c), as uniqued records.
#include "mlc/ir/attr.h"

#include <assert.h>
#include <stdlib.h>

#include "context_impl.h"
#include "mlc/ir/type.h"
#include "mlc/support/softfloat.h"

MlcAttrKind
mlc_attr_kind(MlcAttr attr)
{
    return (MlcAttrKind)attr->kind;
}

MlcContext *
mlc_attr_context(MlcAttr attr)
{
    return attr->ctx;
}

MlcType
mlc_attr_type(MlcAttr attr)
{
    return attr->type;
}

static MlcAttr
intern_attr(MlcContext *ctx, MlcAttrKind kind, const uint64_t *words, size_t num_words)
{
    return mlc_intern_words(ctx, MLC_CATEGORY_ATTR, kind, words, num_words);
}

MlcAttr
mlc_unit_attr_get(MlcContext *ctx)
{
    MlcAttr attr = atomic_load_explicit(&ctx->unit_attr, memory_order_acquire);
    if (!attr) {
        uint64_t no_type = 0;
        attr = intern_attr(ctx, MLC_ATTR_UNIT, &no_type, 1);
        atomic_store_explicit(&ctx->unit_attr, attr, memory_order_release);
    }
    return attr;
}

// --- integers

static unsigned
integer_width(MlcType type)
{
    assert(mlc_type_is_int_or_index(type));
    return mlc_type_bit_width(type);
}

static MlcAttr
intern_integer(MlcType type, const uint64_t *value, size_t num_words)
{
    uint64_t head = mlc_word(type);
    MlcPart parts[] = {{&head, sizeof head}, {value, num_words * sizeof *value}};
    return mlc_intern(mlc_type_context(type), MLC_CATEGORY_ATTR, MLC_ATTR_INTEGER, parts, 2, 0);
}

MlcAttr
mlc_integer_attr_get(MlcType type, int64_t value)
{
    unsigned width = integer_width(type);
    if (width <= 64) {
        uint64_t word = (uint64_t)value;
        if (width < 64)
            word &= (UINT64_C(1) << width) - 1;
        return intern_integer(type, &word, 1);
    }
    MlcArena arena = {0};
    MlcWide wide = mlc_wide_from_int(&arena, width, value);
    MlcAttr attr = intern_integer(type, mlc_wide_words(&wide), mlc_wide_num_words(wide));
    mlc_arena_release(&arena);
    return attr;
}

MlcAttr
mlc_integer_attr_get_wide(MlcType type, const MlcWide *value)
{
    unsigned width = integer_width(type);
    if (value->width == width)
        return intern_integer(type, mlc_wide_words(value), mlc_wide_num_words(*value));
    MlcArena arena = {0};
    MlcWide fitted = value->width > width ? mlc_wide_trunc(&arena, *value, width)
                                          : mlc_wide_sext(&arena, *value, width);
    MlcAttr attr = intern_integer(type, mlc_wide_words(&fitted), mlc_wide_num_words(fitted));
    mlc_arena_release(&arena);
    return attr;
}

MlcAttr
mlc_bool_attr_get(MlcContext *ctx, bool value)
{
    return mlc_integer_attr_get(mlc_integer_type_get(ctx, 1, MLC_SIGNLESS), value);
}

MlcAttr
mlc_index_attr_get(MlcContext *ctx, int64_t value)
{
    return mlc_integer_attr_get(mlc_index_type_get(ctx), value);
}

MlcAttr
mlc_i64_attr_get(MlcContext *ctx, int64_t value)
{
    return mlc_integer_attr_get(mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), value);
}

MlcAttr
mlc_i32_attr_get(MlcContext *ctx, int32_t value)
{
    return mlc_integer_attr_get(mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), value);
}

MlcWide
mlc_attr_wide(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_INTEGER));
    MlcWide wide;
    wide.width = integer_width(attr->type);
    if (wide.width <= 64)
        wide.word = attr->words[0];
    else
        wide.words = attr->words;
    return wide;
}

bool
mlc_attr_try_as_int(MlcAttr attr, int64_t *value)
{
    if (!mlc_attr_is(attr, MLC_ATTR_INTEGER))
        return false;
    unsigned width = integer_width(attr->type);
    if (width > 64)
        return mlc_wide_try_as_int(mlc_attr_wide(attr), value);
    // i1 true is 1, not -1: what every reader of a flag or a count wants; so are unsigned integers.
    if (width == 1 || (attr->type->kind == MLC_TYPE_INTEGER &&
                       attr->type->integer.signedness == MLC_UNSIGNED && width < 64))
        *value = (int64_t)attr->words[0];
    else if (width == 0)
        *value = 0;
    else
        *value = (int64_t)(attr->words[0] << (64 - width)) >> (64 - width);
    return true;
}

int64_t
mlc_attr_as_int(MlcAttr attr)
{
    int64_t value = 0;
    bool fits = mlc_attr_try_as_int(attr, &value);
    assert(fits);
    (void)fits;
    return value;
}

bool
mlc_attr_as_bool(MlcAttr attr)
{
    return mlc_attr_as_int(attr) != 0;
}

// --- floats

MlcAttr
mlc_float_attr_get_bits(MlcType type, uint64_t lo, uint64_t hi)
{
    unsigned width = mlc_float_info(mlc_float_type_kind(type))->width;
    if (width < 64)
        lo &= (UINT64_C(1) << width) - 1;
    if (width <= 64)
        hi = 0;
    else if (width < 128)
        hi &= (UINT64_C(1) << (width - 64)) - 1;
    uint64_t words[] = {mlc_word(type), lo, hi};
    return intern_attr(mlc_type_context(type), MLC_ATTR_FLOAT, words, 3);
}

MlcAttr
mlc_float_attr_get(MlcType type, double value)
{
    MlcFloat f = mlc_float_from_double(mlc_float_type_kind(type), value);
    return mlc_float_attr_get_bits(type, f.lo, f.hi);
}

void
mlc_float_attr_bits(MlcAttr attr, uint64_t *lo, uint64_t *hi)
{
    assert(mlc_attr_is(attr, MLC_ATTR_FLOAT));
    *lo = attr->floating.lo;
    if (hi)
        *hi = attr->floating.hi;
}

double
mlc_float_attr_as_double(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_FLOAT));
    MlcFloat f =
        mlc_float_from_bits(mlc_float_type_kind(attr->type), attr->floating.lo, attr->floating.hi);
    uint64_t bits = mlc_float_convert(f, MLC_FLOAT_F64).lo;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// --- strings

static MlcAttr
intern_string(MlcContext *ctx, MlcStr value, MlcType type)
{
    uint64_t head[] = {mlc_word(type), value.size};
    MlcPart parts[] = {{head, sizeof head}, {value.data, value.size}};
    return mlc_intern(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_STRING, parts, 2,
                      1); // the extra byte: a NUL
}

MlcAttr
mlc_string_attr_get(MlcContext *ctx, MlcStr value)
{
    return intern_string(ctx, value, NULL);
}

MlcAttr
mlc_string_attr_get_typed(MlcStr value, MlcType type)
{
    // `none` is the type of a string without one.
    bool is_typed = type->kind != MLC_TYPE_NONE;
    return intern_string(mlc_type_context(type), value, is_typed ? type : NULL);
}

MlcStr
mlc_string_attr_value(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_STRING));
    return mlc_str_n(attr->string.bytes, attr->string.size);
}

// --- arrays and dictionaries

static MlcAttr
intern_array(MlcContext *ctx, MlcAttrKind kind, MlcType type, const MlcAttr *elements, size_t n)
{
    uint64_t head[] = {mlc_word(type), n};
    MlcPart parts[] = {{head, sizeof head}, {elements, n * sizeof *elements}};
    return mlc_intern(ctx, MLC_CATEGORY_ATTR, kind, parts, 2, 0);
}

MlcAttr
mlc_array_attr_get(MlcContext *ctx, const MlcAttr *elements, size_t num_elements)
{
    return intern_array(ctx, MLC_ATTR_ARRAY, NULL, elements, num_elements);
}

size_t
mlc_array_attr_size(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_ARRAY));
    return attr->array.size;
}

MlcAttr
mlc_array_attr_element(MlcAttr attr, size_t i)
{
    assert(i < mlc_array_attr_size(attr));
    return attr->array.elements[i];
}

static int
compare_strings(MlcStr a, MlcStr b)
{
    size_t shorter = a.size < b.size ? a.size : b.size;
    int order = shorter ? memcmp(a.data, b.data, shorter) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int
compare_entries(const void *a, const void *b)
{
    return compare_strings(mlc_string_attr_value(((const MlcNamedAttr *)a)->name),
                           mlc_string_attr_value(((const MlcNamedAttr *)b)->name));
}

static bool
is_sorted(const MlcNamedAttr *entries, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (compare_entries(&entries[i - 1], &entries[i]) >= 0)
            return false;
    return true;
}

MlcAttr
mlc_dict_attr_get(MlcContext *ctx, const MlcNamedAttr *entries, size_t num_entries)
{
    MlcNamedAttr few[16], *sorted = NULL;
    const MlcNamedAttr *from = entries;
    if (!is_sorted(entries, num_entries)) {
        sorted = num_entries <= 16 ? few : mlc_malloc(num_entries * sizeof *sorted);
        memcpy(sorted, entries, num_entries * sizeof *sorted);
        qsort(sorted, num_entries, sizeof *sorted, compare_entries);
        assert(is_sorted(sorted, num_entries)); // names are unique
        from = sorted;
    }
    uint64_t head[] = {0, num_entries};
    MlcPart parts[] = {{head, sizeof head}, {from, num_entries * sizeof *from}};
    MlcAttr dict = mlc_intern(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_DICT, parts, 2, 0);
    if (sorted != few)
        mlc_free(sorted);
    return dict;
}

bool
mlc_dict_attr_find_duplicate(const MlcNamedAttr *entries, size_t num_entries, MlcStr *name)
{
    bool is_few = num_entries <= 8; // then comparing each with each is faster
    for (size_t i = 1; is_few && i < num_entries; i++)
        for (size_t j = 0; j < i; j++)
            if (entries[i].name == entries[j].name)
                return *name = mlc_string_attr_value(entries[i].name), true;
    if (is_few)
        return false;
    MlcNamedAttr *sorted = mlc_malloc(num_entries * sizeof *sorted);
    memcpy(sorted, entries, num_entries * sizeof *sorted);
    qsort(sorted, num_entries, sizeof *sorted, compare_entries);
    bool found = false;
    for (size_t i = 1; i < num_entries && !found; i++) {
        found = sorted[i - 1].name == sorted[i].name;
        if (found)
            *name = mlc_string_attr_value(sorted[i].name);
    }
    mlc_free(sorted);
    return found;
}

size_t
mlc_dict_attr_size(MlcAttr attr)
{
    assert(!attr || attr->kind == MLC_ATTR_DICT);
    return attr ? attr->dict.size : 0;
}

MlcNamedAttr
mlc_dict_attr_entry(MlcAttr attr, size_t i)
{
    assert(i < mlc_dict_attr_size(attr));
    return attr->dict.entries[i];
}

// The position of `name`, or where it would stand.
static bool
find_entry(MlcAttr dict, MlcStr name, size_t *at)
{
    size_t first = 0, end = mlc_dict_attr_size(dict);
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        int order = compare_strings(name, mlc_string_attr_value(dict->dict.entries[middle].name));
        if (order == 0) {
            *at = middle;
            return true;
        }
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    *at = first;
    return false;
}

MlcAttr
mlc_dict_attr_find(MlcAttr attr, MlcStr name)
{
    size_t at;
    return attr && find_entry(attr, name, &at) ? attr->dict.entries[at].value : NULL;
}

MlcAttr
mlc_dict_attr_with(MlcContext *ctx, MlcAttr dict, MlcStr name, MlcAttr value)
{
    size_t n = mlc_dict_attr_size(dict), at = 0;
    bool found = dict && find_entry(dict, name, &at);
    if (!value && !found)
        return dict ? dict : mlc_dict_attr_get(ctx, NULL, 0);
    MlcNamedAttr few[16], *entries = n < 16 ? few : mlc_malloc((n + 1) * sizeof *entries);
    if (n)
        memcpy(entries, dict->dict.entries, n * sizeof *entries);
    if (!value) {
        memmove(entries + at, entries + at + 1, (n - at - 1) * sizeof *entries);
        n--;
    } else {
        if (!found) {
            memmove(entries + at + 1, entries + at, (n - at) * sizeof *entries);
            entries[at].name = mlc_string_attr_get(ctx, name);
            n++;
        }
        entries[at].value = value;
    }
    MlcAttr result = mlc_dict_attr_get(ctx, entries, n);
    if (entries != few)
        mlc_free(entries);
    return result;
}

// --- references

MlcAttr
mlc_type_attr_get(MlcType type)
{
    uint64_t words[] = {0, mlc_word(type)};
    return intern_attr(mlc_type_context(type), MLC_ATTR_TYPE, words, 2);
}

MlcType
mlc_type_attr_value(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_TYPE));
    return attr->type_value;
}

MlcAttr
mlc_symbol_ref_attr_get(MlcContext *ctx, MlcStr root)
{
    return mlc_symbol_ref_attr_get_nested(ctx, &root, 1);
}

MlcAttr
mlc_symbol_ref_attr_get_nested(MlcContext *ctx, const MlcStr *path, size_t num_names)
{
    assert(num_names > 0);
    MlcAttr few[8], *names = num_names <= 8 ? few : mlc_malloc(num_names * sizeof *names);
    for (size_t i = 0; i < num_names; i++)
        names[i] = mlc_string_attr_get(ctx, path[i]);
    MlcAttr attr = intern_array(ctx, MLC_ATTR_SYMBOL_REF, NULL, names, num_names);
    if (names != few)
        mlc_free(names);
    return attr;
}

size_t
mlc_symbol_ref_attr_size(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_SYMBOL_REF));
    return attr->array.size;
}

MlcStr
mlc_symbol_ref_attr_name(MlcAttr attr, size_t i)
{
    assert(i < mlc_symbol_ref_attr_size(attr));
    return mlc_string_attr_value(attr->array.elements[i]);
}

MlcAttr
mlc_affine_map_attr_get(MlcAffineMap map)
{
    uint64_t words[] = {0, mlc_word(map)};
    return intern_attr(map->ctx, MLC_ATTR_AFFINE_MAP, words, 2);
}

MlcAffineMap
mlc_affine_map_attr_value(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP));
    return attr->map;
}

MlcAttr
mlc_integer_set_attr_get(MlcIntegerSet set)
{
    uint64_t words[] = {0, mlc_word(set)};
    return intern_attr(set->ctx, MLC_ATTR_INTEGER_SET, words, 2);
}

MlcIntegerSet
mlc_integer_set_attr_value(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_INTEGER_SET));
    return attr->set;
}

MlcAttr
mlc_strided_layout_attr_get(MlcContext *ctx, int64_t offset, const int64_t *strides,
                            size_t num_strides)
{
    uint64_t head[] = {0, (uint64_t)offset, num_strides};
    MlcPart parts[] = {{head, sizeof head}, {strides, num_strides * sizeof *strides}};
    return mlc_intern(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_STRIDED_LAYOUT, parts, 2, 0);
}

int64_t
mlc_strided_layout_attr_offset(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_STRIDED_LAYOUT));
    return attr->strided.offset;
}

size_t
mlc_strided_layout_attr_size(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_STRIDED_LAYOUT));
    return attr->strided.size;
}

const int64_t *
mlc_strided_layout_attr_strides(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_STRIDED_LAYOUT));
    return attr->strided.strides;
}

// --- distinct, dialects', opaque

MlcAttr
mlc_distinct_attr_create(MlcContext *ctx, MlcAttr referenced)
{
    pthread_mutex_lock(&ctx->lock);
    uint64_t number = ctx->num_distinct++;
    pthread_mutex_unlock(&ctx->lock);
    uint64_t words[] = {0, mlc_word(referenced), number};
    return intern_attr(ctx, MLC_ATTR_DISTINCT, words, 3);
}

MlcAttr
mlc_distinct_attr_referenced(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DISTINCT));
    return attr->referenced;
}

MlcAttr
mlc_dialect_attr_get(MlcContext *ctx, const MlcAttrDef *def, const MlcAttr *params,
                     size_t num_params)
{
    uint64_t head[] = {0, mlc_word(def), num_params};
    MlcPart parts[] = {{head, sizeof head}, {params, num_params * sizeof *params}};
    return mlc_intern(ctx, MLC_CATEGORY_ATTR, MLC_ATTR_DIALECT, parts, 2, 0);
}

const MlcAttrDef *
mlc_dialect_attr_def(MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_DIALECT) ? attr->dialect.def : NULL;
}

bool
mlc_attr_isa(MlcAttr attr, const char *name)
{
    return mlc_attr_is(attr, MLC_ATTR_DIALECT) && strcmp(attr->dialect.def->name, name) == 0;
}

size_t
mlc_dialect_attr_num_params(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_DIALECT));
    return attr->dialect.num_params;
}

MlcAttr
mlc_dialect_attr_param(MlcAttr attr, size_t i)
{
    assert(i < mlc_dialect_attr_num_params(attr));
    return attr->dialect.params[i];
}

MlcAttr
mlc_enum_attr_get(MlcContext *ctx, const MlcAttrDef *def, int64_t value)
{
    unsigned width = def->enum_width ? def->enum_width : 32;
    MlcAttr integer = mlc_integer_attr_get(mlc_integer_type_get(ctx, width, MLC_SIGNLESS), value);
    return def->is_bare_integer ? integer : mlc_dialect_attr_get(ctx, def, &integer, 1);
}

int64_t
mlc_enum_attr_value(MlcAttr attr)
{
    return mlc_attr_as_int(attr->kind == MLC_ATTR_DIALECT ? mlc_dialect_attr_param(attr, 0) : attr);
}

MlcAttr
mlc_opaque_attr_get(MlcContext *ctx, MlcStr dialect, MlcStr body, MlcType type)
{
    if (type && mlc_type_is(type, MLC_TYPE_NONE)) // as MLIR's attributes without a type have
        type = NULL;
    uint64_t words[] = {mlc_word(type), mlc_word(mlc_string_attr_get(ctx, dialect)),
                        mlc_word(mlc_string_attr_get(ctx, body))};
    return intern_attr(ctx, MLC_ATTR_OPAQUE, words, 3);
}

MlcStr
mlc_opaque_attr_dialect(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_OPAQUE));
    return mlc_string_attr_value(attr->opaque.dialect);
}

MlcStr
mlc_opaque_attr_body(MlcAttr attr)
{
    assert(mlc_attr_is(attr, MLC_ATTR_OPAQUE));
    return mlc_string_attr_value(attr->opaque.body);
}
