// print_name.c -- %names and ^names: MLIR's numbering and uniquing.
//
// A region is numbered whole before the regions inside of it; each of those goes on from the
// counters the enclosing region ended with, so that siblings reuse numbers. Wanted names come from
// MLC_INTERFACE_ASM_NAMES; a name already in scope gets `_` and a number.
#include <ctype.h>
#include <stdlib.h>

#include "print_impl.h"

static MlcStr
sanitize(MlcPrinter *p, MlcStr name)
{
    bool ok = !isdigit((unsigned char)name.data[0]);
    for (size_t i = 0; ok && i < name.size; i++)
        ok = isalnum((unsigned char)name.data[i]) || strchr("$._-", name.data[i]);
    if (ok)
        return name;
    MlcBuf buf = {0};
    if (isdigit((unsigned char)name.data[0]))
        mlc_buf_append_char(&buf, '_');
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (isalnum(c) || (c && strchr("$._-", c)))
            mlc_buf_append_char(&buf, (char)c);
        else if (c == ' ')
            mlc_buf_append_char(&buf, '_');
        else
            mlc_buf_append_hex(&buf, c, 1);
    }
    MlcStr copy = mlc_arena_strdup(&p->arena, mlc_buf_str(&buf));
    mlc_buf_release(&buf);
    return copy;
}

static bool
take_name(MlcPrinter *p, MlcStr name)
{
    bool inserted;
    MlcStrMapEntry *entry = mlc_str_map_insert(&p->used_names, name, &inserted);
    if (entry->value)
        return false;
    entry->value = 1;
    mlc_vec_push(&p->names_in_scope, entry->key);
    return true;
}

static const char *
unique_name(MlcPrinter *p, MlcStr wanted)
{
    MlcStr name = mlc_arena_strdup(&p->arena, sanitize(p, wanted));
    while (!take_name(p, name))
        name = mlc_arena_printf(&p->arena, "%.*s_%u", MLC_STR_FMT(sanitize(p, wanted)),
                                p->next_conflict++);
    return name.data;
}

static bool
is_named(const MlcPrinter *p, const MlcValue *value)
{
    return mlc_map_has(&p->value_index, value);
}

static void
set_name(MlcPrinter *p, const MlcValue *value, MlcStr name)
{
    MlcValueName entry = {0};
    if (name.size)
        entry.name = unique_name(p, name);
    else
        entry.number = p->next_value++;
    mlc_vec_push(&p->value_names, entry);
    mlc_map_set_u64(&p->value_index, (uint64_t)(uintptr_t)value, p->value_names.size);
}

typedef struct Naming {
    MlcPrinter *p;
    MLC_VEC(uint32_t) groups; // result numbers other than 0 that were named
} Naming;

static void
name_result(void *user, MlcValue *value, MlcStr name)
{
    Naming *n = user;
    if (is_named(n->p, value))
        return;
    set_name(n->p, value, name);
    if (mlc_value_index(value))
        mlc_vec_push(&n->groups, (uint32_t)mlc_value_index(value));
}

static void
name_block_arg(void *user, MlcValue *value, MlcStr name)
{
    Naming *n = user;
    if (!is_named(n->p, value))
        set_name(n->p, value, name);
}

static int
compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void
name_op(MlcPrinter *p, MlcOp *op)
{
    Naming naming = {.p = p};
    const MlcAsmNames *names =
        p->flags.generic ? NULL : mlc_op_interface(op, MLC_INTERFACE_ASM_NAMES);
    if (names && names->results)
        names->results(op, name_result, &naming);
    if (mlc_op_num_results(op) && !is_named(p, mlc_op_result(op, 0)))
        set_name(p, mlc_op_result(op, 0), (MlcStr){0});
    if (naming.groups.size) {
        qsort(naming.groups.data, naming.groups.size, sizeof(uint32_t), compare_u32);
        uint32_t *copy = mlc_arena_alloc(&p->arena, (naming.groups.size + 2) * sizeof(uint32_t), 4);
        copy[0] = (uint32_t)naming.groups.size + 1;
        copy[1] = 0;
        memcpy(copy + 2, naming.groups.data, naming.groups.size * sizeof(uint32_t));
        mlc_map_set(&p->result_groups, op, copy);
        mlc_vec_release(&naming.groups);
    }
}

static void
name_region(MlcPrinter *p, MlcRegion *region)
{
    MlcOp *parent = mlc_region_parent(region);
    Naming naming = {.p = p};
    const MlcAsmNames *names =
        p->flags.generic || !parent ? NULL : mlc_op_interface(parent, MLC_INTERFACE_ASM_NAMES);
    if (names && names->block_args)
        names->block_args(parent, region, name_block_arg, &naming);
    uint32_t next_block = 0;
    MLC_FOR_EACH_BLOCK (block, region) {
        mlc_map_set_u64(&p->block_numbers, (uint64_t)(uintptr_t)block, next_block);
        for (size_t i = 0; i < mlc_block_num_args(block); i++) {
            MlcValue *arg = mlc_block_arg(block, i);
            if (is_named(p, arg))
                continue;
            char text[32];
            MlcStr name = {0};
            if (next_block == 0) {
                MlcBuf buf = {0};
                mlc_buf_printf(&buf, "arg%u", p->next_argument++);
                memcpy(text, buf.data, buf.size);
                name = mlc_str_n(text, buf.size);
                mlc_buf_release(&buf);
            }
            set_name(p, arg, name);
        }
        MLC_FOR_EACH_OP (op, block)
            name_op(p, op);
        next_block++;
    }
}

static void name_regions_of(MlcPrinter *p, MlcOp *op);

static void
name_region_tree(MlcPrinter *p, MlcRegion *region)
{
    uint32_t value = p->next_value, argument = p->next_argument, conflict = p->next_conflict;
    size_t scope = p->names_in_scope.size;
    name_region(p, region);
    // Backwards, as upstream takes them off its stack: it shows where numbers go on.
    for (MlcBlock *block = mlc_region_last(region); block; block = mlc_block_prev(block))
        for (MlcOp *op = mlc_block_last(block); op; op = mlc_op_prev(op))
            if (mlc_op_num_regions(op))
                name_regions_of(p, op);
    while (p->names_in_scope.size > scope) {
        MlcStrMapEntry *entry = mlc_str_map_find(&p->used_names, mlc_vec_pop(&p->names_in_scope));
        entry->value = 0;
    }
    if (p->flags.unique_ssa_ids || p->flags.generic)
        return;
    p->next_value = value;
    p->next_argument = argument;
    p->next_conflict = conflict;
}

static void
name_regions_of(MlcPrinter *p, MlcOp *op)
{
    for (size_t i = mlc_op_num_regions(op); i-- > 0;)
        name_region_tree(p, mlc_op_region(op, i));
}

void
mlc_name_values(MlcPrinter *p, MlcOp *root)
{
    name_op(p, root);
    name_regions_of(p, root);
}

// --- printing
// -------------------------------------------------------------------------------------------------------

void
mlc_print_value_name(MlcPrinter *p, const MlcValue *value, bool with_number)
{
    MlcBuf *buf = p->buf;
    if (!value) {
        mlc_buf_append_c(buf, "<<NULL VALUE>>");
        return;
    }
    const MlcValue *head = value;
    MlcOp *op = mlc_value_def(value);
    int64_t number = -1;
    if (op && mlc_op_num_results(op) > 1) {
        uint32_t first = 0, index = (uint32_t)mlc_value_index(value),
                 end = (uint32_t)mlc_op_num_results(op);
        const uint32_t *groups = mlc_map_get(&p->result_groups, op);
        for (uint32_t i = 1; groups && i <= groups[0]; i++) {
            if (groups[i] <= index)
                first = groups[i];
            else if (groups[i] < end)
                end = groups[i];
        }
        head = mlc_op_result(op, first);
        number = end - first > 1 ? (int64_t)(index - first) : -1;
    }
    uint64_t index;
    if (!mlc_map_get_u64(&p->value_index, (uint64_t)(uintptr_t)head, &index)) {
        mlc_buf_append_c(buf, "<<UNKNOWN SSA VALUE>>");
        return;
    }
    const MlcValueName *name = &p->value_names.data[index - 1];
    mlc_buf_append_char(buf, '%');
    if (name->name)
        mlc_buf_append_c(buf, name->name);
    else
        mlc_buf_append_uint(buf, name->number);
    if (number >= 0 && with_number) {
        mlc_buf_append_char(buf, '#');
        mlc_buf_append_int(buf, number);
    }
}

void
mlc_print_block_name(MlcPrinter *p, const MlcBlock *block)
{
    uint64_t number;
    if (!mlc_map_get_u64(&p->block_numbers, (uint64_t)(uintptr_t)block, &number)) {
        mlc_buf_append_c(p->buf, "INVALIDBLOCK");
        return;
    }
    mlc_buf_append_c(p->buf, "^bb");
    mlc_buf_append_uint(p->buf, number);
}
