// bytecode_write.c -- numbers what the ops use, then writes sections.
//
// A value gets its index after those it is made of, by recursion over what is uniqued; ops are
// written into a buffer of their own on the way, since their text needs nothing but indices.
#include "mlc/ir/bytecode.h"

#include "bytecode_format.h"
#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "mlir_bytecode.h"
#include "op/op_impl.h"

typedef struct Writer {
    MlcContext *ctx;
    MlcBytecodeWriteOptions options;
    MlcStrMap string_index;
    MLC_VEC(MlcStr) strings;
    MlcMap value_index; // of uniqued values
    MlcBuf values;
    uint64_t num_values;
    MLC_VEC(MlcType) identified;
    MlcMap name_index; // MlcOpDef -> index
    MlcBuf names;
    uint64_t num_names;
    MlcArena arena; // of the keys of kinds
    MlcStrMap kind_index;
    MLC_VEC(MlcStr) kinds;
    MlcBuf kind; // being made
    MlcMap resource_index;
    MLC_VEC(MlcAttr) resources;
    MlcMap numbers; // MlcValue and MlcBlock -> number in its piece
    uint64_t next;  // number
    MlcLoc loc;     // of the op before, in a file; NULL: none in this piece
} Writer;

static void
put(MlcBuf *out, uint64_t value)
{
    char bytes[10];
    size_t n = 0;
    do {
        bytes[n++] = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    mlc_buf_append(out, bytes, n);
}

static uint64_t
zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static void
put_signed(MlcBuf *out, int64_t value)
{
    put(out, zigzag(value));
}

static uint64_t
string_index(Writer *w, MlcStr string)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->string_index, string, &index))
        return index;
    mlc_str_map_set_u64(&w->string_index, string, w->strings.size);
    mlc_vec_push(&w->strings, string);
    return w->strings.size - 1;
}

static void
put_string(Writer *w, MlcBuf *out, MlcStr string)
{
    put(out, string_index(w, string));
}

// ---- uniqued values

static uint64_t type_index(Writer *w, MlcType type);
static uint64_t attr_index(Writer *w, MlcAttr attr);
static uint64_t loc_index(Writer *w, MlcLoc loc);

// Gives `value` the next index and its entry to the section.
static uint64_t
finish_entry(Writer *w, const void *value, MlcBuf *entry)
{
    mlc_buf_append_str(&w->values, mlc_buf_str(entry));
    mlc_buf_release(entry);
    mlc_map_set_u64(&w->value_index, mlc_word(value), w->num_values);
    return w->num_values++;
}

static bool
known(Writer *w, const void *value, uint64_t *index)
{
    return mlc_map_get_u64(&w->value_index, mlc_word(value), index);
}

static uint64_t
expr_index(Writer *w, MlcAffineExpr e)
{
    uint64_t index;
    if (known(w, e, &index))
        return index;
    MlcBuf entry = {0};
    MlcAffineKind kind = mlc_affine_kind(e);
    mlc_buf_append_char(&entry, (char)(TAG_EXPR + kind));
    if (kind == MLC_AFFINE_CONSTANT) {
        put_signed(&entry, mlc_affine_value(e));
    } else if (kind == MLC_AFFINE_DIM || kind == MLC_AFFINE_SYMBOL) {
        put(&entry, mlc_affine_position(e));
    } else {
        put(&entry, expr_index(w, mlc_affine_lhs(e)));
        put(&entry, expr_index(w, mlc_affine_rhs(e)));
    }
    return finish_entry(w, e, &entry);
}

static uint64_t
map_index(Writer *w, MlcAffineMap map)
{
    uint64_t index;
    if (known(w, map, &index))
        return index;
    MlcBuf entry = {0};
    mlc_buf_append_char(&entry, TAG_MAP);
    put(&entry, mlc_affine_map_num_dims(map));
    put(&entry, mlc_affine_map_num_symbols(map));
    put(&entry, mlc_affine_map_num_results(map));
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        put(&entry, expr_index(w, mlc_affine_map_result(map, i)));
    return finish_entry(w, map, &entry);
}

static uint64_t
set_index(Writer *w, MlcIntegerSet set)
{
    uint64_t index;
    if (known(w, set, &index))
        return index;
    MlcBuf entry = {0};
    mlc_buf_append_char(&entry, TAG_SET);
    put(&entry, mlc_integer_set_num_dims(set));
    put(&entry, mlc_integer_set_num_symbols(set));
    put(&entry, mlc_integer_set_num_constraints(set));
    for (size_t i = 0; i < mlc_integer_set_num_constraints(set); i++) {
        put(&entry, expr_index(w, mlc_integer_set_constraint(set, i)));
        put(&entry, mlc_integer_set_is_equality(set, i));
    }
    return finish_entry(w, set, &entry);
}

static uint64_t
optional_type(Writer *w, MlcType type)
{
    return type ? type_index(w, type) + 1 : 0;
}

static uint64_t
optional_attr(Writer *w, MlcAttr attr)
{
    return attr ? attr_index(w, attr) + 1 : 0;
}

static void
put_shape(MlcBuf *out, MlcType type)
{
    put(out, mlc_type_rank(type));
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        put(out, mlc_type_dim(type, i) == MLC_DYNAMIC ? 0 : (uint64_t)mlc_type_dim(type, i) + 1);
}

static void
put_shaped(Writer *w, MlcBuf *out, MlcType type)
{
    put(out, type_index(w, mlc_type_element(type)));
    if (mlc_type_has_rank(type))
        put_shape(out, type);
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_VECTOR:
        for (size_t i = 0; i < mlc_type_rank(type); i++)
            put(out, mlc_vector_type_is_scalable(type, i));
        break;
    case MLC_TYPE_TENSOR:
        put(out, optional_attr(w, mlc_tensor_type_encoding(type)));
        break;
    case MLC_TYPE_MEMREF:
        put(out, optional_attr(w, mlc_memref_type_layout(type)));
        put(out, optional_attr(w, mlc_memref_type_memory_space(type)));
        break;
    case MLC_TYPE_UNRANKED_MEMREF:
        put(out, optional_attr(w, mlc_memref_type_memory_space(type)));
        break;
    default:
        break;
    }
}

static void
put_types(Writer *w, MlcBuf *out, const MlcType *types, size_t n)
{
    put(out, n);
    for (size_t i = 0; i < n; i++)
        put(out, type_index(w, types[i]));
}

static void
put_type(Writer *w, MlcBuf *out, MlcType type)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_INTEGER:
        put(out, mlc_integer_type_width(type));
        put(out, mlc_integer_type_signedness(type));
        break;
    case MLC_TYPE_FLOAT:
        put(out, mlc_float_type_kind(type));
        break;
    case MLC_TYPE_INDEX:
    case MLC_TYPE_NONE:
        break;
    case MLC_TYPE_COMPLEX:
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        put_shaped(w, out, type);
        break;
    case MLC_TYPE_FUNCTION:
        put_types(w, out, mlc_function_type_inputs(type), mlc_function_type_num_inputs(type));
        put_types(w, out, mlc_function_type_results(type), mlc_function_type_num_results(type));
        break;
    case MLC_TYPE_TUPLE:
        put(out, mlc_tuple_type_size(type));
        for (size_t i = 0; i < mlc_tuple_type_size(type); i++)
            put(out, type_index(w, mlc_tuple_type_element(type, i)));
        break;
    case MLC_TYPE_DIALECT:
        put_string(w, out, mlc_str(mlc_dialect_type_def(type)->name));
        put(out, mlc_dialect_type_num_params(type));
        for (size_t i = 0; i < mlc_dialect_type_num_params(type); i++)
            put(out, optional_attr(w, mlc_dialect_type_param(type, i)));
        break;
    case MLC_TYPE_OPAQUE:
        put_string(w, out, mlc_opaque_type_dialect(type));
        put_string(w, out, mlc_opaque_type_body(type));
        break;
    }
}

static uint64_t
type_index(Writer *w, MlcType type)
{
    uint64_t index;
    if (known(w, type, &index))
        return index;
    MlcBuf entry = {0};
    mlc_buf_append_char(&entry, (char)(TAG_TYPE + mlc_type_kind(type)));
    put_type(w, &entry, type);
    index = finish_entry(w, type, &entry);
    // A body may hold its own type: those are written after all else.
    if (mlc_type_is(type, MLC_TYPE_DIALECT) && mlc_dialect_type_body(type))
        mlc_vec_push(&w->identified, type);
    return index;
}

static void
put_bytes(MlcBuf *out, const void *data, size_t size)
{
    put(out, size);
    mlc_buf_append(out, data, size);
}

static void
put_elements(Writer *w, MlcBuf *out, MlcAttr attr)
{
    size_t size;
    put(out, type_index(w, mlc_attr_type(attr)));
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_DENSE: {
        const void *data = mlc_elements_attr_data(attr, &size);
        put(out, mlc_elements_attr_is_splat(attr));
        put_bytes(out, data, size);
        break;
    }
    case MLC_ATTR_DENSE_STRING:
        put(out, attr->array.size);
        for (size_t i = 0; i < attr->array.size; i++)
            put_string(w, out, mlc_dense_string_attr_element(attr, i));
        break;
    case MLC_ATTR_DENSE_RESOURCE:
        put_string(w, out, mlc_dense_resource_attr_key(attr));
        if (!mlc_map_has_u64(&w->resource_index,
                             string_index(w, mlc_dense_resource_attr_key(attr)))) {
            mlc_map_set_u64(&w->resource_index, string_index(w, mlc_dense_resource_attr_key(attr)),
                            1);
            mlc_vec_push(&w->resources, attr);
        }
        break;
    default: // sparse
        put(out, attr_index(w, mlc_sparse_attr_indices(attr)));
        put(out, attr_index(w, mlc_sparse_attr_values(attr)));
        break;
    }
}

static void
put_number(Writer *w, MlcBuf *out, MlcAttr attr)
{
    put(out, type_index(w, mlc_attr_type(attr)));
    if (mlc_attr_kind(attr) == MLC_ATTR_FLOAT) {
        uint64_t lo, hi;
        mlc_float_attr_bits(attr, &lo, &hi);
        put(out, lo);
        put(out, hi);
        return;
    }
    MlcWide value = mlc_attr_wide(attr);
    for (size_t i = 0; i < mlc_wide_num_words(value); i++)
        put(out, mlc_wide_words(&value)[i]);
}

static void
put_attr(Writer *w, MlcBuf *out, MlcAttr attr)
{
    switch (mlc_attr_kind(attr)) {
    case MLC_ATTR_UNIT:
        break;
    case MLC_ATTR_INTEGER:
    case MLC_ATTR_FLOAT:
        put_number(w, out, attr);
        break;
    case MLC_ATTR_STRING:
        put_string(w, out, mlc_string_attr_value(attr));
        put(out, optional_type(w, mlc_attr_type(attr)));
        break;
    case MLC_ATTR_ARRAY:
        put(out, mlc_array_attr_size(attr));
        for (size_t i = 0; i < mlc_array_attr_size(attr); i++)
            put(out, attr_index(w, mlc_array_attr_element(attr, i)));
        break;
    case MLC_ATTR_DICT:
        put(out, mlc_dict_attr_size(attr));
        for (size_t i = 0; i < mlc_dict_attr_size(attr); i++) {
            put_string(w, out, mlc_string_attr_value(mlc_dict_attr_entry(attr, i).name));
            put(out, attr_index(w, mlc_dict_attr_entry(attr, i).value));
        }
        break;
    case MLC_ATTR_TYPE:
        put(out, type_index(w, mlc_type_attr_value(attr)));
        break;
    case MLC_ATTR_SYMBOL_REF:
        put(out, mlc_symbol_ref_attr_size(attr));
        for (size_t i = 0; i < mlc_symbol_ref_attr_size(attr); i++)
            put_string(w, out, mlc_symbol_ref_attr_name(attr, i));
        break;
    case MLC_ATTR_AFFINE_MAP:
        put(out, map_index(w, mlc_affine_map_attr_value(attr)));
        break;
    case MLC_ATTR_INTEGER_SET:
        put(out, set_index(w, mlc_integer_set_attr_value(attr)));
        break;
    case MLC_ATTR_DENSE:
    case MLC_ATTR_DENSE_STRING:
    case MLC_ATTR_DENSE_RESOURCE:
    case MLC_ATTR_SPARSE:
        put_elements(w, out, attr);
        break;
    case MLC_ATTR_DENSE_ARRAY:
        put(out, type_index(w, mlc_dense_array_attr_element_type(attr)));
        put(out, mlc_dense_array_attr_size(attr));
        put_bytes(out, mlc_dense_array_attr_data(attr),
                  mlc_dense_array_attr_size(attr) *
                      mlc_elements_attr_element_bytes(mlc_dense_array_attr_element_type(attr)));
        break;
    case MLC_ATTR_STRIDED_LAYOUT:
        put_signed(out, mlc_strided_layout_attr_offset(attr));
        put(out, mlc_strided_layout_attr_size(attr));
        for (size_t i = 0; i < mlc_strided_layout_attr_size(attr); i++)
            put_signed(out, mlc_strided_layout_attr_strides(attr)[i]);
        break;
    case MLC_ATTR_DISTINCT:
        put(out, optional_attr(w, mlc_distinct_attr_referenced(attr)));
        break;
    case MLC_ATTR_LOC:
        put(out, loc_index(w, mlc_attr_as_loc(attr)));
        break;
    case MLC_ATTR_DIALECT:
        put_string(w, out, mlc_str(mlc_dialect_attr_def(attr)->name));
        put(out, mlc_dialect_attr_num_params(attr));
        for (size_t i = 0; i < mlc_dialect_attr_num_params(attr); i++)
            put(out, optional_attr(w, mlc_dialect_attr_param(attr, i)));
        break;
    case MLC_ATTR_OPAQUE:
        put_string(w, out, mlc_opaque_attr_dialect(attr));
        put_string(w, out, mlc_opaque_attr_body(attr));
        put(out, optional_type(w, mlc_attr_type(attr)));
        break;
    }
}

static uint64_t
attr_index(Writer *w, MlcAttr attr)
{
    uint64_t index;
    if (known(w, attr, &index))
        return index;
    MlcBuf entry = {0};
    mlc_buf_append_char(&entry, (char)(TAG_ATTR + mlc_attr_kind(attr)));
    put_attr(w, &entry, attr);
    return finish_entry(w, attr, &entry);
}

static uint64_t
loc_index(Writer *w, MlcLoc loc)
{
    uint64_t index;
    if (known(w, loc, &index))
        return index;
    MlcBuf entry = {0};
    MlcLocKind kind = mlc_loc_kind(loc);
    mlc_buf_append_char(&entry, (char)(TAG_LOC + kind));
    switch (kind) {
    case MLC_LOC_UNKNOWN:
        break;
    case MLC_LOC_FILE:
        put_string(w, &entry, mlc_loc_file_name(w->ctx, loc));
        put(&entry, mlc_loc_line(loc));
        put(&entry, mlc_loc_column(loc));
        break;
    case MLC_LOC_NAME:
        put_string(w, &entry, mlc_loc_name_str(loc));
        put(&entry, loc_index(w, mlc_loc_child(loc, 0)));
        break;
    case MLC_LOC_CALLSITE:
        put(&entry, loc_index(w, mlc_loc_child(loc, 0)));
        put(&entry, loc_index(w, mlc_loc_child(loc, 1)));
        break;
    case MLC_LOC_FUSED:
        put(&entry, optional_attr(w, mlc_loc_metadata(loc)));
        put(&entry, mlc_loc_num_children(loc));
        for (size_t i = 0; i < mlc_loc_num_children(loc); i++)
            put(&entry, loc_index(w, mlc_loc_child(loc, i)));
        break;
    }
    return finish_entry(w, loc, &entry);
}

// ---- ops

static bool
is_same_file(const Writer *w, MlcLoc loc)
{
    MlcStr file = mlc_loc_file_name(w->ctx, loc);
    return w->loc && mlc_loc_file_name(w->ctx, w->loc).data == file.data; // uniqued
}

static void
put_op_loc(Writer *w, MlcBuf *out, MlcLoc loc)
{
    MlcLocKind kind = w->options.strip_locations ? MLC_LOC_UNKNOWN : mlc_loc_kind(loc);
    if (kind != MLC_LOC_FILE) {
        put(out, (kind == MLC_LOC_UNKNOWN ? 0 : loc_index(w, loc) + 1) << 2 | LOC_VALUE);
        return;
    }
    if (!is_same_file(w, loc)) {
        put(out, string_index(w, mlc_loc_file_name(w->ctx, loc)) << 2 | LOC_FILE);
        put(out, mlc_loc_line(loc));
        put(out, mlc_loc_column(loc));
    } else {
        int64_t down = (int64_t)mlc_loc_line(loc) - (int64_t)mlc_loc_line(w->loc);
        bool same_column = mlc_loc_column(loc) == mlc_loc_column(w->loc);
        put(out, zigzag(down) << 2 | (same_column ? LOC_LINES : LOC_COLUMN));
        if (!same_column)
            put(out, mlc_loc_column(loc));
    }
    w->loc = loc;
}

static uint64_t
name_index(Writer *w, const MlcOpDef *def)
{
    uint64_t index;
    if (mlc_map_get_u64(&w->name_index, mlc_word(def), &index))
        return index;
    put_string(w, &w->names, mlc_str(def->name));
    put(&w->names, def->num_attrs);
    for (size_t i = 0; i < def->num_attrs; i++)
        put_string(w, &w->names, mlc_str(def->attrs[i].name));
    mlc_map_set_u64(&w->name_index, mlc_word(def), w->num_names);
    return w->num_names++;
}

static void
number(Writer *w, const MlcValue *value)
{
    mlc_map_set_u64(&w->numbers, mlc_word(value), w->next++);
}

uint64_t
bytecode_number_of(const MlcMap *numbers, const void *value)
{
    uint64_t number = 0;
    bool known = mlc_map_get_u64(numbers, mlc_word(value), &number);
    assert(known && "an op with values from outside cannot be written alone");
    (void)known;
    return number;
}

// Numbers the values of a piece, in the order in which the reader meets them.
static void
number_regions(Writer *w, MlcOp *op)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            number(w, mlc_block_arg(block, i));
        MLC_FOR_EACH_OP (inner, block) {
            for (size_t i = 0; i < mlc_op_num_results(inner); i++)
                number(w, mlc_op_result(inner, i));
            if (!inner->is_isolated)
                number_regions(w, inner);
        }
    }
}

static void put_op(Writer *w, MlcBuf *out, MlcOp *op);

static void
put_region(Writer *w, MlcBuf *out, MlcRegion *region)
{
    uint64_t blocks = 0;
    MLC_FOR_EACH_BLOCK (block, region)
        mlc_map_set_u64(&w->numbers, mlc_word(block), blocks++);
    put(out, blocks);
    MLC_FOR_EACH_BLOCK (block, region) {
        put(out, mlc_block_num_args(block));
        for (size_t i = 0; i < mlc_block_num_args(block); i++) {
            put(out, type_index(w, mlc_value_type(mlc_block_arg(block, i))));
            put_op_loc(w, out, mlc_block_arg_loc(block, i));
        }
        w->next += mlc_block_num_args(block);
        uint64_t ops = 0;
        MLC_FOR_EACH_OP (op, block)
            ops++;
        put(out, ops);
        MLC_FOR_EACH_OP (op, block)
            put_op(w, out, op);
    }
}

// The regions of an isolated op: their size, then a piece.
static void
put_piece(Writer *w, MlcBuf *out, MlcOp *op)
{
    uint64_t outer = w->next;
    MlcLoc outer_loc = w->loc;
    w->next = 0;
    w->loc = NULL;
    number_regions(w, op);
    MlcBuf piece = {0};
    put(&piece, w->next);
    w->next = 0;
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        put_region(w, &piece, mlc_op_region(op, i));
    put(out, piece.size);
    mlc_buf_append_str(out, mlc_buf_str(&piece));
    mlc_buf_release(&piece);
    w->next = outer;
    w->loc = outer_loc;
}

static void
put_slots(Writer *w, MlcBuf *out, MlcOp *op)
{
    uint64_t count = 0;
    for (size_t i = 0; i < op->def->num_attrs; i++)
        count += mlc_op_slots_(op)[i] != NULL;
    put(out, count);
    for (size_t i = 0; i < op->def->num_attrs; i++) {
        if (!mlc_op_slots_(op)[i])
            continue;
        put(out, i);
        put(out, attr_index(w, mlc_op_slots_(op)[i]));
    }
}

static unsigned
parts_of(const MlcOp *op)
{
    unsigned parts = 0;
    parts |= op->num_operands ? KIND_OPERANDS : 0;
    parts |= op->num_results ? KIND_RESULTS : 0;
    parts |= op->dict ? KIND_DICT : 0;
    parts |= op->num_successors ? KIND_SUCCESSORS : 0;
    parts |= op->num_regions ? KIND_REGIONS : 0;
    for (size_t i = 0; i < op->def->num_attrs; i++)
        parts |= mlc_op_slots_(op)[i] ? KIND_SLOTS : 0;
    if (!mlc_op_is_registered(op) && mlc_op_properties(op))
        parts |= KIND_PROPERTIES;
    return parts;
}

static uint64_t
kind_index(Writer *w, MlcOp *op)
{
    MlcBuf *out = &w->kind;
    unsigned parts = parts_of(op);
    mlc_buf_clear(out);
    put(out, name_index(w, op->def));
    put(out, parts);
    uint64_t counts[] = {op->num_operands, op->num_results, op->num_successors, op->num_regions};
    for (size_t i = 0; i < 4; i++)
        if (counts[i])
            put(out, counts[i]);
    for (size_t i = 0; i < op->num_results; i++)
        put(out, type_index(w, mlc_value_type(mlc_op_result(op, i))));
    if (parts & KIND_SLOTS)
        put_slots(w, out, op);
    if (parts & KIND_DICT)
        put(out, attr_index(w, op->dict));
    if (parts & KIND_PROPERTIES)
        put(out, attr_index(w, mlc_op_properties(op)));
    uint64_t index;
    if (mlc_str_map_get_u64(&w->kind_index, mlc_buf_str(out), &index))
        return index;
    MlcStr key = mlc_arena_strdup(&w->arena, mlc_buf_str(out));
    mlc_str_map_set_u64(&w->kind_index, key, w->kinds.size);
    mlc_vec_push(&w->kinds, key);
    return w->kinds.size - 1;
}

static void
put_op(Writer *w, MlcBuf *out, MlcOp *op)
{
    put(out, kind_index(w, op));
    put_op_loc(w, out, op->loc);
    for (size_t i = 0; i < op->num_operands; i++)
        put_signed(out,
                   (int64_t)(w->next - bytecode_number_of(&w->numbers, mlc_op_operand(op, i))));
    w->next += op->num_results;
    for (size_t i = 0; i < op->num_successors; i++)
        put(out, bytecode_number_of(&w->numbers, mlc_op_successor(op, i)));
    if (op->num_regions == 0)
        return;
    if (op->is_isolated) {
        put_piece(w, out, op);
        return;
    }
    for (size_t i = 0; i < op->num_regions; i++)
        put_region(w, out, mlc_op_region(op, i));
}

// ---- the file

static void
put_strings(Writer *w, MlcBuf *out)
{
    put(out, w->strings.size);
    for (size_t i = 0; i < w->strings.size; i++)
        put(out, w->strings.data[i].size);
    for (size_t i = 0; i < w->strings.size; i++) {
        mlc_buf_append_str(out, w->strings.data[i]);
        mlc_buf_append_char(out, '\0');
    }
}

static void
put_kinds(Writer *w, MlcBuf *out)
{
    put(out, w->kinds.size);
    for (size_t i = 0; i < w->kinds.size; i++)
        put(out, w->kinds.data[i].size);
    for (size_t i = 0; i < w->kinds.size; i++)
        mlc_buf_append_str(out, w->kinds.data[i]);
}

// Bodies may bring types with bodies of their own.
static void
put_bodies(Writer *w, MlcBuf *out)
{
    MlcBuf list = {0};
    for (size_t i = 0; i < w->identified.size; i++) {
        MlcType type = w->identified.data[i];
        put(&list, type_index(w, type));
        put(&list, attr_index(w, mlc_dialect_type_body(type)));
    }
    put(out, w->identified.size);
    mlc_buf_append_str(out, mlc_buf_str(&list));
    mlc_buf_release(&list);
}

static void
put_u(MlcBuf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        mlc_buf_append_char(out, (char)(value >> (8 * i)));
}

static void
align(MlcBuf *out, size_t alignment)
{
    while (out->size % alignment)
        mlc_buf_append_char(out, '\0');
}

// Where the bytes of each resource will lie, from the start of BYTES, which is aligned to 4096.
static void
put_resources(Writer *w, MlcBuf *out)
{
    uint64_t at = 0;
    put(out, w->resources.size);
    for (size_t i = 0; i < w->resources.size; i++) {
        MlcBlob *blob = mlc_dense_resource_attr_blob(w->resources.data[i]);
        put_string(w, out, mlc_dense_resource_attr_key(w->resources.data[i]));
        bool is_there = blob && !w->options.elide_resources;
        size_t alignment = is_there ? mlc_blob_alignment(blob) : 0;
        at = alignment > 1 ? (at + alignment - 1) / alignment * alignment : at;
        put(out, is_there);
        put(out, alignment);
        put(out, is_there ? mlc_blob_size(blob) : 0);
        put(out, at);
        at += is_there ? mlc_blob_size(blob) : 0;
    }
}

static void
put_resource_bytes(Writer *w, MlcBuf *out)
{
    size_t start = out->size;
    for (size_t i = 0; i < w->resources.size && !w->options.elide_resources; i++) {
        MlcBlob *blob = mlc_dense_resource_attr_blob(w->resources.data[i]);
        if (!blob)
            continue;
        while (mlc_blob_alignment(blob) > 1 && (out->size - start) % mlc_blob_alignment(blob))
            mlc_buf_append_char(out, '\0');
        mlc_buf_append(out, mlc_blob_data(blob), mlc_blob_size(blob));
    }
}

static void
put_external(Writer *w, MlcBuf *out)
{
    size_t n = w->options.external ? mlc_external_resources_size(w->options.external) : 0;
    put(out, n);
    for (size_t i = 0; i < n; i++) {
        const MlcExternalResource *r = mlc_external_resources_at(w->options.external, i);
        put_string(w, out, r->section);
        put_string(w, out, r->key);
        put_string(w, out, r->value);
    }
}

static void
release(Writer *w, MlcBuf sections[NUM_SECTIONS])
{
    for (size_t i = 0; i < NUM_SECTIONS; i++)
        mlc_buf_release(&sections[i]);
    mlc_str_map_release(&w->string_index);
    mlc_vec_release(&w->strings);
    mlc_map_release(&w->value_index);
    mlc_vec_release(&w->identified);
    mlc_map_release(&w->name_index);
    mlc_buf_release(&w->names);
    mlc_str_map_release(&w->kind_index);
    mlc_vec_release(&w->kinds);
    mlc_buf_release(&w->kind);
    mlc_arena_release(&w->arena);
    mlc_buf_release(&w->values);
    mlc_map_release(&w->resource_index);
    mlc_vec_release(&w->resources);
    mlc_map_release(&w->numbers);
}

void
mlc_bytecode_write(MlcOp *op, const MlcBytecodeWriteOptions *options, MlcBuf *out)
{
    Writer w = {.ctx = op->ctx};
    if (options)
        mlc_sized_copy(&w.options, sizeof w.options, options, "MlcBytecodeWriteOptions");
    if (w.options.is_mlir) {
        mlir_bytecode_write(op, &w.options, out);
        return;
    }
    mlc_arena_init(&w.arena);
    MlcBuf sections[NUM_SECTIONS] = {0};
    MlcBuf *ops = &sections[SECTION_OPS];
    for (size_t i = 0; i < op->num_results; i++)
        number(&w, mlc_op_result(op, i));
    if (!op->is_isolated)
        number_regions(&w, op);
    put(ops, w.next);
    w.next = 0;
    put_op(&w, ops, op);
    put_bodies(&w, &sections[SECTION_BODIES]);
    put(&sections[SECTION_VALUES], w.num_values);
    mlc_buf_append_str(&sections[SECTION_VALUES], mlc_buf_str(&w.values));
    put(&sections[SECTION_NAMES], w.num_names);
    mlc_buf_append_str(&sections[SECTION_NAMES], mlc_buf_str(&w.names));
    put_kinds(&w, &sections[SECTION_KINDS]);
    put_resources(&w, &sections[SECTION_RESOURCES]);
    put_external(&w, &sections[SECTION_EXTERNAL]);
    put_strings(&w, &sections[SECTION_STRINGS]);

    size_t start = out->size;
    mlc_buf_append(out, bytecode_magic, sizeof bytecode_magic);
    put_u(out, MLC_BYTECODE_VERSION, 4);
    put_u(out, NUM_SECTIONS, 4);
    put_u(out, 0, 4);
    size_t table = out->size;
    for (size_t i = 0; i < 2 * NUM_SECTIONS; i++) // filled below
        put_u(out, 0, 8);
    for (size_t i = 0; i < NUM_SECTIONS; i++) {
        align(out, i == SECTION_BYTES && w.resources.size > 0 ? 4096 : 8);
        size_t at = out->size;
        if (i == SECTION_BYTES)
            put_resource_bytes(&w, out);
        else
            mlc_buf_append_str(out, mlc_buf_str(&sections[i]));
        uint64_t entry[2] = {at - start, out->size - at};
        memcpy(out->data + table + 16 * i, entry, sizeof entry);
    }
    release(&w, sections);
}
