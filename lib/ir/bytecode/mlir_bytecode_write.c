// mlir_bytecode_write.c -- writes MLIR's bytecode, version 6.
//
// As with our own format, what ops use gets an index when it is first met, and the ops are written
// into a buffer of their own on the way. Entries may stand in any order, in runs of a dialect each.
// Orders of uses are not written: a reader has them as it reads.
#include "mlir_bytecode_write.h"

#include <stdlib.h>

#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"
#include "mlc/support/powers.h"

// ---- ops

// What follows the dialect and its dot; a name in which nothing does is all dialect.
static const char *
name_in_dialect(const MlcOpDef *def)
{
    const char *dot = strchr(def->name, '.');
    return dot && dot[1] ? dot + 1 : "";
}

static uint64_t
name_index(MlirWriter *w, const MlcOpDef *def)
{
    uint64_t index;
    if (mlc_map_get_u64(&w->name_index, mlc_word(def), &index))
        return index;
    const char *rest = name_in_dialect(def);
    size_t size = strlen(def->name) - (*rest ? strlen(rest) + 1 : 0);
    MlirOpName name = {.def = def, .dialect = mlir_dialect_index(w, mlc_str_n(def->name, size))};
    name.order = MLC_NEW_ARRAY(&w->arena, uint16_t, def->num_attrs);
    mlir_order_slots(def, name.order);
    mlir_string_index(w, mlc_str(rest));
    mlc_map_set_u64(&w->name_index, mlc_word(def), w->names.size);
    mlc_vec_push(&w->names, name);
    return w->names.size - 1;
}

static void
put_segments(MlcBuf *out, MlcAttr sizes)
{
    size_t n = mlc_int_list_attr_size(sizes);
    mlir_put_flagged(out, n, false); // all of them
    for (size_t i = 0; i < n; i++) {
        int64_t size = 0;
        (void)mlc_int_list_attr_get(sizes, i, &size);
        mlir_put(out, (uint64_t)size);
    }
}

static void
put_inherent(MlirWriter *w, MlcBuf *out, const MlcAttrSlot *slot, MlcAttr attr)
{
    if (slot->is_number)
        mlir_put(out, attr ? (uint64_t)mlc_enum_attr_value(attr) : 0);
    else if (!slot->optional && !slot->default_text) // verified IR has it
        mlir_put(out, mlir_attr_index(w, attr ? attr : mlc_unit_attr_get(w->ctx)));
    else if (attr)
        mlir_put_flagged(out, mlir_attr_index(w, attr), true);
    else
        mlir_put(out, 0);
}

// Those with the same bytes are the same properties.
static uint64_t
properties_index(MlirWriter *w, MlcStr bytes)
{
    uint64_t index;
    if (mlc_str_map_get_u64(&w->properties_index, bytes, &index))
        return index;
    MlcStr copy = mlc_arena_strdup(&w->arena, bytes);
    mlc_str_map_set_u64(&w->properties_index, copy, w->properties.size);
    mlc_vec_push(&w->properties, copy);
    return w->properties.size - 1;
}

static uint64_t
op_properties_index(MlirWriter *w, MlcOp *op, const MlirOpName *name)
{
    const MlcOpDef *def = op->def;
    const MlcAttr *slots = mlc_op_slots_(op);
    MlcBuf bytes = {0};
    if (!def->dialect)
        mlir_put(&bytes, mlir_attr_index(w, slots[0]));
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
number_region(MlirWriter *w, MlcRegion *region, uint64_t first)
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
loc_of(const MlirWriter *w, MlcLoc loc)
{
    return w->options.strip_locations ? mlc_loc_unknown(w->ctx) : loc;
}

static void put_op(MlirWriter *w, MlcBuf *out, MlcOp *op, uint64_t next);

static void
put_args(MlirWriter *w, MlcBuf *out, MlcBlock *block)
{
    mlir_put(out, mlc_block_num_args(block));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcLoc loc = loc_of(w, mlc_block_arg_loc(block, i));
        bool has_loc = mlc_loc_kind(loc) != MLC_LOC_UNKNOWN;
        mlir_put_flagged(out, mlir_type_index(w, mlc_value_type(mlc_block_arg(block, i))), has_loc);
        if (has_loc)
            mlir_put(out, mlir_loc_index(w, loc));
    }
    mlir_put_byte(out, 0); // no orders of uses
}

// `first`: the number of its first value.
static void
put_region(MlirWriter *w, MlcBuf *out, MlcRegion *region, uint64_t first)
{
    uint64_t blocks = 0, next = number_region(w, region, first);
    MLC_FOR_EACH_BLOCK (block, region)
        blocks++;
    mlir_put(out, blocks);
    if (blocks == 0)
        return;
    mlir_put(out, next - first);
    MLC_FOR_EACH_BLOCK (block, region) {
        uint64_t ops = 0;
        MLC_FOR_EACH_OP (op, block)
            ops++;
        mlir_put_flagged(out, ops, mlc_block_num_args(block) > 0);
        if (mlc_block_num_args(block) > 0)
            put_args(w, out, block);
        MLC_FOR_EACH_OP (op, block)
            put_op(w, out, op, next);
    }
}

static void
put_section(MlcBuf *out, MlirSection id, const MlcBuf *data, size_t alignment)
{
    mlir_put_byte(out, id | (alignment > 1 ? 0x80 : 0));
    mlir_put(out, data->size);
    if (alignment > 1) {
        mlir_put(out, alignment);
        mlir_pad(out, alignment);
    }
    mlc_buf_append_str(out, mlc_buf_str(data));
}

static void
put_regions(MlirWriter *w, MlcBuf *out, MlcOp *op, uint64_t next)
{
    MlcBuf section = {0}, *to = op->is_isolated ? &section : out;
    mlir_put_flagged(out, op->num_regions, op->is_isolated);
    for (size_t i = 0; i < op->num_regions; i++)
        put_region(w, to, mlc_op_region(op, i), op->is_isolated ? 0 : next);
    if (op->is_isolated)
        put_section(out, MLIR_SECTION_IR, &section, 1);
    mlc_buf_release(&section);
}

// `next`: the number of the first value of a region inside.
static void
put_op(MlirWriter *w, MlcBuf *out, MlcOp *op, uint64_t next)
{
    uint64_t index = name_index(w, op->def);
    bool has_properties = op->def->dialect ? op->def->num_attrs > 0 : mlc_op_slots_(op)[0] != NULL;
    mlir_put(out, index);
    mlir_put_byte(out, (op->dict ? MLIR_OP_ATTRS : 0) | (op->num_results ? MLIR_OP_RESULTS : 0) |
                           (op->num_operands ? MLIR_OP_OPERANDS : 0) |
                           (op->num_successors ? MLIR_OP_SUCCESSORS : 0) |
                           (op->num_regions ? MLIR_OP_REGIONS : 0) |
                           (has_properties ? MLIR_OP_PROPERTIES : 0));
    mlir_put(out, mlir_loc_index(w, loc_of(w, op->loc)));
    if (op->dict)
        mlir_put(out, mlir_attr_index(w, op->dict));
    if (has_properties)
        mlir_put(out, op_properties_index(w, op, &w->names.data[index]));
    if (op->num_results)
        mlir_put(out, op->num_results);
    for (size_t i = 0; i < op->num_results; i++)
        mlir_put(out, mlir_type_index(w, mlc_value_type(mlc_op_result(op, i))));
    if (op->num_operands)
        mlir_put(out, op->num_operands);
    for (size_t i = 0; i < op->num_operands; i++)
        mlir_put(out, bytecode_number_of(&w->numbers, mlc_op_operand(op, i)));
    if (op->num_successors)
        mlir_put(out, op->num_successors);
    for (size_t i = 0; i < op->num_successors; i++)
        mlir_put(out, bytecode_number_of(&w->numbers, mlc_op_successor(op, i)));
    if (op->num_regions)
        put_regions(w, out, op, next);
}

// ---- the file

static void
put_strings(MlirWriter *w, MlcBuf *out)
{
    mlir_put(out, w->strings.size);
    for (size_t i = w->strings.size; i-- > 0;)
        mlir_put(out, w->strings.data[i].size + 1);
    for (size_t i = 0; i < w->strings.size; i++)
        mlc_buf_append(out, w->strings.data[i].data, w->strings.data[i].size + 1);
}

static void
put_dialects(MlirWriter *w, MlcBuf *out)
{
    mlir_put(out, w->dialects.size);
    for (size_t i = 0; i < w->dialects.size; i++)
        mlir_put_flagged(out, mlir_string_index(w, w->dialects.data[i]), false); // no version
    mlir_put(out, w->names.size);
    for (size_t i = 0, end; i < w->names.size; i = end) {
        for (end = i;
             end < w->names.size && w->names.data[end].dialect == w->names.data[i].dialect;)
            end++;
        mlir_put(out, w->names.data[i].dialect);
        mlir_put(out, end - i);
        for (size_t k = i; k < end; k++) {
            const MlcOpDef *def = w->names.data[k].def;
            mlir_put_flagged(out, mlir_string_index(w, mlc_str(name_in_dialect(def))),
                             def->dialect != NULL);
        }
    }
}

static void
put_entries(const MlirWrittenEntries *entries, MlcBuf *sizes, MlcBuf *bytes)
{
    for (size_t i = 0, end; i < entries->list.size; i = end) {
        uint64_t dialect = entries->list.data[i].dialect;
        for (end = i; end < entries->list.size && entries->list.data[end].dialect == dialect;)
            end++;
        mlir_put(sizes, dialect);
        mlir_put(sizes, end - i);
        for (size_t k = i; k < end; k++) {
            const MlirWrittenEntry *entry = &entries->list.data[k];
            mlir_put_flagged(sizes, entry->bytes.size, entry->is_custom);
            mlc_buf_append_str(bytes, mlc_buf_str(&entry->bytes));
        }
    }
}

static void
put_properties(MlirWriter *w, MlcBuf *out)
{
    mlir_put(out, w->properties.size);
    for (size_t i = 0; i < w->properties.size; i++)
        mlir_put_blob(out, w->properties.data[i].data, w->properties.data[i].size);
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
    mlir_put(&s->bytes, alignment);
    mlir_put(&s->bytes, size);
    mlir_pad(&s->bytes, alignment);
    mlc_buf_append(&s->bytes, data, size);
}

// Kind: 0 a blob, 1 a bool, 2 a string. No bytes: a declaration.
static void
finish_resource(MlirWriter *w, ResourceSections *s, MlcStr key, unsigned kind)
{
    mlir_put(&s->sizes, mlir_string_index(w, key));
    mlir_put(&s->sizes, s->bytes.size - s->start);
    mlir_put_byte(&s->sizes, kind);
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
        mlir_put_byte(&bytes, (unsigned)strtoul(pair, &end, 16));
        ok = *end == '\0' && pair[0] != '-' && pair[0] != '+' && pair[0] != ' ';
    }
    uint32_t alignment = 0;
    if (ok)
        memcpy(&alignment, bytes.data, 4);
    ok = ok && alignment <= 4096 && mlc_is_power_of_two(alignment);
    if (ok)
        put_resource_blob(s, bytes.data + 4, bytes.size - 4, alignment);
    mlc_buf_release(&bytes);
    return ok;
}

static void
put_external_resource(MlirWriter *w, ResourceSections *s, const MlcExternalResource *r)
{
    bool is_true = mlc_str_equal(r->value, mlc_str("true"));
    unsigned kind = 1;
    if (is_true || mlc_str_equal(r->value, mlc_str("false"))) {
        mlir_put_byte(&s->bytes, is_true);
    } else {
        MlcAttr string = mlc_parse_attr(w->ctx, r->value);
        MlcStr text =
            mlc_attr_is(string, MLC_ATTR_STRING) ? mlc_string_attr_value(string) : r->value;
        kind = put_hex_blob(s, text) ? 0 : 2;
        if (kind == 2)
            mlir_put(&s->bytes, mlir_string_index(w, text));
    }
    finish_resource(w, s, r->key, kind);
}

// MlirWrittenEntries of a section stand together.
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
put_resources(MlirWriter *w, ResourceSections *s)
{
    const MlcExternalResources *external = w->options.elide_resources ? NULL : w->options.external;
    size_t n = external ? mlc_external_resources_size(external) : 0, groups = 0;
    for (size_t i = 0; i < n; i = section_end(external, i))
        groups++;
    mlir_put(&s->sizes, groups);
    for (size_t i = 0, end; i < n; i = end) {
        end = section_end(external, i);
        mlir_put(&s->sizes, mlir_string_index(w, mlc_external_resources_at(external, i)->section));
        mlir_put(&s->sizes, end - i);
        for (size_t k = i; k < end; k++)
            put_external_resource(w, s, mlc_external_resources_at(external, k));
    }
    if (w->resources.size == 0)
        return;
    mlir_put(&s->sizes, mlir_dialect_index(w, mlc_str("builtin")));
    mlir_put(&s->sizes, w->resources.size);
    for (size_t i = 0; i < w->resources.size; i++) {
        MlcBlob *blob = mlc_dense_resource_attr_blob(w->resources.data[i]);
        if (blob && !w->options.elide_resources)
            put_resource_blob(s, mlc_blob_data(blob), mlc_blob_size(blob),
                              mlc_blob_alignment(blob));
        finish_resource(w, s, mlc_dense_resource_attr_key(w->resources.data[i]), 0);
    }
}

static void
release(MlirWriter *w)
{
    MlirWrittenEntries *both[] = {&w->attrs, &w->types};
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
put_file(MlirWriter *w, MlcOp *op, MlcBuf *out)
{
    MlcBuf sections[MLIR_NUM_SECTIONS] = {0}, *ir = &sections[MLIR_SECTION_IR];
    MlcBuf *sizes = &sections[MLIR_SECTION_ENTRY_SIZES], *entries = &sections[MLIR_SECTION_ENTRIES];
    ResourceSections resources = {.alignment = 1};
    mlir_put_flagged(ir, 1, false);
    put_op(w, ir, op, 0);
    put_resources(w, &resources);
    mlir_put(sizes, w->attrs.list.size);
    mlir_put(sizes, w->types.list.size);
    put_entries(&w->attrs, sizes, entries);
    put_entries(&w->types, sizes, entries);
    put_properties(w, &sections[MLIR_SECTION_PROPERTIES]);
    put_dialects(w, &sections[MLIR_SECTION_DIALECTS]);
    put_strings(w, &sections[MLIR_SECTION_STRINGS]); // all are known now
    mlc_buf_append(out, mlir_bytecode_magic, sizeof mlir_bytecode_magic);
    mlir_put(out, MLIR_BYTECODE_VERSION);
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
    MlirWriter w = {.ctx = op->ctx, .options = *options};
    MlcBuf file = {0};
    mlc_arena_init(&w.arena);
    put_file(&w, op, &file);
    mlc_buf_append_str(out, mlc_buf_str(&file));
    mlc_buf_release(&file);
    release(&w);
}
