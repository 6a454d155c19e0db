// print_name.c -- %names and ^names: MLIR's numbering and uniquing.
//
// A region is numbered whole before the regions inside of it; each of those goes on from the
// counters the enclosing region ended with, so that siblings reuse numbers. Wanted names come from
// MLC_INTERFACE_ASM_NAMES; a name already in scope gets `_` and a number. Bodies of isolated ops
// that stand in `bodies` are numbered when they are printed, while they are near.
#include <ctype.h>
#include <stdlib.h>

#include "op/op_impl.h"
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
take_name(MlcPrinter *p, MlcStr name, const char **taken)
{
    MlcStrMapEntry *entry = mlc_str_map_insert(&p->used_names, name, NULL);
    if (entry->value)
        return false;
    entry->value = 1;
    mlc_vec_push(&p->names_in_scope, entry->key);
    *taken = entry->key.data;
    return true;
}

static const char *
unique_name(MlcPrinter *p, MlcStr wanted)
{
    MlcStr base = sanitize(p, wanted), name = base;
    const char *taken;
    while (!take_name(p, name, &taken))
        name =
            mlc_arena_printf(&p->arena, "%.*s_%u", MLC_STR_FMT(base), (unsigned)p->next_conflict++);
    return taken;
}

// What a value is called is one word: 8 bits of generation, 1 bit that says whether 23 bits are a
// number or an index of `value_names`. It stands in the value itself for the printer that came
// first, since it is asked for with every operand and nothing is nearer; the generation tells it
// from what an earlier printer left there. A second printer in the context, and numbers that do not
// fit, have the map.
#define NAME_BIT (UINT32_C(1) << 23)

static void
claim_values(MlcPrinter *p)
{
    if (atomic_flag_test_and_set(&p->ctx->is_numbering))
        return;
    p->ctx->print_generation = p->ctx->print_generation % 255 + 1;
    p->generation = p->ctx->print_generation;
}

void
mlc_release_values(MlcPrinter *p)
{
    if (p->generation)
        atomic_flag_clear(&p->ctx->is_numbering);
    p->generation = 0;
}

static void
set_word(MlcPrinter *p, const MlcValue *value, uint32_t number, uint32_t name_bit)
{
    if (p->generation && number < NAME_BIT)
        ((MlcValue *)(uintptr_t)value)->printed = p->generation << 24 | name_bit | number;
    else
        mlc_map_set_u64(&p->value_words, mlc_word(value), (uint64_t)name_bit << 32 | number);
}

static inline bool
get_word(const MlcPrinter *p, const MlcValue *value, uint32_t *number, bool *is_name)
{
    uint64_t word;
    if (p->generation && value->printed >> 24 == p->generation) {
        *number = value->printed & (NAME_BIT - 1);
        *is_name = value->printed & NAME_BIT;
        return true;
    }
    if (!p->value_words.size || !mlc_map_get_u64(&p->value_words, mlc_word(value), &word))
        return false;
    *number = (uint32_t)word;
    *is_name = word >> 32;
    return true;
}

// Before anything inside is named: the generations come round.
static void
forget_name(const MlcPrinter *p, const MlcValue *value)
{
    if (p->generation)
        ((MlcValue *)(uintptr_t)value)->printed = 0;
}

static bool
is_named(const MlcPrinter *p, const MlcValue *value)
{
    uint32_t number;
    bool is_name;
    return get_word(p, value, &number, &is_name);
}

static void
set_name(MlcPrinter *p, const MlcValue *value, MlcStr name)
{
    if (!name.size) {
        set_word(p, value, p->next_value++, 0);
        return;
    }
    set_word(p, value, (uint32_t)p->value_names.size, NAME_BIT);
    mlc_vec_push(&p->value_names, unique_name(p, name));
}

// A block's number, kept as those of values are.
static void
set_block_number(MlcPrinter *p, MlcBlock *block, uint32_t number)
{
    if (p->generation && number < UINT32_C(1) << 24)
        block->printed = p->generation << 24 | number;
    else
        mlc_map_set_u64(&p->block_numbers, mlc_word(block), number);
}

bool
mlc_printed_block_number(const MlcPrinter *p, const MlcBlock *block, uint32_t *number)
{
    uint64_t word;
    if (p->generation && block->printed >> 24 == p->generation) {
        *number = block->printed & ((UINT32_C(1) << 24) - 1);
        return true;
    }
    if (!p->block_numbers.size || !mlc_map_get_u64(&p->block_numbers, mlc_word(block), &word))
        return false;
    *number = (uint32_t)word;
    return true;
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
    if (!op->num_results)
        return;
    const MlcAsmNames *names = p->flags.generic ? NULL : mlc_print_info(p, op->def)->asm_names;
    MlcValue *results = mlc_op_results_(op);
    if (!names || !names->results) {
        for (uint32_t i = 1; i < op->num_results; i++)
            forget_name(p, &results[i]);
        set_name(p, results, (MlcStr){0});
        return;
    }
    for (uint32_t i = 0; i < op->num_results; i++)
        forget_name(p, &results[i]);
    Naming naming = {.p = p};
    names->results(op, name_result, &naming);
    if (!is_named(p, results))
        set_name(p, results, (MlcStr){0});
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
name_arg(MlcPrinter *p, MlcValue *arg, bool is_of_entry)
{
    if (is_named(p, arg))
        return;
    if (!is_of_entry) {
        set_name(p, arg, (MlcStr){0});
        return;
    }
    char digits[16], name[16] = "arg";
    size_t at = sizeof digits, size = 3;
    uint32_t number = p->next_argument++;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    while (at < sizeof digits)
        name[size++] = digits[at++];
    set_name(p, arg, mlc_str_n(name, size));
}

static void
name_region(MlcPrinter *p, MlcRegion *region)
{
    MlcOp *parent = mlc_region_parent(region);
    Naming naming = {.p = p};
    const MlcAsmNames *names =
        p->flags.generic || !parent ? NULL : mlc_print_info(p, parent->def)->asm_names;
    MLC_FOR_EACH_BLOCK (block, region)
        for (uint32_t i = 0; i < block->num_args; i++)
            forget_name(p, &block->args[i]->value);
    if (names && names->block_args)
        names->block_args(parent, region, name_block_arg, &naming);
    uint32_t next_block = 0;
    MLC_FOR_EACH_BLOCK (block, region) {
        set_block_number(p, block, next_block);
        for (uint32_t i = 0; i < block->num_args; i++)
            name_arg(p, &block->args[i]->value, next_block == 0);
        for (MlcOp *op = block->first; op; op = op->next)
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
    for (MlcBlock *block = region->last; block; block = block->prev)
        for (MlcOp *op = block->last; op; op = op->prev)
            if (op->num_regions)
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
name_all_regions(MlcPrinter *p, MlcOp *op)
{
    for (uint32_t i = op->num_regions; i-- > 0;)
        name_region_tree(p, mlc_op_region(op, i));
}

static void
name_regions_of(MlcPrinter *p, MlcOp *op)
{
    MlcPrintBody *body = mlc_print_body(p, op);
    if (!body || p->names_in_scope.size) {
        name_all_regions(p, op);
        return;
    }
    body->is_left = true;
    body->value = p->next_value;
    body->argument = p->next_argument;
    body->conflict = p->next_conflict;
    if (p->flags.generic) {
        p->next_value += body->num_values;
        p->next_argument += body->num_args;
    }
}

void
mlc_name_body(MlcPrinter *p, const MlcPrintBody *body)
{
    p->next_value = body->value;
    p->next_argument = body->argument;
    p->next_conflict = body->conflict;
    name_all_regions(p, body->op);
}

void
mlc_count_body(MlcPrintBody *body, MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_regions; i++)
        for (MlcBlock *first = mlc_op_region(op, i)->first, *block = first; block;
             block = block->next) {
            *(block == first ? &body->num_args : &body->num_values) += block->num_args;
            for (MlcOp *inner = block->first; inner; inner = inner->next) {
                body->num_ops++;
                body->num_values += inner->num_results > 0;
                if (inner->num_regions)
                    mlc_count_body(body, inner);
            }
        }
}

void
mlc_name_values(MlcPrinter *p, MlcOp *root)
{
    claim_values(p);
    name_op(p, root);
    name_regions_of(p, root);
}

// --- printing

// As most are: of an argument or an only result, in the value itself, without a name.
static inline bool
is_plain_number(const MlcPrinter *p, const MlcValue *value)
{
    return p->generation && value->printed >> 23 == p->generation << 1 &&
           (value->is_arg || mlc_result_owner_(value)->num_results == 1);
}

void
mlc_print_value_name(MlcPrinter *p, const MlcValue *value, bool with_number)
{
    MlcBuf *buf = p->buf;
    if (!value) {
        mlc_buf_append_c(buf, "<<NULL VALUE>>");
        return;
    }
    if (is_plain_number(p, value)) {
        mlc_buf_append_char(buf, '%');
        mlc_buf_append_uint(buf, value->printed & (NAME_BIT - 1));
        return;
    }
    const MlcValue *head = value;
    MlcOp *op = value->is_arg ? NULL : mlc_result_owner_(value);
    int64_t in_group = -1;
    if (op && op->num_results > 1) {
        uint32_t first = 0, index = value->index, end = op->num_results;
        const uint32_t *groups = p->result_groups.size ? mlc_map_get(&p->result_groups, op) : NULL;
        for (uint32_t i = 1; groups && i <= groups[0]; i++) {
            if (groups[i] <= index)
                first = groups[i];
            else if (groups[i] < end)
                end = groups[i];
        }
        head = &mlc_op_results_(op)[first];
        in_group = end - first > 1 ? (int64_t)(index - first) : -1;
    }
    uint32_t number;
    bool is_name;
    if (!get_word(p, head, &number, &is_name)) {
        mlc_buf_append_c(buf, "<<UNKNOWN SSA VALUE>>");
        return;
    }
    mlc_buf_append_char(buf, '%');
    if (is_name)
        mlc_buf_append_c(buf, p->value_names.data[number]);
    else
        mlc_buf_append_uint(buf, number);
    if (in_group >= 0 && with_number) {
        mlc_buf_append_char(buf, '#');
        mlc_buf_append_int(buf, in_group);
    }
}

void
mlc_print_block_name(MlcPrinter *p, const MlcBlock *block)
{
    uint32_t number;
    if (!mlc_printed_block_number(p, block, &number)) {
        mlc_buf_append_c(p->buf, "INVALIDBLOCK");
        return;
    }
    mlc_buf_append(p->buf, "^bb", 3);
    mlc_buf_append_uint(p->buf, number);
}
