// mlir_bytecode_write.c -- writes MLIR's bytecode, version 6.
//
// As with our own format, what ops use gets an index when it is first met, and the ops are written
// into a buffer of their own on the way. Entries may stand in any order, in runs of a dialect each.
// Orders of uses are not written: a reader has them as it reads.
#include "mlir_bytecode.h"

#include <stdlib.h>

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"

enum { PADDING = 0xcb };

typedef struct Entry { // an attribute or a type
    MlcBuf bytes;
    uint64_t dialect;
    bool is_custom;
} Entry;

typedef struct Entries {
    MlcMap index; // of uniqued values
    MLC_VEC(Entry) list;
} Entries;

typedef struct Name { // of an op
    const MlcOpDef *def;
    uint64_t dialect;
    uint16_t *order; // of its slots
} Name;

typedef struct Writer {
    MlcContext *ctx;
    MlcBytecodeWriteOptions options;
    MlcArena arena;
    MlcStrMap string_index, dialect_index, properties_index;
    MLC_VEC(MlcStr) strings;
    MLC_VEC(MlcStr) dialects;
    MLC_VEC(MlcStr) properties;
    Entries attrs, types;
    MlcMap name_index; // MlcOpDef -> index
    MLC_VEC(Name) names;
    MlcMap resource_index; // string of the key -> index
    MLC_VEC(MlcAttr) resources;
    MlcMap numbers; // MlcValue and MlcBlock -> number in its isolated op
} Writer;

// ---- numbers

static void
put(MlcBuf *out, uint64_t value)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1), more = (bits - 1) / 7;
    if (more >= 8) {
        mlc_buf_append_char(out, '\0');
        mlc_buf_append(out, &value, 8);
        return;
    }
    value = ((value << 1) | 1) << more;
    mlc_buf_append(out, &value, more + 1);
}

static void
put_flagged(MlcBuf *out, uint64_t value, bool flag)
{
    put(out, value << 1 | flag);
}

static void
put_signed(MlcBuf *out, int64_t value)
{
    put(out, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static void
put_byte(MlcBuf *out, unsigned byte)
{
    mlc_buf_append_char(out, (char)byte);
}

static void
put_blob(MlcBuf *out, const void *data, size_t size)
{
    put(out, size);
    mlc_buf_append(out, data, size);
}

static void
pad(MlcBuf *out, size_t alignment)
{
    while (alignment > 1 && out->size % alignment)
        put_byte(out, PADDING);
}

// ---- tables

static uint64_t
string_index(Writer *w, MlcStr string)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->string_index, string, &index))
        return index;
    MlcStr copy = mlc_arena_strdup(&w->arena, string);
    mlc_str_map_set_u64(&w->string_index, copy, w->strings.size);
    mlc_vec_push(&w->strings, copy);
    return w->strings.size - 1;
}

static uint64_t
dialect_index(Writer *w, MlcStr name)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->dialect_index, name, &index))
        return index;
    index = string_index(w, name);
    MlcStr copy = w->strings.data[index];
    mlc_str_map_set_u64(&w->dialect_index, copy, w->dialects.size);
    mlc_vec_push(&w->dialects, copy);
    return w->dialects.size - 1;
}

// Those with the same bytes are the same properties.
static uint64_t
properties_index(Writer *w, MlcStr bytes)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->properties_index, bytes, &index))
        return index;
    MlcStr copy = mlc_arena_strdup(&w->arena, bytes);
    mlc_str_map_set_u64(&w->properties_index, copy, w->properties.size);
    mlc_vec_push(&w->properties, copy);
    return w->properties.size - 1;
}

static uint64_t type_index(Writer *w, MlcType type);
static uint64_t attr_index(Writer *w, MlcAttr attr);
static uint64_t loc_index(Writer *w, MlcLoc loc);

static bool
known(const Entries *entries, const void *value, uint64_t *index)
{
    return mlc_map_get_u64(&entries->index, mlc_word(value), index);
}

static uint64_t
add_entry(Entries *entries, const void *value, Entry entry)
{
    mlc_map_set_u64(&entries->index, mlc_word(value), entries->list.size);
    mlc_vec_push(&entries->list, entry);
    return entries->list.size - 1;
}

static uint64_t
string_attr_index(Writer *w, MlcStr string)
{
    return attr_index(w, mlc_string_attr_get(w->ctx, string));
}

// ---- types

static void
put_shape(MlcBuf *out, MlcType type)
{
    put(out, mlc_type_rank(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        put_signed(out, mlc_type_dim(type, i));
}

static void
put_vector(Writer *w, MlcBuf *out, MlcType type)
{
    bool is_scalable = false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        is_scalable |= mlc_vector_type_is_scalable(type, i);
    put(out, is_scalable ? MLIR_TYPE_VECTOR_SCALABLE : MLIR_TYPE_VECTOR);
    if (is_scalable)
        put(out, mlc_type_rank(type));
    for (size_t i = 0; is_scalable && i < mlc_type_rank(type); i++)
        put_byte(out, mlc_vector_type_is_scalable(type, i));
    put_shape(out, type);
    put(out, type_index(w, mlc_type_element(type)));
}

static void
put_memref(Writer *w, MlcBuf *out, MlcType type)
{
    MlcAttr space = mlc_memref_type_memory_space(type), layout = mlc_memref_type_layout(type);
    if (!layout)
        layout =
            mlc_affine_map_attr_get(mlc_affine_map_identity(w->ctx, (unsigned)mlc_type_rank(type)));
    put(out, space ? MLIR_TYPE_MEMREF_SPACE : MLIR_TYPE_MEMREF);
    if (space)
        put(out, attr_index(w, space));
    put_shape(out, type);
    put(out, type_index(w, mlc_type_element(type)));
    put(out, attr_index(w, layout));
}

static void
put_unranked_memref(Writer *w, MlcBuf *out, MlcType type)
{
    MlcAttr space = mlc_memref_type_memory_space(type);
    put(out, space ? MLIR_TYPE_UNRANKED_MEMREF_SPACE : MLIR_TYPE_UNRANKED_MEMREF);
    if (space)
        put(out, attr_index(w, space));
    put(out, type_index(w, mlc_type_element(type)));
}

static void
put_tensor(Writer *w, MlcBuf *out, MlcType type)
{
    MlcAttr encoding = mlc_tensor_type_encoding(type);
    put(out, encoding ? MLIR_TYPE_TENSOR_ENCODING : MLIR_TYPE_TENSOR);
    if (encoding)
        put(out, attr_index(w, encoding));
    put_shape(out, type);
    put(out, type_index(w, mlc_type_element(type)));
}

static void
put_types(Writer *w, MlcBuf *out, const MlcType *types, size_t n)
{
    put(out, n);
    for (size_t i = 0; i < n; i++)
        put(out, type_index(w, types[i]));
}

static bool
put_float_type(MlcBuf *out, MlcType type)
{
    switch (mlc_float_type_kind(type)) {
    case MLC_FLOAT_BF16:
        put(out, MLIR_TYPE_BF16);
        return true;
    case MLC_FLOAT_F16:
        put(out, MLIR_TYPE_F16);
        return true;
    case MLC_FLOAT_F32:
        put(out, MLIR_TYPE_F32);
        return true;
    case MLC_FLOAT_F64:
        put(out, MLIR_TYPE_F64);
        return true;
    case MLC_FLOAT_F80:
        put(out, MLIR_TYPE_F80);
        return true;
    case MLC_FLOAT_F128:
        put(out, MLIR_TYPE_F128);
        return true;
    default:
        return false;
    }
}

// False: it has no encoding, and stands as text.
static bool
put_type(Writer *w, MlcBuf *out, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
        put(out, MLIR_TYPE_INTEGER);
        put(out, (uint64_t)mlc_integer_type_width(type) << 2 | mlc_integer_type_signedness(type));
        return true;
    case MLC_TYPE_INDEX:
        put(out, MLIR_TYPE_INDEX);
        return true;
    case MLC_TYPE_NONE:
        put(out, MLIR_TYPE_NONE);
        return true;
    case MLC_TYPE_FLOAT:
        return put_float_type(out, type);
    case MLC_TYPE_COMPLEX:
        put(out, MLIR_TYPE_COMPLEX);
        put(out, type_index(w, mlc_type_element(type)));
        return true;
    case MLC_TYPE_VECTOR:
        put_vector(w, out, type);
        return true;
    case MLC_TYPE_TENSOR:
        put_tensor(w, out, type);
        return true;
    case MLC_TYPE_MEMREF:
        put_memref(w, out, type);
        return true;
    case MLC_TYPE_UNRANKED_TENSOR:
        put(out, MLIR_TYPE_UNRANKED_TENSOR);
        put(out, type_index(w, mlc_type_element(type)));
        return true;
    case MLC_TYPE_UNRANKED_MEMREF:
        put_unranked_memref(w, out, type);
        return true;
    case MLC_TYPE_FUNCTION:
        put(out, MLIR_TYPE_FUNCTION);
        put_types(w, out, mlc_function_type_inputs(type), mlc_function_type_num_inputs(type));
        put_types(w, out, mlc_function_type_results(type), mlc_function_type_num_results(type));
        return true;
    case MLC_TYPE_TUPLE:
        put(out, MLIR_TYPE_TUPLE);
        put(out, mlc_tuple_type_size(type));
        for (size_t i = 0; i < mlc_tuple_type_size(type); i++)
            put(out, type_index(w, mlc_tuple_type_element(type, i)));
        return true;
    case MLC_TYPE_DIALECT:
    case MLC_TYPE_OPAQUE:
        return false;
    }
    return false;
}

static uint64_t
type_index(Writer *w, MlcType type)
{
    uint64_t index;
    if (known(&w->types, type, &index))
        return index;
    Entry entry = {0};
    entry.is_custom = put_type(w, &entry.bytes, type);
    if (!entry.is_custom) {
        mlc_type_print(type, &entry.bytes);
        put_byte(&entry.bytes, 0);
    }
    MlcTypeKind kind = mlc_type_kind(type);
    entry.dialect = dialect_index(w, kind == MLC_TYPE_DIALECT
                                         ? mlc_str(mlc_dialect_type_def(type)->dialect->name)
                                     : kind == MLC_TYPE_OPAQUE ? mlc_opaque_type_dialect(type)
                                                               : mlc_str("builtin"));
    return add_entry(&w->types, type, entry);
}

// ---- attributes

static void
put_number(Writer *w, MlcBuf *out, MlcAttr attr)
{
    MlcType type = mlc_attr_type(attr);
    unsigned width = mlc_type_bit_width(type);
    bool is_float = mlc_attr_is(attr, MLC_ATTR_FLOAT);
    uint64_t bits[2] = {0};
    MlcWide wide = {0};
    if (is_float)
        mlc_float_attr_bits(attr, &bits[0], &bits[1]);
    else
        wide = mlc_attr_wide(attr);
    const uint64_t *words = is_float ? bits : mlc_wide_words(&wide);
    size_t n = (width + 63) / 64;
    put(out, is_float ? MLIR_ATTR_FLOAT : MLIR_ATTR_INTEGER);
    put(out, type_index(w, type));
    if (width <= 8) {
        put_byte(out, (unsigned)(words[0] & 0xff));
        return;
    }
    while (n > 1 && words[n - 1] == 0)
        n--;
    if (width > 64)
        put(out, n);
    for (size_t i = 0; i < n; i++)
        put_signed(out, (int64_t)words[i]);
}

static void
put_symbol(Writer *w, MlcBuf *out, MlcAttr attr)
{
    size_t n = mlc_symbol_ref_attr_size(attr);
    put(out, n == 1 ? MLIR_ATTR_FLAT_SYMBOL : MLIR_ATTR_SYMBOL);
    put(out, string_attr_index(w, mlc_symbol_ref_attr_name(attr, 0)));
    if (n > 1)
        put(out, n - 1);
    for (size_t i = 1; i < n; i++)
        put(out, attr_index(w, mlc_symbol_ref_attr_get(w->ctx, mlc_symbol_ref_attr_name(attr, i))));
}

// Bools are packed; a splat of true is a byte of ones.
static void
put_bools(MlcBuf *out, const uint8_t *data, size_t n, bool splat)
{
    if (splat) {
        put_blob(out, &(uint8_t){data[0] ? 0xff : 0}, 1);
        return;
    }
    put(out, (n + 7) / 8);
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t k = i; k < n && k < i + 8; k++)
            byte |= (unsigned)data[k] << (k - i);
        put_byte(out, byte);
    }
}

static void
put_dense(Writer *w, MlcBuf *out, MlcAttr attr)
{
    MlcType type = mlc_attr_type(attr), element = mlc_type_element(type), scalar = element;
    size_t size, parts = mlc_type_is(element, MLC_TYPE_COMPLEX) ? 2 : 1;
    const char *data = mlc_elements_attr_data(attr, &size);
    if (parts == 2)
        scalar = mlc_type_element(element);
    put(out, MLIR_ATTR_DENSE);
    put(out, type_index(w, type));
    if (mlc_type_is_integer(element, 1)) {
        put_bools(out, (const uint8_t *)data, size, mlc_elements_attr_is_splat(attr));
        return;
    }
    size_t from = mlc_elements_attr_element_bytes(element) / parts,
           to = (mlc_type_bit_width(scalar) + 7) / 8; // whole bytes, not powers of two
    put(out, size / from * to);
    for (size_t i = 0; from != to && i < size; i += from)
        mlc_buf_append(out, data + i, to);
    if (from == to)
        mlc_buf_append(out, data, size);
}

static void
put_dense_string(Writer *w, MlcBuf *out, MlcAttr attr)
{
    size_t n = attr->array.size;
    bool splat = n == 1;
    put(out, MLIR_ATTR_DENSE_STRING);
    put(out, type_index(w, mlc_attr_type(attr)));
    put(out, splat);
    for (size_t i = 0; i < n; i++)
        put(out, string_index(w, mlc_dense_string_attr_element(attr, i)));
}

static void
put_resource(Writer *w, MlcBuf *out, MlcAttr attr)
{
    uint64_t key = string_index(w, mlc_dense_resource_attr_key(attr)), index;
    if (!mlc_map_get_u64(&w->resource_index, key + 1, &index)) { // 0 is no key of a map
        index = w->resources.size;
        mlc_map_set_u64(&w->resource_index, key + 1, index);
        mlc_vec_push(&w->resources, attr);
    }
    put(out, MLIR_ATTR_DENSE_RESOURCE);
    put(out, type_index(w, mlc_attr_type(attr)));
    put(out, index);
}

static void
put_dense_array(Writer *w, MlcBuf *out, MlcAttr attr)
{
    MlcType element = mlc_dense_array_attr_element_type(attr);
    size_t n = mlc_dense_array_attr_size(attr);
    put(out, MLIR_ATTR_DENSE_ARRAY);
    put(out, type_index(w, element));
    put(out, n);
    put_blob(out, mlc_dense_array_attr_data(attr), n * mlc_elements_attr_element_bytes(element));
}

// Collections: false if it is none.
static bool
put_collection(Writer *w, MlcBuf *out, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_ARRAY:
        put(out, MLIR_ATTR_ARRAY);
        put(out, mlc_array_attr_size(attr));
        for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
            put(out, attr_index(w, mlc_array_attr_element(attr, i)));
        return true;
    case MLC_ATTR_DICT:
        put(out, MLIR_ATTR_DICT);
        put(out, mlc_dict_attr_size(attr));
        for (size_t i = 0; i < mlc_dict_attr_size(attr); i++) {
            put(out, attr_index(w, mlc_dict_attr_entry(attr, i).name));
            put(out, attr_index(w, mlc_dict_attr_entry(attr, i).value));
        }
        return true;
    case MLC_ATTR_DENSE:
        put_dense(w, out, attr);
        return true;
    case MLC_ATTR_DENSE_STRING:
        put_dense_string(w, out, attr);
        return true;
    case MLC_ATTR_DENSE_RESOURCE:
        put_resource(w, out, attr);
        return true;
    case MLC_ATTR_SPARSE:
        put(out, MLIR_ATTR_SPARSE);
        put(out, type_index(w, mlc_attr_type(attr)));
        put(out, attr_index(w, mlc_sparse_attr_indices(attr)));
        put(out, attr_index(w, mlc_sparse_attr_values(attr)));
        return true;
    case MLC_ATTR_DENSE_ARRAY:
        put_dense_array(w, out, attr);
        return true;
    default:
        return false;
    }
}

// False: it has no encoding, and stands as text.
static bool
put_attr(Writer *w, MlcBuf *out, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_UNIT:
        put(out, MLIR_ATTR_UNIT);
        return true;
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
        put_number(w, out, attr);
        return true;
    case MLC_ATTR_STRING:
        put(out, mlc_attr_type(attr) ? MLIR_ATTR_TYPED_STRING : MLIR_ATTR_STRING);
        put(out, string_index(w, mlc_string_attr_value(attr)));
        if (mlc_attr_type(attr))
            put(out, type_index(w, mlc_attr_type(attr)));
        return true;
    case MLC_ATTR_TYPE:
        put(out, MLIR_ATTR_TYPE);
        put(out, type_index(w, mlc_type_attr_value(attr)));
        return true;
    case MLC_ATTR_SYMBOL_REF:
        put_symbol(w, out, attr);
        return true;
    case MLC_ATTR_DISTINCT:
        put(out, MLIR_ATTR_DISTINCT);
        put(out, attr_index(w, mlc_distinct_attr_referenced(attr)));
        return true;
    default:
        return put_collection(w, out, attr);
    }
}

static MlcStr
attr_dialect(MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_DIALECT:
        return mlc_str(mlc_dialect_attr_def(attr)->dialect->name);
    case MLC_ATTR_OPAQUE:
        return mlc_opaque_attr_dialect(attr);
    default:
        return mlc_str("builtin");
    }
}

static uint64_t
attr_index(Writer *w, MlcAttr attr)
{
    uint64_t index;
    if (mlc_attr_is(attr, MLC_ATTR_LOC))
        return loc_index(w, mlc_attr_as_loc(attr));
    if (known(&w->attrs, attr, &index))
        return index;
    Entry entry = {0};
    entry.is_custom = put_attr(w, &entry.bytes, attr);
    if (!entry.is_custom) {
        mlc_attr_print(attr, &entry.bytes);
        put_byte(&entry.bytes, 0);
    }
    entry.dialect = dialect_index(w, attr_dialect(attr));
    return add_entry(&w->attrs, attr, entry);
}

static void
put_fused(Writer *w, MlcBuf *out, MlcLoc loc)
{
    MlcAttr metadata = mlc_loc_metadata(loc);
    put(out, metadata ? MLIR_ATTR_LOC_FUSED_METADATA : MLIR_ATTR_LOC_FUSED);
    put(out, mlc_loc_num_children(loc));
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++)
        put(out, loc_index(w, mlc_loc_child(loc, i)));
    if (metadata)
        put(out, attr_index(w, metadata));
}

static uint64_t
loc_index(Writer *w, MlcLoc loc)
{
    uint64_t index;
    if (known(&w->attrs, loc, &index))
        return index;
    Entry entry = {.is_custom = true};
    MlcBuf *out = &entry.bytes;
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_UNKNOWN:
        put(out, MLIR_ATTR_LOC_UNKNOWN);
        break;
    case MLC_LOC_FILE:
        put(out, MLIR_ATTR_LOC_FILE);
        put(out, string_attr_index(w, mlc_loc_file_name(w->ctx, loc)));
        put(out, mlc_loc_line(loc));
        put(out, mlc_loc_column(loc));
        break;
    case MLC_LOC_NAME:
        put(out, MLIR_ATTR_LOC_NAME);
        put(out, string_attr_index(w, mlc_loc_name_str(loc)));
        put(out, loc_index(w, mlc_loc_child(loc, 0)));
        break;
    case MLC_LOC_CALLSITE:
        put(out, MLIR_ATTR_LOC_CALLSITE);
        put(out, loc_index(w, mlc_loc_child(loc, 0)));
        put(out, loc_index(w, mlc_loc_child(loc, 1)));
        break;
    case MLC_LOC_FUSED:
        put_fused(w, out, loc);
        break;
    }
    entry.dialect = dialect_index(w, mlc_str("builtin"));
    return add_entry(&w->attrs, loc, entry);
}

// ---- ops

// What follows the dialect and its dot; a name in which nothing does is all dialect.
static const char *
name_in_dialect(const MlcOpDef *def)
{
    const char *dot = strchr(def->name, '.');
    return dot && dot[1] ? dot + 1 : "";
}

static uint64_t
name_index(Writer *w, const MlcOpDef *def)
{
    uint64_t index;
    if (mlc_map_get_u64(&w->name_index, mlc_word(def), &index))
        return index;
    const char *rest = name_in_dialect(def);
    size_t size = strlen(def->name) - (*rest ? strlen(rest) + 1 : 0);
    Name name = {.def = def, .dialect = dialect_index(w, mlc_str_n(def->name, size))};
    name.order = MLC_NEW_ARRAY(&w->arena, uint16_t, def->num_attrs);
    mlir_order_slots(def, name.order);
    string_index(w, mlc_str(rest));
    mlc_map_set_u64(&w->name_index, mlc_word(def), w->names.size);
    mlc_vec_push(&w->names, name);
    return w->names.size - 1;
}

static void
put_segments(MlcBuf *out, MlcAttr sizes)
{
    size_t n = mlc_int_list_attr_size(sizes);
    put_flagged(out, n, false); // all of them
    for (size_t i = 0; i < n; i++) {
        int64_t size = 0;
        (void)mlc_int_list_attr_get(sizes, i, &size);
        put(out, (uint64_t)size);
    }
}

static void
put_inherent(Writer *w, MlcBuf *out, const MlcAttrSlot *slot, MlcAttr attr)
{
    if (slot->is_number)
        put(out, attr ? (uint64_t)mlc_enum_attr_value(attr) : 0);
    else if (!slot->optional && !slot->default_text) // verified IR has it
        put(out, attr_index(w, attr ? attr : mlc_unit_attr_get(w->ctx)));
    else if (attr)
        put_flagged(out, attr_index(w, attr), true);
    else
        put(out, 0);
}

static uint64_t
op_properties_index(Writer *w, MlcOp *op, const Name *name)
{
    const MlcOpDef *def = op->def;
    const MlcAttr *slots = mlc_op_slots_(op);
    MlcBuf bytes = {0};
    if (!def->dialect)
        put(&bytes, attr_index(w, slots[0]));
    for (size_t i = 0; def->dialect && i < def->num_attrs; i++)
        if (!mlir_is_segments(def, name->order[i]))
            put_inherent(w, &bytes, &def->attrs[name->order[i]], slots[name->order[i]]);
    for (size_t slot = 0; def->dialect && slot < def->num_attrs; slot++)
        if (mlir_is_segments(def, slot))
            put_segments(&bytes, slots[slot]);
    uint64_t index = properties_index(w, mlc_buf_str(&bytes));
    mlc_buf_release(&bytes);
    return index;
}

// A region's own values come first, in the order of their definition.
static uint64_t
number_region(Writer *w, MlcRegion *region, uint64_t first)
{
    uint64_t next = first, blocks = 0;
    MLC_FOR_EACH_BLOCK (block, region) {
        mlc_map_set_u64(&w->numbers, mlc_word(block), blocks++);
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            mlc_map_set_u64(&w->numbers, mlc_word(mlc_block_arg(block, i)), next++);
        MLC_FOR_EACH_OP (op, block)
            for (size_t i = 0; i < mlc_op_num_results(op); i++)
                mlc_map_set_u64(&w->numbers, mlc_word(mlc_op_result(op, i)), next++);
    }
    return next;
}

static MlcLoc
loc_of(const Writer *w, MlcLoc loc)
{
    return w->options.strip_locations ? mlc_loc_unknown(w->ctx) : loc;
}

static void put_op(Writer *w, MlcBuf *out, MlcOp *op, uint64_t next);

static void
put_args(Writer *w, MlcBuf *out, MlcBlock *block)
{
    put(out, mlc_block_num_args(block));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcLoc loc = loc_of(w, mlc_block_arg_loc(block, i));
        bool has_loc = mlc_loc_kind(loc) != MLC_LOC_UNKNOWN;
        put_flagged(out, type_index(w, mlc_value_type(mlc_block_arg(block, i))), has_loc);
        if (has_loc)
            put(out, loc_index(w, loc));
    }
    put_byte(out, 0); // no orders of uses
}

// `first`: the number of its first value.
static void
put_region(Writer *w, MlcBuf *out, MlcRegion *region, uint64_t first)
{
    uint64_t blocks = 0, next = number_region(w, region, first);
    MLC_FOR_EACH_BLOCK (block, region)
        blocks++;
    put(out, blocks);
    if (blocks == 0)
        return;
    put(out, next - first);
    MLC_FOR_EACH_BLOCK (block, region) {
        uint64_t ops = 0;
        MLC_FOR_EACH_OP (op, block)
            ops++;
        put_flagged(out, ops, mlc_block_num_args(block) > 0);
        if (mlc_block_num_args(block) > 0)
            put_args(w, out, block);
        MLC_FOR_EACH_OP (op, block)
            put_op(w, out, op, next);
    }
}

static void
put_section(MlcBuf *out, MlirSection id, const MlcBuf *data, size_t alignment)
{
    put_byte(out, id | (alignment > 1 ? 0x80 : 0));
    put(out, data->size);
    if (alignment > 1) {
        put(out, alignment);
        pad(out, alignment);
    }
    mlc_buf_append_str(out, mlc_buf_str(data));
}

static void
put_regions(Writer *w, MlcBuf *out, MlcOp *op, uint64_t next)
{
    MlcBuf section = {0}, *to = op->is_isolated ? &section : out;
    put_flagged(out, op->num_regions, op->is_isolated);
    for (size_t i = 0; i < op->num_regions; i++)
        put_region(w, to, mlc_op_region(op, i), op->is_isolated ? 0 : next);
    if (op->is_isolated)
        put_section(out, MLIR_SECTION_IR, &section, 1);
    mlc_buf_release(&section);
}

// `next`: the number of the first value of a region inside.
static void
put_op(Writer *w, MlcBuf *out, MlcOp *op, uint64_t next)
{
    uint64_t index = name_index(w, op->def);
    bool has_properties = op->def->dialect ? op->def->num_attrs > 0 : mlc_op_slots_(op)[0] != NULL;
    put(out, index);
    put_byte(out, (op->dict ? MLIR_OP_ATTRS : 0) | (op->num_results ? MLIR_OP_RESULTS : 0) |
                      (op->num_operands ? MLIR_OP_OPERANDS : 0) |
                      (op->num_successors ? MLIR_OP_SUCCESSORS : 0) |
                      (op->num_regions ? MLIR_OP_REGIONS : 0) |
                      (has_properties ? MLIR_OP_PROPERTIES : 0));
    put(out, loc_index(w, loc_of(w, op->loc)));
    if (op->dict)
        put(out, attr_index(w, op->dict));
    if (has_properties)
        put(out, op_properties_index(w, op, &w->names.data[index]));
    if (op->num_results)
        put(out, op->num_results);
    for (size_t i = 0; i < op->num_results; i++)
        put(out, type_index(w, mlc_value_type(mlc_op_result(op, i))));
    if (op->num_operands)
        put(out, op->num_operands);
    for (size_t i = 0; i < op->num_operands; i++)
        put(out, bytecode_number_of(&w->numbers, mlc_op_operand(op, i)));
    if (op->num_successors)
        put(out, op->num_successors);
    for (size_t i = 0; i < op->num_successors; i++)
        put(out, bytecode_number_of(&w->numbers, mlc_op_successor(op, i)));
    if (op->num_regions)
        put_regions(w, out, op, next);
}

// ---- the file

static void
put_strings(Writer *w, MlcBuf *out)
{
    put(out, w->strings.size);
    for (size_t i = w->strings.size; i-- > 0;)
        put(out, w->strings.data[i].size + 1);
    for (size_t i = 0; i < w->strings.size; i++)
        mlc_buf_append(out, w->strings.data[i].data, w->strings.data[i].size + 1);
}

static void
put_dialects(Writer *w, MlcBuf *out)
{
    put(out, w->dialects.size);
    for (size_t i = 0; i < w->dialects.size; i++)
        put_flagged(out, string_index(w, w->dialects.data[i]), false); // no version
    put(out, w->names.size);
    for (size_t i = 0, end; i < w->names.size; i = end) {
        for (end = i;
             end < w->names.size && w->names.data[end].dialect == w->names.data[i].dialect;)
            end++;
        put(out, w->names.data[i].dialect);
        put(out, end - i);
        for (size_t k = i; k < end; k++) {
            const MlcOpDef *def = w->names.data[k].def;
            put_flagged(out, string_index(w, mlc_str(name_in_dialect(def))), def->dialect != NULL);
        }
    }
}

static void
put_entries(const Entries *entries, MlcBuf *sizes, MlcBuf *bytes)
{
    for (size_t i = 0, end; i < entries->list.size; i = end) {
        uint64_t dialect = entries->list.data[i].dialect;
        for (end = i; end < entries->list.size && entries->list.data[end].dialect == dialect;)
            end++;
        put(sizes, dialect);
        put(sizes, end - i);
        for (size_t k = i; k < end; k++) {
            const Entry *entry = &entries->list.data[k];
            put_flagged(sizes, entry->bytes.size, entry->is_custom);
            mlc_buf_append_str(bytes, mlc_buf_str(&entry->bytes));
        }
    }
}

static void
put_properties(Writer *w, MlcBuf *out)
{
    put(out, w->properties.size);
    for (size_t i = 0; i < w->properties.size; i++)
        put_blob(out, w->properties.data[i].data, w->properties.data[i].size);
}

typedef struct ResourceSections {
    MlcBuf sizes, bytes;
    size_t alignment;
    size_t start; // of the resource being written
} ResourceSections;

static void
put_resource_blob(ResourceSections *s, const void *data, size_t size, size_t alignment)
{
    s->alignment = alignment > s->alignment ? alignment : s->alignment;
    put(&s->bytes, alignment);
    put(&s->bytes, size);
    pad(&s->bytes, alignment);
    mlc_buf_append(&s->bytes, data, size);
}

// Kind: 0 a blob, 1 a bool, 2 a string. No bytes: a declaration.
static void
finish_resource(Writer *w, ResourceSections *s, MlcStr key, unsigned kind)
{
    put(&s->sizes, string_index(w, key));
    put(&s->sizes, s->bytes.size - s->start);
    put_byte(&s->sizes, kind);
    s->start = s->bytes.size;
}

// The bytes behind "0x", of which the first four are the alignment; false if it is no such text.
static bool
put_hex_blob(ResourceSections *s, MlcStr text)
{
    MlcBuf bytes = {0};
    bool ok = text.size >= 10 && text.size % 2 == 0 && memcmp(text.data, "0x", 2) == 0;
    for (size_t i = 2; ok && i < text.size; i += 2) {
        char pair[3] = {text.data[i], text.data[i + 1], 0}, *end;
        put_byte(&bytes, (unsigned)strtoul(pair, &end, 16));
        ok = *end == '\0' && pair[0] != '-' && pair[0] != '+' && pair[0] != ' ';
    }
    uint32_t alignment = 0;
    if (ok)
        memcpy(&alignment, bytes.data, 4);
    ok = ok && alignment > 0 && alignment <= 4096 && (alignment & (alignment - 1)) == 0;
    if (ok)
        put_resource_blob(s, bytes.data + 4, bytes.size - 4, alignment);
    mlc_buf_release(&bytes);
    return ok;
}

static void
put_external_resource(Writer *w, ResourceSections *s, const MlcExternalResource *r)
{
    bool is_true = mlc_str_equal(r->value, mlc_str("true"));
    unsigned kind = 1;
    if (is_true || mlc_str_equal(r->value, mlc_str("false"))) {
        put_byte(&s->bytes, is_true);
    } else {
        MlcAttr string = mlc_parse_attr(w->ctx, r->value);
        MlcStr text =
            mlc_attr_is(string, MLC_ATTR_STRING) ? mlc_string_attr_value(string) : r->value;
        kind = put_hex_blob(s, text) ? 0 : 2;
        if (kind == 2)
            put(&s->bytes, string_index(w, text));
    }
    finish_resource(w, s, r->key, kind);
}

// Entries of a section stand together.
static size_t
section_end(const MlcExternalResources *list, size_t first)
{
    size_t end = first;
    while (end < mlc_external_resources_size(list) &&
           mlc_str_equal(mlc_external_resources_at(list, end)->section,
                         mlc_external_resources_at(list, first)->section))
        end++;
    return end;
}

static void
put_resources(Writer *w, ResourceSections *s)
{
    const MlcExternalResources *external = w->options.elide_resources ? NULL : w->options.external;
    size_t n = external ? mlc_external_resources_size(external) : 0, groups = 0;
    for (size_t i = 0; i < n; i = section_end(external, i))
        groups++;
    put(&s->sizes, groups);
    for (size_t i = 0, end; i < n; i = end) {
        end = section_end(external, i);
        put(&s->sizes, string_index(w, mlc_external_resources_at(external, i)->section));
        put(&s->sizes, end - i);
        for (size_t k = i; k < end; k++)
            put_external_resource(w, s, mlc_external_resources_at(external, k));
    }
    if (w->resources.size == 0)
        return;
    put(&s->sizes, dialect_index(w, mlc_str("builtin")));
    put(&s->sizes, w->resources.size);
    for (size_t i = 0; i < w->resources.size; i++) {
        MlcBlob *blob = mlc_dense_resource_attr_blob(w->resources.data[i]);
        if (blob && !w->options.elide_resources)
            put_resource_blob(s, mlc_blob_data(blob), mlc_blob_size(blob),
                              mlc_blob_alignment(blob));
        finish_resource(w, s, mlc_dense_resource_attr_key(w->resources.data[i]), 0);
    }
}

static void
release(Writer *w)
{
    Entries *both[] = {&w->attrs, &w->types};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < both[i]->list.size; k++)
            mlc_buf_release(&both[i]->list.data[k].bytes);
        mlc_vec_release(&both[i]->list);
        mlc_map_release(&both[i]->index);
    }
    mlc_str_map_release(&w->string_index);
    mlc_str_map_release(&w->dialect_index);
    mlc_str_map_release(&w->properties_index);
    mlc_vec_release(&w->strings);
    mlc_vec_release(&w->dialects);
    mlc_vec_release(&w->properties);
    mlc_map_release(&w->name_index);
    mlc_vec_release(&w->names);
    mlc_map_release(&w->resource_index);
    mlc_vec_release(&w->resources);
    mlc_map_release(&w->numbers);
    mlc_arena_release(&w->arena);
}

// Into a buffer of its own, since alignment counts from the start of the file.
static void
put_file(Writer *w, MlcOp *op, MlcBuf *out)
{
    MlcBuf sections[MLIR_NUM_SECTIONS] = {0}, *ir = &sections[MLIR_SECTION_IR];
    MlcBuf *sizes = &sections[MLIR_SECTION_ENTRY_SIZES], *entries = &sections[MLIR_SECTION_ENTRIES];
    ResourceSections resources = {.alignment = 1};
    put_flagged(ir, 1, false);
    put_op(w, ir, op, 0);
    put_resources(w, &resources);
    put(sizes, w->attrs.list.size);
    put(sizes, w->types.list.size);
    put_entries(&w->attrs, sizes, entries);
    put_entries(&w->types, sizes, entries);
    put_properties(w, &sections[MLIR_SECTION_PROPERTIES]);
    put_dialects(w, &sections[MLIR_SECTION_DIALECTS]);
    put_strings(w, &sections[MLIR_SECTION_STRINGS]); // all are known now
    mlc_buf_append(out, mlir_bytecode_magic, sizeof mlir_bytecode_magic);
    put(out, MLIR_BYTECODE_VERSION);
    mlc_buf_append(out, "mlc", 4);
    put_section(out, MLIR_SECTION_STRINGS, &sections[MLIR_SECTION_STRINGS], 1);
    put_section(out, MLIR_SECTION_DIALECTS, &sections[MLIR_SECTION_DIALECTS], 1);
    put_section(out, MLIR_SECTION_PROPERTIES, &sections[MLIR_SECTION_PROPERTIES], 1);
    put_section(out, MLIR_SECTION_ENTRIES, entries, 1);
    put_section(out, MLIR_SECTION_ENTRY_SIZES, sizes, 1);
    put_section(out, MLIR_SECTION_IR, ir, 1);
    if (resources.sizes.size > 1) { // more than "no groups"
        put_section(out, MLIR_SECTION_RESOURCES, &resources.bytes, resources.alignment);
        put_section(out, MLIR_SECTION_RESOURCE_SIZES, &resources.sizes, 1);
    }
    for (size_t i = 0; i < MLIR_NUM_SECTIONS; i++)
        mlc_buf_release(&sections[i]);
    mlc_buf_release(&resources.sizes);
    mlc_buf_release(&resources.bytes);
}

void
mlir_bytecode_write(MlcOp *op, const MlcBytecodeWriteOptions *options, MlcBuf *out)
{
    Writer w = {.ctx = op->ctx, .options = *options};
    MlcBuf file = {0};
    mlc_arena_init(&w.arena);
    put_file(&w, op, &file);
    mlc_buf_append_str(out, mlc_buf_str(&file));
    mlc_buf_release(&file);
    release(&w);
}
