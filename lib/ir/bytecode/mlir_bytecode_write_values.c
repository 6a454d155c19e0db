// mlir_bytecode_write_values.c -- types, attributes and locations in MLIR's bytecode: entries of
// two tables, made when they are first used.
#include "mlir_bytecode_write.h"

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"

// ---- numbers

void
mlir_put(MlcBuf *out, uint64_t value)
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

void
mlir_put_flagged(MlcBuf *out, uint64_t value, bool flag)
{
    mlir_put(out, value << 1 | flag);
}

void
mlir_put_signed(MlcBuf *out, int64_t value)
{
    mlir_put(out, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

void
mlir_put_byte(MlcBuf *out, unsigned byte)
{
    mlc_buf_append_char(out, (char)byte);
}

void
mlir_put_blob(MlcBuf *out, const void *data, size_t size)
{
    mlir_put(out, size);
    mlc_buf_append(out, data, size);
}

void
mlir_pad(MlcBuf *out, size_t alignment)
{
    while (alignment > 1 && out->size % alignment)
        mlir_put_byte(out, MLIR_PADDING);
}

// ---- tables

uint64_t
mlir_string_index(MlirWriter *w, MlcStr string)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->string_index, string, &index))
        return index;
    MlcStr copy = mlc_arena_strdup(&w->arena, string);
    mlc_str_map_set_u64(&w->string_index, copy, w->strings.size);
    mlc_vec_push(&w->strings, copy);
    return w->strings.size - 1;
}

uint64_t
mlir_dialect_index(MlirWriter *w, MlcStr name)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->dialect_index, name, &index))
        return index;
    index = mlir_string_index(w, name);
    MlcStr copy = w->strings.data[index];
    mlc_str_map_set_u64(&w->dialect_index, copy, w->dialects.size);
    mlc_vec_push(&w->dialects, copy);
    return w->dialects.size - 1;
}

static bool
known(const MlirWrittenEntries *entries, const void *value, uint64_t *index)
{
    return mlc_map_get_u64(&entries->index, mlc_word(value), index);
}

static uint64_t
add_entry(MlirWrittenEntries *entries, const void *value, MlirWrittenEntry entry)
{
    mlc_map_set_u64(&entries->index, mlc_word(value), entries->list.size);
    mlc_vec_push(&entries->list, entry);
    return entries->list.size - 1;
}

static uint64_t
string_attr_index(MlirWriter *w, MlcStr string)
{
    return mlir_attr_index(w, mlc_string_attr_get(w->ctx, string));
}

// ---- types

static void
put_shape(MlcBuf *out, MlcType type)
{
    mlir_put(out, mlc_type_rank(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        mlir_put_signed(out, mlc_type_dim(type, i));
}

static void
put_vector(MlirWriter *w, MlcBuf *out, MlcType type)
{
    bool is_scalable = false;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        is_scalable |= mlc_vector_type_is_scalable(type, i);
    mlir_put(out, is_scalable ? MLIR_TYPE_VECTOR_SCALABLE : MLIR_TYPE_VECTOR);
    if (is_scalable)
        mlir_put(out, mlc_type_rank(type));
    for (size_t i = 0; is_scalable && i < mlc_type_rank(type); i++)
        mlir_put_byte(out, mlc_vector_type_is_scalable(type, i));
    put_shape(out, type);
    mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
}

static void
put_memref(MlirWriter *w, MlcBuf *out, MlcType type)
{
    MlcAttr space = mlc_memref_type_memory_space(type), layout = mlc_memref_type_layout(type);
    if (!layout)
        layout =
            mlc_affine_map_attr_get(mlc_affine_map_identity(w->ctx, (unsigned)mlc_type_rank(type)));
    mlir_put(out, space ? MLIR_TYPE_MEMREF_SPACE : MLIR_TYPE_MEMREF);
    if (space)
        mlir_put(out, mlir_attr_index(w, space));
    put_shape(out, type);
    mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
    mlir_put(out, mlir_attr_index(w, layout));
}

static void
put_unranked_memref(MlirWriter *w, MlcBuf *out, MlcType type)
{
    MlcAttr space = mlc_memref_type_memory_space(type);
    mlir_put(out, space ? MLIR_TYPE_UNRANKED_MEMREF_SPACE : MLIR_TYPE_UNRANKED_MEMREF);
    if (space)
        mlir_put(out, mlir_attr_index(w, space));
    mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
}

static void
put_tensor(MlirWriter *w, MlcBuf *out, MlcType type)
{
    MlcAttr encoding = mlc_tensor_type_encoding(type);
    mlir_put(out, encoding ? MLIR_TYPE_TENSOR_ENCODING : MLIR_TYPE_TENSOR);
    if (encoding)
        mlir_put(out, mlir_attr_index(w, encoding));
    put_shape(out, type);
    mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
}

static void
put_types(MlirWriter *w, MlcBuf *out, const MlcType *types, size_t n)
{
    mlir_put(out, n);
    for (size_t i = 0; i < n; i++)
        mlir_put(out, mlir_type_index(w, types[i]));
}

static bool
put_float_type(MlcBuf *out, MlcType type)
{
    switch (mlc_float_type_kind(type)) {
    case MLC_FLOAT_BF16:
        mlir_put(out, MLIR_TYPE_BF16);
        return true;
    case MLC_FLOAT_F16:
        mlir_put(out, MLIR_TYPE_F16);
        return true;
    case MLC_FLOAT_F32:
        mlir_put(out, MLIR_TYPE_F32);
        return true;
    case MLC_FLOAT_F64:
        mlir_put(out, MLIR_TYPE_F64);
        return true;
    case MLC_FLOAT_F80:
        mlir_put(out, MLIR_TYPE_F80);
        return true;
    case MLC_FLOAT_F128:
        mlir_put(out, MLIR_TYPE_F128);
        return true;
    default:
        return false;
    }
}

// False: it has no encoding, and stands as text.
static bool
put_type(MlirWriter *w, MlcBuf *out, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
        mlir_put(out, MLIR_TYPE_INTEGER);
        mlir_put(out,
                 (uint64_t)mlc_integer_type_width(type) << 2 | mlc_integer_type_signedness(type));
        return true;
    case MLC_TYPE_INDEX:
        mlir_put(out, MLIR_TYPE_INDEX);
        return true;
    case MLC_TYPE_NONE:
        mlir_put(out, MLIR_TYPE_NONE);
        return true;
    case MLC_TYPE_FLOAT:
        return put_float_type(out, type);
    case MLC_TYPE_COMPLEX:
        mlir_put(out, MLIR_TYPE_COMPLEX);
        mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
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
        mlir_put(out, MLIR_TYPE_UNRANKED_TENSOR);
        mlir_put(out, mlir_type_index(w, mlc_type_element(type)));
        return true;
    case MLC_TYPE_UNRANKED_MEMREF:
        put_unranked_memref(w, out, type);
        return true;
    case MLC_TYPE_FUNCTION:
        mlir_put(out, MLIR_TYPE_FUNCTION);
        put_types(w, out, mlc_function_type_inputs(type), mlc_function_type_num_inputs(type));
        put_types(w, out, mlc_function_type_results(type), mlc_function_type_num_results(type));
        return true;
    case MLC_TYPE_TUPLE:
        mlir_put(out, MLIR_TYPE_TUPLE);
        mlir_put(out, mlc_tuple_type_size(type));
        for (size_t i = 0; i < mlc_tuple_type_size(type); i++)
            mlir_put(out, mlir_type_index(w, mlc_tuple_type_element(type, i)));
        return true;
    case MLC_TYPE_DIALECT:
    case MLC_TYPE_OPAQUE:
        return false;
    }
    return false;
}

uint64_t
mlir_type_index(MlirWriter *w, MlcType type)
{
    uint64_t index;
    if (known(&w->types, type, &index))
        return index;
    MlirWrittenEntry entry = {0};
    entry.is_custom = put_type(w, &entry.bytes, type);
    if (!entry.is_custom) {
        mlc_type_print(type, &entry.bytes);
        mlir_put_byte(&entry.bytes, 0);
    }
    MlcTypeKind kind = mlc_type_kind(type);
    entry.dialect = mlir_dialect_index(w, kind == MLC_TYPE_DIALECT
                                              ? mlc_str(mlc_dialect_type_def(type)->dialect->name)
                                          : kind == MLC_TYPE_OPAQUE ? mlc_opaque_type_dialect(type)
                                                                    : mlc_str("builtin"));
    return add_entry(&w->types, type, entry);
}

// ---- attributes

static void
put_number(MlirWriter *w, MlcBuf *out, MlcAttr attr)
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
    mlir_put(out, is_float ? MLIR_ATTR_FLOAT : MLIR_ATTR_INTEGER);
    mlir_put(out, mlir_type_index(w, type));
    if (width <= 8) {
        mlir_put_byte(out, (unsigned)(words[0] & 0xff));
        return;
    }
    while (n > 1 && words[n - 1] == 0)
        n--;
    if (width > 64)
        mlir_put(out, n);
    for (size_t i = 0; i < n; i++)
        mlir_put_signed(out, (int64_t)words[i]);
}

static void
put_symbol(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    size_t n = mlc_symbol_ref_attr_size(attr);
    mlir_put(out, n == 1 ? MLIR_ATTR_FLAT_SYMBOL : MLIR_ATTR_SYMBOL);
    mlir_put(out, string_attr_index(w, mlc_symbol_ref_attr_name(attr, 0)));
    if (n > 1)
        mlir_put(out, n - 1);
    for (size_t i = 1; i < n; i++)
        mlir_put(out, mlir_attr_index(
                          w, mlc_symbol_ref_attr_get(w->ctx, mlc_symbol_ref_attr_name(attr, i))));
}

// Bools are packed; a splat of true is a byte of ones.
static void
put_bools(MlcBuf *out, const uint8_t *data, size_t n, bool splat)
{
    if (splat) {
        mlir_put_blob(out, &(uint8_t){data[0] ? 0xff : 0}, 1);
        return;
    }
    mlir_put(out, (n + 7) / 8);
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t k = i; k < n && k < i + 8; k++)
            byte |= (unsigned)data[k] << (k - i);
        mlir_put_byte(out, byte);
    }
}

static void
put_dense(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    MlcType type = mlc_attr_type(attr), element = mlc_type_element(type), scalar = element;
    size_t size, parts = mlc_type_is(element, MLC_TYPE_COMPLEX) ? 2 : 1;
    const char *data = mlc_elements_attr_data(attr, &size);
    if (parts == 2)
        scalar = mlc_type_element(element);
    mlir_put(out, MLIR_ATTR_DENSE);
    mlir_put(out, mlir_type_index(w, type));
    if (mlc_type_is_integer(element, 1)) {
        put_bools(out, (const uint8_t *)data, size, mlc_elements_attr_is_splat(attr));
        return;
    }
    size_t from = mlc_elements_attr_element_bytes(element) / parts,
           to = (mlc_type_bit_width(scalar) + 7) / 8; // whole bytes, not powers of two
    mlir_put(out, size / from * to);
    for (size_t i = 0; from != to && i < size; i += from)
        mlc_buf_append(out, data + i, to);
    if (from == to)
        mlc_buf_append(out, data, size);
}

static void
put_dense_string(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    size_t n = attr->array.size;
    bool splat = n == 1;
    mlir_put(out, MLIR_ATTR_DENSE_STRING);
    mlir_put(out, mlir_type_index(w, mlc_attr_type(attr)));
    mlir_put(out, splat);
    for (size_t i = 0; i < n; i++)
        mlir_put(out, mlir_string_index(w, mlc_dense_string_attr_element(attr, i)));
}

static void
put_resource(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    uint64_t key = mlir_string_index(w, mlc_dense_resource_attr_key(attr)), index;
    if (!mlc_map_get_u64(&w->resource_index, key + 1, &index)) { // 0 is no key of a map
        index = w->resources.size;
        mlc_map_set_u64(&w->resource_index, key + 1, index);
        mlc_vec_push(&w->resources, attr);
    }
    mlir_put(out, MLIR_ATTR_DENSE_RESOURCE);
    mlir_put(out, mlir_type_index(w, mlc_attr_type(attr)));
    mlir_put(out, index);
}

static void
put_dense_array(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    MlcType element = mlc_dense_array_attr_element_type(attr);
    size_t n = mlc_dense_array_attr_size(attr);
    mlir_put(out, MLIR_ATTR_DENSE_ARRAY);
    mlir_put(out, mlir_type_index(w, element));
    mlir_put(out, n);
    mlir_put_blob(out, mlc_dense_array_attr_data(attr),
                  n * mlc_elements_attr_element_bytes(element));
}

// Collections: false if it is none.
static bool
put_collection(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_ARRAY:
        mlir_put(out, MLIR_ATTR_ARRAY);
        mlir_put(out, mlc_array_attr_size(attr));
        for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
            mlir_put(out, mlir_attr_index(w, mlc_array_attr_element(attr, i)));
        return true;
    case MLC_ATTR_DICT:
        mlir_put(out, MLIR_ATTR_DICT);
        mlir_put(out, mlc_dict_attr_size(attr));
        for (size_t i = 0; i < mlc_dict_attr_size(attr); i++) {
            mlir_put(out, mlir_attr_index(w, mlc_dict_attr_entry(attr, i).name));
            mlir_put(out, mlir_attr_index(w, mlc_dict_attr_entry(attr, i).value));
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
        mlir_put(out, MLIR_ATTR_SPARSE);
        mlir_put(out, mlir_type_index(w, mlc_attr_type(attr)));
        mlir_put(out, mlir_attr_index(w, mlc_sparse_attr_indices(attr)));
        mlir_put(out, mlir_attr_index(w, mlc_sparse_attr_values(attr)));
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
put_attr(MlirWriter *w, MlcBuf *out, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_UNIT:
        mlir_put(out, MLIR_ATTR_UNIT);
        return true;
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
        put_number(w, out, attr);
        return true;
    case MLC_ATTR_STRING:
        mlir_put(out, mlc_attr_type(attr) ? MLIR_ATTR_TYPED_STRING : MLIR_ATTR_STRING);
        mlir_put(out, mlir_string_index(w, mlc_string_attr_value(attr)));
        if (mlc_attr_type(attr))
            mlir_put(out, mlir_type_index(w, mlc_attr_type(attr)));
        return true;
    case MLC_ATTR_TYPE:
        mlir_put(out, MLIR_ATTR_TYPE);
        mlir_put(out, mlir_type_index(w, mlc_type_attr_value(attr)));
        return true;
    case MLC_ATTR_SYMBOL_REF:
        put_symbol(w, out, attr);
        return true;
    case MLC_ATTR_DISTINCT:
        mlir_put(out, MLIR_ATTR_DISTINCT);
        mlir_put(out, mlir_attr_index(w, mlc_distinct_attr_referenced(attr)));
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

uint64_t
mlir_attr_index(MlirWriter *w, MlcAttr attr)
{
    uint64_t index;
    if (mlc_attr_is(attr, MLC_ATTR_LOC))
        return mlir_loc_index(w, mlc_attr_as_loc(attr));
    if (known(&w->attrs, attr, &index))
        return index;
    MlirWrittenEntry entry = {0};
    entry.is_custom = put_attr(w, &entry.bytes, attr);
    if (!entry.is_custom) {
        mlc_attr_print(attr, &entry.bytes);
        mlir_put_byte(&entry.bytes, 0);
    }
    entry.dialect = mlir_dialect_index(w, attr_dialect(attr));
    return add_entry(&w->attrs, attr, entry);
}

static void
put_fused(MlirWriter *w, MlcBuf *out, MlcLoc loc)
{
    MlcAttr metadata = mlc_loc_metadata(loc);
    mlir_put(out, metadata ? MLIR_ATTR_LOC_FUSED_METADATA : MLIR_ATTR_LOC_FUSED);
    mlir_put(out, mlc_loc_num_children(loc));
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++)
        mlir_put(out, mlir_loc_index(w, mlc_loc_child(loc, i)));
    if (metadata)
        mlir_put(out, mlir_attr_index(w, metadata));
}

uint64_t
mlir_loc_index(MlirWriter *w, MlcLoc loc)
{
    uint64_t index;
    if (known(&w->attrs, loc, &index))
        return index;
    MlirWrittenEntry entry = {.is_custom = true};
    MlcBuf *out = &entry.bytes;
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_UNKNOWN:
        mlir_put(out, MLIR_ATTR_LOC_UNKNOWN);
        break;
    case MLC_LOC_FILE:
        mlir_put(out, MLIR_ATTR_LOC_FILE);
        mlir_put(out, string_attr_index(w, mlc_loc_file_name(w->ctx, loc)));
        mlir_put(out, mlc_loc_line(loc));
        mlir_put(out, mlc_loc_column(loc));
        break;
    case MLC_LOC_NAME:
        mlir_put(out, MLIR_ATTR_LOC_NAME);
        mlir_put(out, string_attr_index(w, mlc_loc_name_str(loc)));
        mlir_put(out, mlir_loc_index(w, mlc_loc_child(loc, 0)));
        break;
    case MLC_LOC_CALLSITE:
        mlir_put(out, MLIR_ATTR_LOC_CALLSITE);
        mlir_put(out, mlir_loc_index(w, mlc_loc_child(loc, 0)));
        mlir_put(out, mlir_loc_index(w, mlc_loc_child(loc, 1)));
        break;
    case MLC_LOC_FUSED:
        put_fused(w, out, loc);
        break;
    }
    entry.dialect = mlir_dialect_index(w, mlc_str("builtin"));
    return add_entry(&w->attrs, loc, entry);
}
