// print_op.c -- ops, blocks and regions, generic and custom; whole modules.
#include "mlc/ir/blob.h"
#include "mlc/ir/verify.h"
#include "op/op_impl.h"
#include "print_shape.h"

#include <stdio.h>
#include <stdlib.h>

#define FLUSH_SIZE (256 * 1024) // bytes

// --- hooks' small pieces

MlcBuf *
mlc_printer_buf(MlcPrinter *p)
{
    return p->buf;
}

void
mlc_print_str(MlcPrinter *p, const char *text)
{
    mlc_buf_append_c(p->buf, text);
}

void
mlc_print_operand(MlcPrinter *p, MlcValue *value)
{
    mlc_print_value_name(p, value, true);
}

void
mlc_print_operands(MlcPrinter *p, MlcOp *op, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        if (i > first)
            mlc_buf_append(p->buf, ", ", 2);
        mlc_print_value_name(p, mlc_op_operand(op, i), true);
    }
}

void
mlc_print_successor(MlcPrinter *p, MlcBlock *block)
{
    mlc_print_block_name(p, block);
}

void
mlc_print_arrow_types(MlcPrinter *p, const MlcOp *op)
{
    size_t count = mlc_op_num_results(op);
    if (!count)
        return;
    mlc_buf_append_c(p->buf, " -> ");
    bool wrapped =
        count != 1 || mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_FUNCTION);
    if (wrapped)
        mlc_buf_append_char(p->buf, '(');
    for (size_t i = 0; i < count; i++) {
        mlc_buf_append_c(p->buf, i ? ", " : "");
        mlc_print_type(p, mlc_value_type(mlc_op_result(op, i)));
    }
    if (wrapped)
        mlc_buf_append_char(p->buf, ')');
}

typedef struct MapNames {
    MlcPrinter *p;
    MlcValue *const *operands;
    unsigned num_dims;
} MapNames;

static void
print_map_operand(void *user, unsigned position, bool is_symbol)
{
    MapNames *names = user;
    if (is_symbol)
        mlc_buf_append_c(names->p->buf, "symbol(");
    mlc_print_value_name(names->p,
                         names->operands[is_symbol ? names->num_dims + position : position], true);
    if (is_symbol)
        mlc_buf_append_char(names->p->buf, ')');
}

void
mlc_print_affine_map_of_operands(MlcPrinter *p, MlcAffineMap map, MlcValue *const *operands)
{
    MapNames names = {p, operands, mlc_affine_map_num_dims(map)};
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        mlc_buf_append_c(p->buf, i ? ", " : "");
        mlc_print_affine_expr(p->buf, mlc_affine_map_result(map, i), print_map_operand, &names);
    }
}

void
mlc_print_dynamic_index_list(MlcPrinter *p, const char *open, const char *close,
                             MlcValue *const *values, MlcAttr statics)
{
    mlc_buf_append_c(p->buf, open);
    size_t next = 0;
    for (size_t i = 0; i < mlc_int_list_attr_size(statics); i++) {
        int64_t value = 0;
        mlc_buf_append_c(p->buf, i ? ", " : "");
        if (mlc_int_list_attr_get(statics, i, &value) && value == MLC_DYNAMIC)
            mlc_print_value_name(p, values[next++], true);
        else
            mlc_buf_append_int(p->buf, value);
    }
    mlc_buf_append_c(p->buf, close);
}

// --- attributes of ops

static bool
is_elided(const char *const *elided, MlcStr name)
{
    for (; elided && *elided; elided++)
        if (mlc_str_equal(mlc_str(*elided), name))
            return true;
    return false;
}

static bool
is_segment_sizes(MlcStr name)
{
    return mlc_str_equal(name, mlc_str("operandSegmentSizes")) ||
           mlc_str_equal(name, mlc_str("resultSegmentSizes"));
}

// Sizes of a variadic of variadics are seen in what they group.
static bool
is_segments_of_group(const MlcOpDef *def, MlcStr name)
{
    for (size_t i = 0; i < def->num_operands; i++)
        if (def->operands[i].segments && mlc_str_equal(name, mlc_str(def->operands[i].segments)))
            return true;
    return false;
}

static bool
slot_is_default(MlcPrinter *p, const MlcAttrSlot *slot, MlcAttr value)
{
    return slot->default_text && mlc_context_default_attr(p->ctx, slot) == value;
}

static bool
is_slot_left_out(MlcPrinter *p, const MlcOp *op, uint32_t slot, const char *const *elided,
                 const uint32_t *slots, size_t num_slots)
{
    const MlcOpDef *def = op->def;
    MlcAttr value = mlc_op_slots_(op)[slot];
    if (!value)
        return true;
    for (size_t i = 0; i < num_slots; i++)
        if (slots[i] == slot)
            return true;
    MlcStr name = mlc_str(def->attrs[slot].name);
    // Formats leave defaults out; hooks leave out what they name.
    bool leaves_defaults = slots && !(def->structured && def->attrs[slot].optional);
    return (leaves_defaults && slot_is_default(p, &def->attrs[slot], value)) ||
           is_elided(elided, name) || is_segment_sizes(name) || is_segments_of_group(def, name);
}

// The entries not elided, between braces; with `slots`, those inherent ones are elided, as are
// defaults and segments.
void
mlc_print_op_dict(MlcPrinter *p, MlcOp *op, const char *const *elided, const uint32_t *slots,
                  size_t num_slots, bool keyword, bool with_inherent)
{
    const MlcOpDef *def = mlc_op_def(op);
    MlcAttr discardable = mlc_op_discardable(op);
    size_t num_discardable = discardable ? mlc_dict_attr_size(discardable) : 0;
    uint32_t num_left_out = 0;
    while (with_inherent && def->dialect && num_left_out < def->num_attrs &&
           is_slot_left_out(p, op, num_left_out, elided, slots, num_slots))
        num_left_out++;
    if (!num_discardable && (!with_inherent || num_left_out == def->num_attrs))
        return;
    MlcAttr all = with_inherent ? mlc_op_all_attrs(op) : discardable;
    bool any = false;
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(all, i);
        MlcStr name = mlc_string_attr_value(entry.name);
        int slot = mlc_op_def_attr_slot(def, name);
        if (slot >= 0 && with_inherent && def->dialect
                ? is_slot_left_out(p, op, (uint32_t)slot, elided, slots, num_slots)
                : is_elided(elided, name))
            continue;
        mlc_buf_append_c(p->buf, any ? ", " : keyword ? " attributes {" : " {");
        mlc_print_named_attr(p, entry);
        any = true;
    }
    if (any)
        mlc_buf_append_char(p->buf, '}');
}

void
mlc_print_attr_dict(MlcPrinter *p, MlcOp *op, const char *const *elided)
{
    mlc_print_op_dict(p, op, elided, NULL, 0, false, true);
}

void
mlc_print_attr_dict_with_keyword(MlcPrinter *p, MlcOp *op, const char *const *elided)
{
    mlc_print_op_dict(p, op, elided, NULL, 0, true, true);
}

// --- blocks and regions

void
mlc_print_newline(MlcPrinter *p, int deeper)
{
    p->indent = (size_t)((int)p->indent + 2 * deeper);
    mlc_buf_append_char(p->buf, '\n');
    mlc_buf_append_repeated(p->buf, ' ', p->indent);
}

void
mlc_print_dedent(MlcPrinter *p)
{
    p->indent -= 2;
}

void
mlc_print_block_arg(MlcPrinter *p, MlcValue *arg, bool with_type)
{
    mlc_print_value_name(p, arg, true);
    if (!with_type)
        return;
    mlc_buf_append(p->buf, ": ", 2);
    mlc_print_type(p, mlc_value_type(arg));
}

// Such a location is never printed by its alias, but has one.
void
mlc_print_arg_loc(MlcPrinter *p, MlcValue *arg)
{
    MlcLoc loc = mlc_value_loc(arg);
    if (p->is_collecting && p->flags.debug_info) {
        bool can_defer = p->can_defer;
        p->can_defer = false;
        mlc_visit_symbol(p, loc, false, true);
        p->can_defer = can_defer;
    }
    mlc_print_trailing_loc(p, loc, false);
}

typedef struct Predecessors {
    MlcPrinter *p;
    MLC_VEC(uint32_t) numbers; // of blocks in their region
} Predecessors;

static void
add_predecessor(MlcOp *terminator, size_t i, void *user)
{
    (void)i;
    Predecessors *preds = user;
    uint32_t number = UINT32_MAX;
    mlc_printed_block_number(preds->p, terminator->block, &number);
    mlc_vec_push(&preds->numbers, number);
}

static int
compare_numbers(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void
print_predecessors(MlcPrinter *p, MlcBlock *block)
{
    if (!mlc_block_region(block)) {
        mlc_buf_append_c(p->buf, "  // block is not in a region!");
        return;
    }
    Predecessors preds = {.p = p};
    mlc_block_visit_predecessors(block, add_predecessor, &preds);
    size_t count = preds.numbers.size;
    if (count) // in the order of the region
        qsort(preds.numbers.data, count, sizeof(uint32_t), compare_numbers);
    if (count == 0) {
        if (block != mlc_region_first(mlc_block_region(block)))
            mlc_buf_append_c(p->buf, "  // no predecessors");
    } else if (count == 1) {
        mlc_buf_append_c(p->buf, "  // pred: ");
    } else {
        mlc_buf_append_c(p->buf, "  // ");
        mlc_buf_append_uint(p->buf, count);
        mlc_buf_append_c(p->buf, " preds: ");
    }
    for (size_t i = 0; i < count; i++) {
        mlc_buf_append_c(p->buf, i ? ", ^bb" : "^bb");
        mlc_buf_append_uint(p->buf, preds.numbers.data[i]);
    }
    mlc_vec_release(&preds.numbers);
}

static void
print_block_header(MlcPrinter *p, MlcBlock *block)
{
    mlc_buf_append_repeated(p->buf, ' ', p->indent);
    mlc_print_block_name(p, block);
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        mlc_buf_append_c(p->buf, i ? ", " : "(");
        mlc_print_block_arg(p, mlc_block_arg(block, i), true);
        mlc_print_arg_loc(p, mlc_block_arg(block, i));
    }
    mlc_buf_append_c(p->buf, mlc_block_num_args(block) ? "):" : ":");
    print_predecessors(p, block);
    mlc_buf_append_char(p->buf, '\n');
}

static void
print_users(MlcPrinter *p, MlcOp *op)
{
    if (mlc_op_num_results(op) == 0)
        return;
    mlc_buf_append_c(p->buf, " // ");
    if (!mlc_op_has_uses(op)) {
        mlc_buf_append_c(p->buf, "unused");
        return;
    }
    mlc_buf_append_c(p->buf, "users: ");
    bool any = false;
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        MLC_FOR_EACH_USE (use, mlc_op_result(op, i)) {
            MlcOp *user = mlc_use_owner(use);
            mlc_buf_append_c(p->buf, any ? ", " : "");
            any = true;
            if (mlc_op_num_results(user))
                mlc_print_value_name(p, mlc_op_result(user, 0), true);
            else
                mlc_buf_append_str(p->buf, mlc_op_name(user));
        }
}

void
mlc_print_op_line(MlcPrinter *p, MlcOp *op)
{
    mlc_buf_append_repeated(p->buf, ' ', p->indent);
    mlc_print_op(p, op);
    if (p->flags.value_users)
        print_users(p, op);
    mlc_buf_append_char(p->buf, '\n');
    if (p->flags.flush && p->buf->size >= FLUSH_SIZE && !p->is_collecting)
        p->flags.flush(p->flags.flush_user, p->buf);
}

static void
print_block(MlcPrinter *p, MlcBlock *block, bool header, bool terminator)
{
    if (header)
        print_block_header(p, block);
    p->indent += 2;
    MlcOp *last = mlc_block_last(block);
    bool skip_last = !terminator && last && mlc_op_has_trait(last, MLC_TRAIT_TERMINATOR);
    const MlcOp *end = skip_last ? last : NULL;
    for (MlcOp *op = block->first; op != end;) {
        if (p->pool && !p->is_collecting && mlc_print_body(p, op)) {
            op = mlc_print_ops(p, op, end);
            continue;
        }
        mlc_print_op_line(p, op);
        op = op->next;
    }
    p->indent -= 2;
}

void
mlc_print_region(MlcPrinter *p, MlcRegion *region, bool entry_args, bool terminator,
                 bool empty_block)
{
    if (p->flags.skip_regions) {
        mlc_buf_append_c(p->buf, "{...}");
        return;
    }
    mlc_buf_append(p->buf, "{\n", 2);
    MlcBlock *entry = mlc_region_first(region);
    if (entry) {
        const MlcOpDef *def =
            mlc_region_parent(region) ? mlc_op_def(mlc_region_parent(region)) : NULL;
        bool has_default =
            def && def->dialect && mlc_op_def_has_trait(def, MLC_TRAIT_HAS_DEFAULT_DIALECT);
        mlc_vec_push(&p->default_dialects, has_default ? def->dialect->name : "");
        bool header = (empty_block && mlc_block_is_empty(entry)) ||
                      (entry_args && mlc_block_num_args(entry) > 0);
        print_block(p, entry, header, terminator);
        for (MlcBlock *block = mlc_block_next(entry); block; block = mlc_block_next(block))
            print_block(p, block, true, true);
        p->default_dialects.size--;
    }
    mlc_buf_append_repeated(p->buf, ' ', p->indent);
    mlc_buf_append_char(p->buf, '}');
}

// --- ops

static void
print_op_types(MlcPrinter *p, MlcOp *op)
{
    mlc_buf_append_c(p->buf, " : (");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        const MlcValue *value = mlc_op_operand(op, i);
        mlc_buf_append_c(p->buf, i ? ", " : "");
        mlc_print_type(p, value ? mlc_value_type(value) : NULL);
    }
    mlc_buf_append_char(p->buf, ')');
    if (mlc_op_num_results(op))
        mlc_print_arrow_types(p, op);
    else
        mlc_buf_append_c(p->buf, " -> ()");
}

// Upstream looks for aliases in another order than the generic form prints: what is inside first,
// attributes last.
static void
visit_generic(MlcPrinter *p, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        mlc_print_region(p, mlc_op_region(op, i), true, true, true);
    print_op_types(p, op);
    if (op->def->dialect && !op->dict) {
        const uint16_t *slots = mlc_print_info(p, op->def)->slots;
        for (uint32_t i = 0; i < op->def->num_attrs; i++)
            if (mlc_op_slots_(op)[slots[i]])
                mlc_print_attribute(p, mlc_op_slots_(op)[slots[i]]);
        return;
    }
    MlcAttr all = mlc_op_all_attrs(op);
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++)
        mlc_print_attribute(p, mlc_dict_attr_entry(all, i).value);
    if (!mlc_op_is_registered(op) && mlc_op_properties(op))
        mlc_print_attr_body(p, mlc_op_properties(op), MLC_TYPE_NEVER_ELIDED);
}

static void
print_properties(MlcPrinter *p, MlcOp *op)
{
    MlcBuf *buf = p->buf;
    if (!op->def->dialect) {
        MlcAttr properties = mlc_op_properties(op);
        if (!properties)
            return;
        mlc_buf_append(buf, " <", 2);
        mlc_print_attr_body(p, properties, MLC_TYPE_NEVER_ELIDED);
        mlc_buf_append_char(buf, '>');
        return;
    }
    const MlcPrintInfo *info = mlc_print_info(p, op->def);
    bool any = false;
    for (uint32_t i = 0; i < op->def->num_attrs; i++) {
        MlcAttr value = mlc_op_slots_(op)[info->slots[i]];
        if (!value)
            continue;
        mlc_buf_append_c(buf, any ? ", " : " <{");
        any = true;
        mlc_buf_append_str(buf, info->keys[i]);
        if (mlc_attr_is(value, MLC_ATTR_UNIT))
            continue;
        mlc_buf_append(buf, " = ", 3);
        mlc_print_attribute(p, value);
    }
    if (any)
        mlc_buf_append(buf, "}>", 2);
}

static void
print_generic(MlcPrinter *p, MlcOp *op)
{
    MlcBuf *buf = p->buf;
    if (p->is_collecting) {
        visit_generic(p, op);
        return;
    }
    MlcPrintShape *shape = mlc_print_shape(p, op);
    mlc_buf_append_str(buf, (shape ? shape->info : mlc_print_info(p, op->def))->quoted_name);
    mlc_buf_append_char(buf, '(');
    mlc_print_operands(p, op, 0, mlc_op_num_operands(op));
    mlc_buf_append_char(buf, ')');
    for (size_t i = 0; i < mlc_op_num_successors(op); i++) {
        mlc_buf_append_c(buf, i ? ", " : "[");
        mlc_print_block_name(p, mlc_op_successor(op, i));
    }
    if (mlc_op_num_successors(op))
        mlc_buf_append_char(buf, ']');
    if (shape && shape->tail_size) {
        mlc_buf_append(buf, shape->tail, shape->tail_size);
        return;
    }
    size_t tail = buf->size;
    print_properties(p, op);
    for (size_t i = 0; i < mlc_op_num_regions(op); i++) {
        mlc_buf_append_c(buf, i ? ", " : " (");
        mlc_print_region(p, mlc_op_region(op, i), true, true, true);
    }
    if (mlc_op_num_regions(op))
        mlc_buf_append_char(buf, ')');
    mlc_print_op_dict(p, op, NULL, NULL, 0, false, false);
    print_op_types(p, op);
    if (shape)
        mlc_print_shape_keep_tail(p, shape, tail);
}

static void
print_results(MlcPrinter *p, MlcOp *op)
{
    size_t count = mlc_op_num_results(op);
    if (!count)
        return;
    const uint32_t *groups = count > 1 ? mlc_map_get(&p->result_groups, op) : NULL;
    uint32_t num_groups = groups ? groups[0] : 1;
    for (uint32_t i = 0; i < num_groups; i++) {
        size_t first = groups ? groups[i + 1] : 0, end = i + 1 < num_groups ? groups[i + 2] : count;
        mlc_buf_append_c(p->buf, i ? ", " : "");
        mlc_print_value_name(p, mlc_op_result(op, first), false);
        if (end - first > 1) {
            mlc_buf_append_char(p->buf, ':');
            mlc_buf_append_uint(p->buf, end - first);
        }
    }
    mlc_buf_append(p->buf, " = ", 3);
}

// arith.addi, or addi where arith is the default.
static void
print_op_name(MlcPrinter *p, const MlcOpDef *def)
{
    const char *dialect = p->default_dialects.size ? mlc_vec_last(&p->default_dialects) : "builtin";
    const MlcPrintInfo *info = mlc_print_info(p, def);
    MlcStr name = mlc_str_n(info->quoted_name.data + 1, info->quoted_name.size - 2);
    if (info->dialect.size && mlc_str_equal(info->dialect, mlc_str(dialect)))
        name = mlc_str_n(name.data + info->dialect.size + 1, name.size - info->dialect.size - 1);
    mlc_buf_append_str(p->buf, name);
}

void
mlc_print_inner_op(MlcPrinter *p, MlcOp *op)
{
    const MlcOpDef *def = mlc_op_def(op);
    if (p->flags.generic || !def->dialect || (!def->print && !def->format)) {
        print_generic(p, op);
        return;
    }
    print_op_name(p, def);
    if (def->print)
        def->print(p, op);
    else
        mlc_format_print_op(p, op, def->format);
}

static void
print_left_body(MlcPrinter *p, MlcOp *op, const MlcPrintBody *body)
{
    size_t mark = p->value_names.size;
    mlc_name_body(p, body);
    print_results(p, op);
    mlc_print_inner_op(p, op);
    mlc_print_trailing_loc(p, mlc_op_loc(op), true);
    p->value_names.size = mark;
}

void
mlc_print_op(MlcPrinter *p, MlcOp *op)
{
    MlcPrintBody *body = op->is_isolated ? mlc_print_body(p, op) : NULL;
    if (body && p->is_collecting && mlc_collect_body(p, body))
        return;
    if (body && body->is_left && !p->is_collecting) {
        print_left_body(p, op, body);
        return;
    }
    if (p->flags.at_op && !p->is_collecting)
        p->flags.at_op(p->flags.at_op_user, op, p->buf, p->indent);
    if (p->is_collecting && p->flags.debug_info) {
        bool can_defer = p->can_defer;
        p->can_defer = true;
        mlc_visit_symbol(p, mlc_op_loc(op), false, true);
        p->can_defer = can_defer;
    }
    print_results(p, op);
    mlc_print_inner_op(p, op);
    mlc_print_trailing_loc(p, mlc_op_loc(op), true);
}

// --- modules

void
mlc_printer_init(MlcPrinter *p, MlcContext *ctx, const MlcPrintFlags *flags, MlcBuf *out)
{
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->flags = flags ? *flags : mlc_print_flags_default();
    p->buf = out;
    mlc_arena_init(&p->arena);
    mlc_str_map_init(&p->used_names, &p->arena); // keys are copied
}

void
mlc_printer_release(MlcPrinter *p)
{
    mlc_arena_release(&p->arena);
    mlc_vec_release(&p->default_dialects);
    mlc_release_values(p);
    mlc_map_release(&p->value_words);
    mlc_vec_release(&p->value_names);
    mlc_map_release(&p->infos);
    mlc_map_release(&p->texts);
    mlc_map_release(&p->block_numbers);
    mlc_map_release(&p->result_groups);
    mlc_str_map_release(&p->used_names);
    mlc_vec_release(&p->names_in_scope);
    mlc_vec_release(&p->aliases);
    mlc_map_release(&p->alias_index);
    mlc_map_release(&p->alias_free);
    mlc_free(p->shapes);
    mlc_vec_release(&p->resources);
    mlc_map_release(&p->resource_seen);
    mlc_map_release(&p->distinct_numbers);
}

// "{-#" before the first section, "," between sections.
static void
open_section(MlcPrinter *p, bool *any, const char *name)
{
    mlc_buf_printf(p->buf, "%s  %s: {\n", *any ? ",\n" : "\n{-#\n", name);
    *any = true;
}

static void
print_external_resources(MlcPrinter *p, bool *any)
{
    size_t n = p->flags.external ? mlc_external_resources_size(p->flags.external) : 0;
    for (size_t i = 0; i < n; i++) {
        const MlcExternalResource *r = mlc_external_resources_at(p->flags.external, i);
        bool is_first = i == 0 || !mlc_str_equal(r[-1].section, r->section);
        if (i == 0)
            open_section(p, any, "external_resources");
        else
            mlc_buf_append_c(p->buf, is_first ? "\n    },\n" : ",\n");
        if (is_first) {
            mlc_buf_append_c(p->buf, "    ");
            mlc_print_keyword_or_string(p->buf, r->section);
            mlc_buf_append_c(p->buf, ": {\n");
        }
        mlc_buf_append_c(p->buf, "      ");
        mlc_print_keyword_or_string(p->buf, r->key);
        mlc_buf_printf(p->buf, ": %.*s", MLC_STR_FMT(r->value));
    }
    if (n > 0)
        mlc_buf_append_c(p->buf, "\n    }\n  }");
}

static void
print_dialect_resources(MlcPrinter *p, bool *any_section)
{
    bool any = false;
    for (size_t i = 0; i < p->resources.size; i++) {
        MlcBlob *blob = mlc_dense_resource_attr_blob(p->resources.data[i]);
        size_t size = mlc_blob_size(blob);
        if (p->flags.elide_resources_over >= 0 && size * 2 > (size_t)p->flags.elide_resources_over)
            continue;
        if (any) {
            mlc_buf_append_c(p->buf, ",\n");
        } else {
            open_section(p, any_section, "dialect_resources");
            mlc_buf_append_c(p->buf, "    builtin: {\n");
        }
        any = true;
        mlc_buf_append_c(p->buf, "      ");
        mlc_print_keyword_or_string(p->buf, mlc_dense_resource_attr_key(p->resources.data[i]));
        mlc_buf_append_c(p->buf, ": \"0x");
        uint32_t alignment = (uint32_t)mlc_blob_alignment(blob);
        for (unsigned b = 0; b < 4; b++)
            mlc_buf_append_hex(p->buf, alignment >> (8 * b) & 0xff, 2);
        const unsigned char *data = mlc_blob_data(blob);
        static const char digits[] = "0123456789ABCDEF";
        char *to = mlc_buf_reserve(p->buf, 2 * size);
        for (size_t b = 0; b < size; b++) {
            to[2 * b] = digits[data[b] >> 4];
            to[2 * b + 1] = digits[data[b] & 15];
        }
        p->buf->size += 2 * size;
        mlc_buf_append_char(p->buf, '"');
    }
    if (any)
        mlc_buf_append_c(p->buf, "\n    }\n  }");
}

static void
print_resources(MlcPrinter *p)
{
    bool any = false;
    print_dialect_resources(p, &any);
    print_external_resources(p, &any);
    if (any)
        mlc_buf_append_c(p->buf, "\n#-}\n");
}

void
mlc_print_root(MlcOp *op, const MlcPrintFlags *flags, MlcBuf *out)
{
    MlcPrinter p;
    mlc_printer_init(&p, mlc_op_context(op), flags, out);
    MlcOp *root = op;
    mlc_print_bodies_begin(&p, op);
    while (mlc_op_parent(root) &&
           !(p.flags.local_scope && mlc_op_has_trait(root, MLC_TRAIT_ISOLATED)))
        root = mlc_op_parent(root);
    bool is_top = !mlc_op_parent(op) && !p.flags.local_scope;
    if (!p.flags.local_scope)
        mlc_collect_aliases(&p, op);
    mlc_name_values(&p, root);
    if (!is_top) { // no place to define them
        p.aliases.size = 0;
        mlc_print_op(&p, op);
    } else {
        mlc_print_alias_definitions(&p, false);
        mlc_print_op(&p, op);
        mlc_buf_append_char(out, '\n');
        mlc_print_alias_definitions(&p, true);
        print_resources(&p);
    }
    mlc_print_bodies_end(&p);
    mlc_printer_release(&p);
}

// --- single types and attributes

void
mlc_type_print(MlcType type, MlcBuf *out)
{
    MlcPrinter p;
    mlc_printer_init(&p, type ? mlc_type_context(type) : NULL, NULL, out);
    mlc_print_type(&p, type);
    mlc_printer_release(&p);
}

void
mlc_attr_print(MlcAttr attr, MlcBuf *out)
{
    MlcPrinter p;
    mlc_printer_init(&p, attr ? mlc_attr_context(attr) : NULL, NULL, out);
    mlc_print_attribute(&p, attr);
    mlc_printer_release(&p);
}

void
mlc_loc_print(MlcContext *ctx, MlcLoc loc, MlcBuf *out)
{
    MlcPrinter p;
    mlc_printer_init(&p, ctx, NULL, out);
    mlc_buf_append_c(out, "loc(");
    mlc_print_loc_body(&p, loc, false, true);
    mlc_buf_append_char(out, ')');
    mlc_printer_release(&p);
}
