// mlir_bytecode_values.c -- attributes and types of MLIR's bytecode, read when first asked for.
//
// The builtin dialect has an encoding of its own for most of them, a code and the parts; all others
// stand as text. An entry that is asked for while it is read would hold itself, and is refused.
#include "mlir_bytecode.h"

#include "context/context_impl.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"
#include "text/parse_impl.h"

bool
mlir_fail_attr(BytecodeCursor *c, const char *expected, MlcAttr got)
{
    MlcBuf text = {0};
    mlc_attr_print(got, &text);
    bytecode_fail(c, "expected attribute of type: mlir::%s, but got: %s", expected,
                  mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

static bool
get_string_attr(BytecodeCursor *c, MlcStr *string)
{
    MlcAttr attr;
    if (!mlir_get_attr(c, &attr))
        return false;
    if (!mlc_attr_is(attr, MLC_ATTR_STRING))
        return mlir_fail_attr(c, "StringAttr", attr);
    *string = mlc_string_attr_value(attr);
    return true;
}

static const BytecodeParts parts = {.count = mlir_get_count,
                                    .string = get_string_attr,
                                    .type = mlir_get_type,
                                    .attr = mlir_get_attr,
                                    .loc = mlir_get_loc};

// ---- types

static bool
get_scalable(BytecodeCursor *c, BytecodeShape *shape)
{
    size_t n;
    uint8_t flag;
    if (!mlir_get_count(c, &n))
        return false;
    if (n > MLC_RANK_LIMIT)
        return bytecode_fail(c, "%zu flags of dimensions", n);
    for (size_t i = 0; i < n; i++) {
        if (!mlir_get_byte(c, &flag))
            return false;
        shape->scalable[i] = flag != 0;
        shape->has_scalable |= shape->scalable[i];
    }
    shape->rank = n; // the same as of the shape that follows
    return true;
}

static bool
get_shape(BytecodeCursor *c, bool is_vector, BytecodeShape *shape)
{
    size_t rank;
    if (!mlir_get_count(c, &rank))
        return false;
    if (rank > MLC_RANK_LIMIT || rank > mlc_context_limits(c->file->ctx)->rank)
        return bytecode_fail(c, "rank %zu is above the limit (--limit-rank)", rank);
    if (shape->has_scalable && shape->rank != rank)
        return bytecode_fail(c, "%zu flags for %zu dimensions", shape->rank, rank);
    shape->rank = rank;
    for (size_t i = 0; i < rank; i++) {
        if (!mlir_get_signed(c, &shape->dims[i]))
            return false;
        bool fits = shape->dims[i] >= is_vector || (!is_vector && shape->dims[i] == MLC_DYNAMIC);
        if (!fits)
            return bytecode_fail(c, "a dimension is out of range");
    }
    return true;
}

static MlcType
read_shaped(BytecodeCursor *c, MlirTypeCode code)
{
    BytecodeShape shape = {.rank = 0};
    MlcAttr extra = NULL, layout = NULL;
    MlcType element;
    bool has_extra = code == MLIR_TYPE_MEMREF_SPACE || code == MLIR_TYPE_TENSOR_ENCODING ||
                     code == MLIR_TYPE_UNRANKED_MEMREF_SPACE,
         is_memref = code == MLIR_TYPE_MEMREF || code == MLIR_TYPE_MEMREF_SPACE,
         is_tensor = code == MLIR_TYPE_TENSOR || code == MLIR_TYPE_TENSOR_ENCODING,
         is_vector = code == MLIR_TYPE_VECTOR || code == MLIR_TYPE_VECTOR_SCALABLE;
    if ((has_extra && !mlir_get_attr(c, &extra)) ||
        (code == MLIR_TYPE_VECTOR_SCALABLE && !get_scalable(c, &shape)) ||
        ((is_memref || is_tensor || is_vector) && !get_shape(c, is_vector, &shape)) ||
        !mlir_get_type(c, &element) || (is_memref && !mlir_get_attr(c, &layout)))
        return NULL;
    MlcTypeKind kind = is_memref                           ? MLC_TYPE_MEMREF
                       : is_tensor                         ? MLC_TYPE_TENSOR
                       : is_vector                         ? MLC_TYPE_VECTOR
                       : code == MLIR_TYPE_UNRANKED_TENSOR ? MLC_TYPE_UNRANKED_TENSOR
                                                           : MLC_TYPE_UNRANKED_MEMREF;
    return bytecode_make_shaped(c, kind, element, &shape, is_tensor ? extra : layout,
                                is_tensor ? NULL : extra);
}

static MlcType
read_builtin_type(BytecodeCursor *c)
{
    static const MlcFloatKind floats[] = {MLC_FLOAT_BF16, MLC_FLOAT_F16, MLC_FLOAT_F32,
                                          MLC_FLOAT_F64,  MLC_FLOAT_F80, MLC_FLOAT_F128};
    MlcContext *ctx = c->file->ctx;
    uint64_t code, width;
    MlcType element;
    if (!mlir_get(c, &code))
        return NULL;
    switch (code) {
    case MLIR_TYPE_INTEGER:
        return mlir_get(c, &width) ? bytecode_make_integer_type(c, width >> 2, width & 3) : NULL;
    case MLIR_TYPE_INDEX:
        return mlc_index_type_get(ctx);
    case MLIR_TYPE_NONE:
        return mlc_none_type_get(ctx);
    case MLIR_TYPE_FUNCTION:
    case MLIR_TYPE_TUPLE:
        return bytecode_read_list_type(c, &parts, code == MLIR_TYPE_FUNCTION);
    case MLIR_TYPE_BF16:
    case MLIR_TYPE_F16:
    case MLIR_TYPE_F32:
    case MLIR_TYPE_F64:
    case MLIR_TYPE_F80:
    case MLIR_TYPE_F128:
        return mlc_float_type_get(ctx, floats[code - MLIR_TYPE_BF16]);
    case MLIR_TYPE_COMPLEX:
        return mlir_get_type(c, &element) ? bytecode_make_complex(c, element) : NULL;
    case MLIR_TYPE_MEMREF:
    case MLIR_TYPE_MEMREF_SPACE:
    case MLIR_TYPE_TENSOR:
    case MLIR_TYPE_TENSOR_ENCODING:
    case MLIR_TYPE_UNRANKED_MEMREF:
    case MLIR_TYPE_UNRANKED_MEMREF_SPACE:
    case MLIR_TYPE_UNRANKED_TENSOR:
    case MLIR_TYPE_VECTOR:
    case MLIR_TYPE_VECTOR_SCALABLE:
        return read_shaped(c, (MlirTypeCode)code);
    default:
        return bytecode_fail(c, "unknown builtin type code: %llu", (unsigned long long)code), NULL;
    }
}

// ---- numbers

// The bits of an integer of that width, lowest word first; NULL after a fault. The caller frees.
static uint64_t *
get_bits(BytecodeCursor *c, unsigned width, size_t *num_words)
{
    size_t n = width <= 64 ? 1 : (width + 63) / 64, used = 1;
    int64_t word = 0;
    uint8_t byte = 0;
    bool ok = width <= 64 || mlir_get_count(c, &used);
    if (ok && used > n)
        ok = bytecode_fail(c, "%zu words for a number of %u bits", used, width);
    if (!ok || (width <= 8 && !mlir_get_byte(c, &byte)))
        return NULL;
    uint64_t *words = mlc_calloc(n, sizeof *words);
    words[0] = byte;
    for (size_t i = 0; ok && width > 8 && i < used; i++) {
        ok = mlir_get_signed(c, &word);
        words[i] = (uint64_t)word;
    }
    if (width % 64 || width == 0)
        words[n - 1] &= (UINT64_C(1) << width % 64) - 1;
    if (!ok)
        mlc_free(words);
    *num_words = n;
    return ok ? words : NULL;
}

static MlcAttr
read_number(BytecodeCursor *c, bool is_float)
{
    MlcType type;
    size_t n;
    if (!mlir_get_type(c, &type))
        return NULL;
    if (is_float ? !mlc_type_is_float(type) : !mlc_type_is_int_or_index(type))
        return bytecode_fail(c, "a number of type '%s'", mlc_type_text(type)), NULL;
    unsigned width = mlc_type_bit_width(type);
    uint64_t *words = get_bits(c, width, &n);
    if (!words)
        return NULL;
    MlcAttr attr;
    if (is_float) {
        attr = mlc_float_attr_get_bits(type, words[0], n > 1 ? words[1] : 0);
    } else {
        MlcArena arena;
        mlc_arena_init(&arena);
        MlcWide wide = mlc_wide_from_words(&arena, width, words, n);
        attr = mlc_integer_attr_get_wide(type, &wide);
        mlc_arena_release(&arena);
    }
    mlc_free(words);
    return attr;
}

// ---- elements

static bool
get_blob(BytecodeCursor *c, const uint8_t **data, size_t *size)
{
    if (!mlir_get_count(c, size))
        return false;
    *data = c->at;
    c->at += *size;
    return true;
}

// Bools are packed, eight to a byte; a byte of zeros or ones alone is a splat.
static MlcAttr
read_dense_bools(BytecodeCursor *c, MlcType type, const uint8_t *data, size_t size)
{
    uint64_t n = (uint64_t)mlc_type_num_elements(type);
    bool splat = size == 1 && (data[0] == 0 || data[0] == 0xff || n == 1);
    if (splat)
        return bytecode_make_dense(c, type, &(uint8_t){data[0] & 1}, 1, true);
    if (size != n / 8 + (n % 8 != 0))
        return bytecode_fail(c, "%zu bytes for elements of type '%s'", size, mlc_type_text(type)),
               NULL;
    uint8_t *bools = mlc_calloc(n + 1, 1);
    for (uint64_t i = 0; i < n; i++)
        bools[i] = data[i / 8] >> (i % 8) & 1;
    MlcAttr attr = bytecode_make_dense(c, type, bools, n, false);
    mlc_free(bools);
    return attr;
}

// There a number takes whole bytes, here a power of two of them or whole words.
static MlcAttr
read_dense_widened(BytecodeCursor *c, MlcType type, const uint8_t *data, size_t size, size_t from,
                   size_t to)
{
    size_t n = size / from;
    if (size % from)
        return bytecode_fail(c, "%zu bytes for elements of type '%s'", size, mlc_type_text(type)),
               NULL;
    uint8_t *wide = mlc_calloc(n + 1, to);
    for (size_t i = 0; i < n; i++)
        memcpy(wide + i * to, data + i * from, from);
    size_t parts = mlc_type_is(mlc_type_element(type), MLC_TYPE_COMPLEX) ? 2 : 1;
    MlcAttr attr = bytecode_make_dense(c, type, wide, n * to, n == parts);
    mlc_free(wide);
    return attr;
}

static MlcAttr
read_dense(BytecodeCursor *c)
{
    MlcType type;
    const uint8_t *data;
    size_t size;
    if (!mlir_get_type(c, &type) || !get_blob(c, &data, &size))
        return NULL;
    bool is_static = mlc_type_is_shaped(type) && mlc_type_has_rank(type) &&
                     mlc_type_has_static_shape(type) && mlc_type_num_elements(type) >= 0;
    MlcType element = is_static ? mlc_type_element(type) : NULL, scalar = element;
    size_t parts = element && mlc_type_is(element, MLC_TYPE_COMPLEX) ? 2 : 1;
    if (parts == 2)
        scalar = mlc_type_element(element);
    if (!scalar || (!mlc_type_is_int_or_index(scalar) && !mlc_type_is_float(scalar)))
        return bytecode_fail(c, "elements of type '%s'", mlc_type_text(type)), NULL;
    if (mlc_type_is_integer(element, 1))
        return read_dense_bools(c, type, data, size);
    size_t from = (mlc_type_bit_width(scalar) + 7) / 8,
           to = mlc_elements_attr_element_bytes(element) / parts;
    if (from == 0) // integers of no bits have one value
        return size == 0 ? mlc_dense_attr_splat(type, mlc_integer_attr_get(element, 0))
                         : (bytecode_fail(c, "%zu bytes for elements of type '%s'", size,
                                          mlc_type_text(type)),
                            NULL);
    if (from != to)
        return read_dense_widened(c, type, data, size, from, to);
    return bytecode_make_dense(c, type, data, size, size == from * parts);
}

static MlcAttr
read_dense_string(BytecodeCursor *c)
{
    MlcType type;
    uint64_t splat;
    if (!mlir_get_type(c, &type) || !mlir_get(c, &splat))
        return NULL;
    if (!mlc_type_is_shaped(type) || !mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return bytecode_fail(c, "elements of type '%s'", mlc_type_text(type)), NULL;
    int64_t n = splat ? 1 : mlc_type_num_elements(type);
    if (n < 0 || n > c->end - c->at)
        return bytecode_fail(c, "%lld strings in %zu bytes", (long long)n,
                             (size_t)(c->end - c->at)),
               NULL;
    MlcStr *strings = mlc_calloc((size_t)n + 1, sizeof *strings);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = mlir_get_string(c, &strings[i]);
    MlcAttr attr = ok ? bytecode_make_dense_string(c, type, strings, (size_t)n) : NULL;
    mlc_free(strings);
    return attr;
}

static MlcAttr
read_dense_array(BytecodeCursor *c)
{
    MlcType element;
    uint64_t n;
    const uint8_t *data;
    size_t size;
    return mlir_get_type(c, &element) && mlir_get(c, &n) && get_blob(c, &data, &size)
               ? bytecode_make_dense_array(c, element, n, data, size)
               : NULL;
}

static MlcAttr
read_dense_resource(BytecodeCursor *c)
{
    MlirBytecode *m = c->file->mlir;
    MlcType type;
    uint64_t index;
    if (!mlir_get_type(c, &type) || !mlir_get(c, &index))
        return NULL;
    if (index >= m->resources.size)
        return bytecode_fail(c, "invalid dialect resource index: %llu", (unsigned long long)index),
               NULL;
    return bytecode_make_resource(c, type, m->resources.data[index]);
}

// ---- collections and locations

static MlcAttr
read_symbol(BytecodeCursor *c, bool is_flat)
{
    MLC_VEC(MlcStr) path = {0};
    BytecodeAttrs nested = {0};
    MlcStr root;
    bool ok = get_string_attr(c, &root) && (is_flat || bytecode_get_attrs(c, &parts, &nested));
    if (ok)
        mlc_vec_push(&path, root);
    for (size_t i = 0; ok && i < nested.size; i++) {
        MlcAttr name = nested.data[i];
        ok = (mlc_attr_is(name, MLC_ATTR_SYMBOL_REF) && mlc_symbol_ref_attr_size(name) == 1) ||
             bytecode_fail(c, "a part of a symbol reference is none");
        if (ok)
            mlc_vec_push(&path, mlc_symbol_ref_attr_name(name, 0));
    }
    MlcAttr attr = ok ? mlc_symbol_ref_attr_get_nested(c->file->ctx, path.data, path.size) : NULL;
    mlc_vec_release(&path);
    mlc_vec_release(&nested);
    return attr;
}

static MlcLoc
read_fused(BytecodeCursor *c, bool has_metadata)
{
    MlcAttr metadata = NULL;
    BytecodeLocs locs = {0};
    bool ok = bytecode_get_locs(c, &parts, &locs) && (!has_metadata || mlir_get_attr(c, &metadata));
    MlcLoc fused = ok ? mlc_loc_fused(c->file->ctx, locs.data, locs.size, metadata) : NULL;
    mlc_vec_release(&locs);
    return fused;
}

static MlcLoc
read_loc(BytecodeCursor *c, MlirAttrCode code)
{
    MlcContext *ctx = c->file->ctx;
    MlcStr name;
    uint64_t line, column;
    switch (code) {
    case MLIR_ATTR_LOC_CALLSITE:
        return bytecode_read_callsite(c, &parts);
    case MLIR_ATTR_LOC_FILE:
        if (!get_string_attr(c, &name) || !mlir_get(c, &line) || !mlir_get(c, &column))
            return NULL;
        if (line > UINT32_MAX || column > UINT32_MAX)
            return bytecode_fail(c, "a line or column is out of range"), NULL;
        return mlc_loc_file(ctx, name, (unsigned)line, (unsigned)column);
    case MLIR_ATTR_LOC_NAME:
        return bytecode_read_name_loc(c, &parts);
    case MLIR_ATTR_LOC_UNKNOWN:
        return mlc_loc_unknown(ctx);
    default:
        return read_fused(c, code == MLIR_ATTR_LOC_FUSED_METADATA);
    }
}

static MlcAttr
read_string(BytecodeCursor *c, bool is_typed)
{
    MlcStr string;
    MlcType type;
    if (!mlir_get_string(c, &string) || (is_typed && !mlir_get_type(c, &type)))
        return NULL;
    return is_typed ? mlc_string_attr_get_typed(string, type)
                    : mlc_string_attr_get(c->file->ctx, string);
}

static MlcAttr
read_builtin_attr(BytecodeCursor *c, uint64_t code)
{
    MlcContext *ctx = c->file->ctx;
    MlcType type;
    MlcAttr attr;
    switch (code) {
    case MLIR_ATTR_ARRAY:
        return bytecode_read_array(c, &parts);
    case MLIR_ATTR_DICT:
        return bytecode_read_dict(c, &parts);
    case MLIR_ATTR_STRING:
    case MLIR_ATTR_TYPED_STRING:
        return read_string(c, code == MLIR_ATTR_TYPED_STRING);
    case MLIR_ATTR_FLAT_SYMBOL:
    case MLIR_ATTR_SYMBOL:
        return read_symbol(c, code == MLIR_ATTR_FLAT_SYMBOL);
    case MLIR_ATTR_TYPE:
        return mlir_get_type(c, &type) ? mlc_type_attr_get(type) : NULL;
    case MLIR_ATTR_UNIT:
        return mlc_unit_attr_get(ctx);
    case MLIR_ATTR_INTEGER:
    case MLIR_ATTR_FLOAT:
        return read_number(c, code == MLIR_ATTR_FLOAT);
    case MLIR_ATTR_DENSE_RESOURCE:
        return read_dense_resource(c);
    case MLIR_ATTR_DENSE_ARRAY:
        return read_dense_array(c);
    case MLIR_ATTR_DENSE:
        return read_dense(c);
    case MLIR_ATTR_DENSE_STRING:
        return read_dense_string(c);
    case MLIR_ATTR_SPARSE:
        return bytecode_read_sparse(c, &parts);
    case MLIR_ATTR_DISTINCT:
        return mlir_get_attr(c, &attr) ? mlc_distinct_attr_create(ctx, attr) : NULL;
    default:
        return bytecode_fail(c, "unknown builtin attribute code: %llu", (unsigned long long)code),
               NULL;
    }
}

// ---- entries

static const void *
read_text(BytecodeCursor *c, bool is_type)
{
    const char *what = is_type ? "Type" : "Attribute", *text = (const char *)c->at;
    const uint8_t *end = memchr(c->at, '\0', (size_t)(c->end - c->at));
    if (!end)
        return bytecode_fail(c, "%s assembly format does not end", what), NULL;
    MlcContext *ctx = c->file->ctx;
    size_t size = (size_t)((const char *)end - text);
    MlcStr all = mlc_str_n(text, size);
    const void *value = is_type ? (const void *)mlc_parse_type_prefix(ctx, all, &size)
                                : (const void *)mlc_parse_attr_prefix(ctx, all, &size);
    if (!value)
        return bytecode_fail(c, "%s assembly format cannot be read: %s", what, text), NULL;
    c->at += all.size == size ? size + 1 : size;
    return value;
}

static const void *
read_custom(BytecodeCursor *c, MlirEntry *entry, bool is_type)
{
    MlcStr dialect = c->file->mlir->dialects[entry->dialect];
    uint64_t code;
    if (!mlc_str_equal(dialect, mlc_str("builtin")))
        return bytecode_fail(c, "the encoding of %s of dialect '%.*s' is not known",
                             is_type ? "types" : "attributes", MLC_STR_FMT(dialect)),
               NULL;
    if (is_type)
        return read_builtin_type(c);
    if (!mlir_get(c, &code))
        return NULL;
    entry->is_loc = code >= MLIR_ATTR_LOC_CALLSITE && code <= MLIR_ATTR_LOC_UNKNOWN;
    return entry->is_loc ? (const void *)read_loc(c, (MlirAttrCode)code)
                         : (const void *)read_builtin_attr(c, code);
}

static const MlirEntry *
fail_nesting(BytecodeCursor *c, uint64_t limit)
{
    bytecode_fail(c, "nested deeper than the limit of %llu (--limit-nesting)",
                  (unsigned long long)limit);
    return NULL;
}

static const MlirEntry *
find_entry(BytecodeCursor *c, uint64_t index, bool is_type)
{
    MlirBytecode *m = c->file->mlir;
    const MlirEntries *entries = is_type ? &m->types : &m->attrs;
    const char *what = is_type ? "Type" : "Attribute";
    if (index >= entries->size)
        return bytecode_fail(c, "invalid %s index: %llu", what, (unsigned long long)index), NULL;
    MlirEntry *entry = &entries->data[index];
    if (entry->value)
        return bytecode_expand(c, entry->expansion) ? entry : NULL;
    if (entry->is_open)
        return bytecode_fail(c, "%s %llu holds itself", what, (unsigned long long)index), NULL;
    uint64_t limit = mlc_nesting_limit(c->file->ctx);
    if (m->depth >= limit)
        return fail_nesting(c, limit);
    BytecodeCursor bytes = {entry->at, entry->at + entry->size, c->file};
    uint64_t *outside = c->file->open;
    c->file->open = &entry->expansion;
    entry->expansion = entry->size;
    entry->is_open = true;
    m->depth++;
    const void *value =
        entry->is_custom ? read_custom(&bytes, entry, is_type) : read_text(&bytes, is_type);
    m->depth--;
    entry->is_open = false;
    c->file->open = outside;
    if (value && bytes.at != bytes.end)
        return bytecode_fail(&bytes, "trailing characters found after %s assembly format: %.*s",
                             what, (int)(bytes.end - bytes.at), (const char *)bytes.at),
               NULL;
    if (!value)
        return bytecode_fail(&bytes, "%s %llu is broken", what, (unsigned long long)index), NULL;
    if (mlc_height(value) >= limit) // of entries that were read before
        return fail_nesting(c, limit);
    entry->value = value;
    return bytecode_expand(c, entry->expansion) ? entry : NULL;
}

static bool
get_attr_at(BytecodeCursor *c, uint64_t index, MlcAttr *attr)
{
    const MlirEntry *entry = find_entry(c, index, false);
    *attr = !entry ? NULL : entry->is_loc ? mlc_loc_attr(c->file->ctx, entry->value) : entry->value;
    return entry != NULL;
}

bool
mlir_get_attr(BytecodeCursor *c, MlcAttr *attr)
{
    uint64_t index;
    *attr = NULL;
    return mlir_get(c, &index) && get_attr_at(c, index, attr);
}

bool
mlir_get_optional_attr(BytecodeCursor *c, MlcAttr *attr)
{
    uint64_t index;
    bool is_there;
    *attr = NULL;
    return mlir_get_flagged(c, &index, &is_there) && (!is_there || get_attr_at(c, index, attr));
}

bool
mlir_get_loc(BytecodeCursor *c, MlcLoc *loc)
{
    uint64_t index;
    const MlirEntry *entry = mlir_get(c, &index) ? find_entry(c, index, false) : NULL;
    if (!entry)
        return false;
    bool is_loc = entry->is_loc || mlc_attr_is(entry->value, MLC_ATTR_LOC);
    if (!is_loc)
        return mlir_fail_attr(c, "LocationAttr", entry->value);
    *loc = entry->is_loc ? (MlcLoc)entry->value : mlc_attr_as_loc(entry->value);
    return true;
}

bool
mlir_get_type_at(BytecodeCursor *c, uint64_t index, MlcType *type)
{
    const MlirEntry *entry = find_entry(c, index, true);
    *type = entry ? entry->value : NULL;
    return entry != NULL;
}

bool
mlir_get_type(BytecodeCursor *c, MlcType *type)
{
    uint64_t index;
    return mlir_get(c, &index) && mlir_get_type_at(c, index, type);
}
