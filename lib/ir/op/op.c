// op.c -- making and erasing operations, their operands, attributes, successors and place in a
// block.
#include "op_check.h"

#include "mlc/ir/loc.h"
#include "mlc/support/alloc.h"
#include "mlc/support/quota.h"

// --- making

static size_t
op_size(const MlcOp *op)
{
    return (size_t)((char *)(mlc_op_regions_(op) + op->num_regions) - (const char *)op) +
           (op->is_isolated ? sizeof(MlcEdits) : 0);
}

// An op with everything but attributes' values, operands and successors, which are empty.
MlcOp *
mlc_op_alloc(MlcContext *ctx, const MlcOpDef *def, MlcLoc loc, size_t num_operands,
             size_t num_results, size_t num_successors, size_t num_regions)
{
    bool is_isolated = mlc_op_def_has_trait(def, MLC_TRAIT_ISOLATED);
    uint16_t num_inline = num_operands <= UINT16_MAX ? (uint16_t)num_operands : 0,
             num_slots = def->dialect ? def->num_attrs : 1;
    assert((num_operands | num_results | num_successors) <= UINT32_MAX && num_regions <= INT32_MAX);
    size_t parts = num_results * sizeof(MlcValue) + num_inline * sizeof(MlcUse) +
                   num_slots * sizeof(MlcAttr) + num_successors * sizeof(MlcBlockUse) +
                   num_regions * sizeof(MlcRegion) + (is_isolated ? sizeof(MlcEdits) : 0);
    mlc_quota_count_op();
    MlcOp *op = mlc_slab_alloc(ctx, sizeof *op + parts);
    memset(op + 1, 0, parts);
    *op = (MlcOp){
        .def = def,
        .ctx = ctx,
        .loc = loc ? loc : mlc_loc_unknown(ctx),
        .num_operands = (uint32_t)num_operands,
        .operand_capacity = (uint32_t)num_operands,
        .num_inline_operands = num_inline,
        .num_results = (uint32_t)num_results,
        .num_successors = (uint32_t)num_successors,
        .num_regions = (uint32_t)num_regions & INT32_MAX,
        .num_slots = num_slots,
        .is_isolated = is_isolated,
    };
    assert(op_size(op) == sizeof *op + parts);
    op->operands = mlc_op_inline_operands_(op);
    if (num_operands > UINT16_MAX) {
        op->operands = mlc_slab_alloc(ctx, num_operands * sizeof(MlcUse));
        memset(op->operands, 0, num_operands * sizeof(MlcUse));
    }
    for (uint32_t i = 0; i < op->num_operands; i++)
        op->operands[i].owner = op;
    MlcBlockUse *successors = mlc_op_successors_(op);
    for (uint32_t i = 0; i < op->num_successors; i++)
        successors[i].owner = op;
    MlcRegion *regions = mlc_op_regions_(op);
    for (uint32_t i = 0; i < op->num_regions; i++)
        regions[i].parent = op;
    return op;
}

MlcOp *
mlc_op_alloc_like(const MlcOp *model, MlcLoc loc)
{
    size_t size = op_size(model);
    mlc_quota_count_op();
    MlcOp *op = mlc_slab_alloc(model->ctx, size);
    memcpy(op, model, size);
    op->loc = loc;
    op->operands = mlc_op_inline_operands_(op);
    if (op->num_operands > op->num_inline_operands) {
        op->operands = mlc_slab_alloc(op->ctx, op->num_operands * sizeof(MlcUse));
        memset(op->operands, 0, op->num_operands * sizeof(MlcUse));
    }
    for (uint32_t i = 0; i < op->num_operands; i++)
        op->operands[i].owner = op;
    MlcBlockUse *successors = mlc_op_successors_(op);
    for (uint32_t i = 0; i < op->num_successors; i++)
        successors[i].owner = op;
    MlcRegion *regions = mlc_op_regions_(op);
    for (uint32_t i = 0; i < op->num_regions; i++)
        regions[i].parent = op;
    return op;
}

void
mlc_op_fill_defaults(MlcOp *op)
{
    const MlcOpDef *def = op->def;
    MlcAttr *slots = mlc_op_slots_(op);
    for (size_t i = 0; def->dialect && i < def->num_attrs; i++)
        if (!slots[i] && !def->attrs[i].optional && def->attrs[i].default_text)
            slots[i] = mlc_context_default_attr(op->ctx, &def->attrs[i]);
}

static void
set_attrs(MlcOp *op, const MlcNamedAttr *attrs, size_t num_attrs)
{
    MlcAttr *slots = mlc_op_slots_(op);
    MlcNamedAttr few[16], *rest = num_attrs <= 16 ? few : mlc_malloc(num_attrs * sizeof *rest);
    size_t num_rest = 0;
    for (size_t i = 0; i < num_attrs; i++) {
        int slot = op->def->num_attrs
                       ? mlc_op_def_attr_slot(op->def, mlc_string_attr_value(attrs[i].name))
                       : -1;
        if (slot >= 0)
            slots[slot] = attrs[i].value;
        else if (attrs[i].value)
            rest[num_rest++] = attrs[i];
    }
    op->dict = num_rest ? mlc_dict_attr_get(op->ctx, rest, num_rest) : NULL;
    if (rest != few)
        mlc_free(rest);
}

// Properties of an op that no dialect defines may be any attribute.
static bool
is_dict(MlcAttr properties)
{
    return properties && mlc_attr_is(properties, MLC_ATTR_DICT);
}

MlcOp *
mlc_op_create(MlcContext *ctx, const MlcOpState *state)
{
    const MlcOpDef *def = state->def;
    MlcOp *op = mlc_op_alloc(ctx, def, state->loc, state->num_operands, state->num_results,
                             state->num_successors, state->num_regions);
    MlcValue *results = mlc_op_results_(op);
    for (uint32_t i = 0; i < op->num_results; i++) {
        results[i].type = state->result_types[i];
        results[i].index = i;
    }
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (state->operands[i])
            mlc_use_link_(&op->operands[i], state->operands[i]);
    MlcBlockUse *successors = mlc_op_successors_(op);
    for (uint32_t i = 0; i < op->num_successors; i++)
        mlc_block_use_link_(&successors[i], state->successors[i]);
    if (state->num_attrs)
        set_attrs(op, state->attrs, state->num_attrs);
    MlcAttr *slots = mlc_op_slots_(op);
    if (!def->dialect)
        slots[0] = is_dict(state->properties) && !mlc_dict_attr_size(state->properties)
                       ? NULL
                       : state->properties;
    mlc_op_fill_defaults(op);
    return op;
}

// --- erasing

static void
drop_own_references(MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_operands; i++)
        mlc_use_unlink_(&op->operands[i]);
    MlcBlockUse *successors = mlc_op_successors_(op);
    for (uint32_t i = 0; i < op->num_successors; i++)
        mlc_block_use_unlink_(&successors[i]);
}

void
mlc_op_drop_references(MlcOp *root)
{
    for (MlcOp *op = root; op; op = mlc_op_preorder_next(op, root))
        drop_own_references(op);
}

static void
drop_uses(MlcValue *value)
{
    while (value->first_use)
        mlc_use_unlink_(value->first_use);
}

static void
free_block(MlcBlock *block)
{
    for (uint32_t i = 0; i < block->num_args; i++) {
        drop_uses(&block->args[i]->value);
        mlc_block_arg_free(block->ctx, block->args[i]);
    }
    while (block->first_use)
        mlc_block_use_unlink_(block->first_use);
    if (block->args)
        mlc_slab_free(block->ctx, block->args, block->arg_capacity * sizeof(MlcBlockArg *));
    mlc_slab_free(block->ctx, block, sizeof *block);
}

static _Thread_local MlcEraseListener *erase_listener;

void
mlc_erase_listener_push(MlcEraseListener *listener)
{
    listener->outer = erase_listener;
    erase_listener = listener;
}

void
mlc_erase_listener_pop(MlcEraseListener *listener)
{
    assert(erase_listener == listener);
    erase_listener = listener->outer;
}

static void
free_one(MlcOp *op)
{
    MLC_GUARDED_NOTE(op, op->def->name, op->loc, sizeof *op, op->num_results * sizeof(MlcValue));
    for (MlcEraseListener *listener = erase_listener; listener; listener = listener->outer)
        listener->erased(listener, op);
    MlcRegion *regions = mlc_op_regions_(op);
    for (uint32_t r = 0; r < op->num_regions; r++) {
        for (MlcBlock *block = regions[r].first, *next; block; block = next) {
            next = block->next;
            free_block(block);
        }
    }
    MlcValue *results = mlc_op_results_(op);
    for (uint32_t i = 0; i < op->num_results; i++)
        drop_uses(&results[i]);
    if (op->operands != mlc_op_inline_operands_(op))
        mlc_slab_free(op->ctx, op->operands, op->operand_capacity * sizeof(MlcUse));
    mlc_slab_free(op->ctx, op, op_size(op));
}

void
mlc_op_free(MlcOp *root)
{
    // Innermost first, without recursion: `next` is found while all that leads to it is still
    // there.
    for (MlcOp *op = mlc_op_postorder_first(root), *next; op; op = next) {
        next = mlc_op_postorder_next(op, root);
        free_one(op);
    }
}

void
mlc_op_destroy(MlcOp *op)
{
    MLC_CHECK_OP(op);
    MlcValue *results = mlc_op_results_(op);
    for (uint32_t i = 0; i < op->num_results; i++)
        drop_uses(&results[i]);
    if (op->block) {
        mlc_count_edit_in_block(op->block);
        mlc_block_unlink_op(op);
    }
    mlc_op_drop_references(op);
    mlc_op_free(op);
}

void
mlc_op_erase(MlcOp *op)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_UNUSED(op);
    mlc_op_destroy(op);
}

void
mlc_block_destroy(MlcBlock *block)
{
    MLC_CHECK_BLOCK(block);
    MlcRegion *region = block->region;
    if (region) {
        mlc_count_edit_in_block(block);
        *(block->prev ? &block->prev->next : &region->first) = block->next;
        *(block->next ? &block->next->prev : &region->last) = block->prev;
    }
    for (MlcOp *op = block->first; op; op = op->next)
        mlc_op_drop_references(op);
    for (MlcOp *op = block->first, *next; op; op = next) {
        next = op->next;
        mlc_op_free(op);
    }
    free_block(block);
}

// --- edits

static MlcOp *
parent_of(const MlcOp *op)
{
    return op->block && op->block->region ? op->block->region->parent : NULL;
}

static MlcOp *
nearest_isolated(MlcOp *op)
{
    while (op && !op->is_isolated)
        op = parent_of(op);
    return op;
}

void
mlc_count_edit(MlcOp *op)
{
    op = nearest_isolated(op);
    if (!op)
        return;
    MLC_CHECK_EDIT(op);
    mlc_op_edits_(op)->count++;
    while ((op = nearest_isolated(parent_of(op)))) {
        MlcEdits *edits = mlc_op_edits_(op);
        if (!atomic_load_explicit(&edits->is_marked, memory_order_relaxed))
            atomic_store_explicit(&edits->is_marked, true, memory_order_relaxed);
    }
}

uint64_t
mlc_op_edits(const MlcOp *isolated)
{
    MLC_CHECK_OP(isolated);
    MlcOp *op = nearest_isolated((MlcOp *)(uintptr_t)isolated);
    if (!op)
        return 0;
    MlcEdits *edits = mlc_op_edits_(op);
    if (atomic_exchange_explicit(&edits->is_marked, false, memory_order_relaxed))
        edits->count++;
    return edits->count;
}

void
mlc_op_note_edit(MlcOp *op)
{
    MLC_CHECK_OP(op);
    mlc_count_edit(op);
}

// --- identity and place

const MlcOpDef *
mlc_op_def(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->def;
}

MlcStr
mlc_op_name(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return mlc_str(op->def->name);
}

bool
mlc_op_is_named(const MlcOp *op, const char *name)
{
    MLC_CHECK_OP(op);
    return op && mlc_str_equal(mlc_op_name(op), mlc_str(name));
}

bool
mlc_op_same_result_types(const MlcOp *a, const MlcOp *b)
{
    MLC_CHECK_OP(a);
    MLC_CHECK_OP(b);
    if (mlc_op_num_results(a) != mlc_op_num_results(b))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(a); i++)
        if (mlc_value_type(mlc_op_result(a, i)) != mlc_value_type(mlc_op_result(b, i)))
            return false;
    return true;
}

bool
mlc_op_isa(const MlcOp *op, const MlcOpDef *def)
{
    MLC_CHECK_OP(op);
    return op->def == def;
}

bool
mlc_op_is_registered(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->def->dialect != NULL;
}

MlcContext *
mlc_op_context(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->ctx;
}

MlcLoc
mlc_op_loc(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->loc;
}

// A location is no part of what a pass changes, so this is not counted as an edit.
void
mlc_op_set_loc(MlcOp *op, MlcLoc loc)
{
    MLC_CHECK_OP(op);
    op->loc = loc;
}

MlcBlock *
mlc_op_block(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->block;
}

MlcRegion *
mlc_op_region_of(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->block ? op->block->region : NULL;
}

MlcOp *
mlc_op_parent(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return parent_of(op);
}

MlcOp *
mlc_op_parent_of_kind(const MlcOp *op, const MlcOpDef *def)
{
    MLC_CHECK_OP(op);
    MlcOp *parent = parent_of(op);
    while (parent && parent->def != def)
        parent = parent_of(parent);
    return parent;
}

MlcOp *
mlc_op_next(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->next;
}

MlcOp *
mlc_op_prev(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->prev;
}

bool
mlc_op_is_ancestor(const MlcOp *ancestor, const MlcOp *op)
{
    MLC_CHECK_OP(ancestor);
    MLC_CHECK_OP(op);
    while (op && op != ancestor)
        op = parent_of(op);
    return op != NULL;
}

static void
insert(MlcOp *op, MlcBlock *block, MlcOp *before)
{
    MLC_CHECK_DETACHED(op);
    mlc_block_link_op(block, op, before);
    mlc_count_edit_in_block(block);
}

static void
move(MlcOp *op, MlcBlock *block, MlcOp *before)
{
    if (op->block) {
        mlc_count_edit_in_block(op->block);
        mlc_block_unlink_op(op);
    }
    insert(op, block, before);
}

void
mlc_op_insert_before(MlcOp *op, MlcOp *anchor)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(anchor);
    insert(op, anchor->block, anchor);
}

void
mlc_op_insert_after(MlcOp *op, MlcOp *anchor)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(anchor);
    insert(op, anchor->block, anchor->next);
}

void
mlc_op_move_before(MlcOp *op, MlcOp *anchor)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(anchor);
    if (op != anchor && op->next != anchor)
        move(op, anchor->block, anchor);
}

void
mlc_op_move_after(MlcOp *op, MlcOp *anchor)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_OP(anchor);
    if (op != anchor && op->prev != anchor)
        move(op, anchor->block, anchor->next);
}

void
mlc_op_remove(MlcOp *op)
{
    MLC_CHECK_OP(op);
    if (!op->block)
        return;
    mlc_count_edit_in_block(op->block);
    mlc_block_unlink_op(op);
}

// --- operands

size_t
mlc_op_num_operands(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->num_operands;
}

MlcValue *
mlc_op_operand(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "operand", i, op->num_operands);
    return op->operands[i].value;
}

MlcType
mlc_op_operand_type(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "operand", i, op->num_operands);
    return op->operands[i].value->type;
}

MlcUse *
mlc_op_operand_use(MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "operand", i, op->num_operands);
    return &op->operands[i];
}

void
mlc_op_set_operand(MlcOp *op, size_t i, MlcValue *value)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_VALUE(value);
    MLC_CHECK_INDEX(op, "operand", i, op->num_operands);
    mlc_use_set(&op->operands[i], value);
}

// Moves a linked use to another slot; what points to it follows.
static void
relocate(MlcUse *to, MlcUse *from)
{
    *to = *from;
    if (!to->value)
        return;
    *to->link = to;
    if (to->next)
        to->next->link = &to->next;
}

static void
reserve_operands(MlcOp *op, size_t count)
{
    if (count <= op->operand_capacity)
        return;
    size_t capacity = op->operand_capacity * (size_t)2;
    if (capacity < count)
        capacity = count < 4 ? 4 : count;
    MlcUse *operands = mlc_slab_alloc(op->ctx, capacity * sizeof *operands);
    for (uint32_t i = 0; i < op->num_operands; i++)
        relocate(&operands[i], &op->operands[i]);
    if (op->operands != mlc_op_inline_operands_(op))
        mlc_slab_free(op->ctx, op->operands, op->operand_capacity * sizeof *operands);
    op->operands = operands;
    op->operand_capacity = (uint32_t)capacity;
}

// Puts `values` where `num_old` operands stood from `at` on.
static void
replace_operands(MlcOp *op, size_t at, size_t num_old, MlcValue *const *values, size_t num_values)
{
    MLC_CHECK(at + num_old <= op->num_operands, "operands %zu to %zu of %s, which has %u", at,
              at + num_old, mlc_check_text(op), op->num_operands);
    size_t tail = op->num_operands - at - num_old;
    for (size_t i = 0; i < num_old; i++)
        mlc_use_unlink_(&op->operands[at + i]);
    reserve_operands(op, at + num_values + tail);
    MlcUse *from = op->operands + at + num_old, *to = op->operands + at + num_values;
    for (size_t i = 0; i < tail && to != from; i++)
        if (to < from)
            relocate(&to[i], &from[i]);
        else
            relocate(&to[tail - 1 - i], &from[tail - 1 - i]);
    for (size_t i = 0; i < num_values; i++) {
        MlcUse *use = &op->operands[at + i];
        use->owner = op;
        use->value = NULL;
        if (values[i])
            mlc_use_link_(use, values[i]);
    }
    op->num_operands = (uint32_t)(at + num_values + tail);
    mlc_count_edit(op);
}

void
mlc_op_set_operands(MlcOp *op, MlcValue *const *values, size_t num_values)
{
    MLC_CHECK_OP(op);
    replace_operands(op, 0, op->num_operands, values, num_values);
}

void
mlc_op_insert_operands(MlcOp *op, size_t at, MlcValue *const *values, size_t num_values)
{
    MLC_CHECK_OP(op);
    replace_operands(op, at, 0, values, num_values);
}

void
mlc_op_erase_operand(MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    replace_operands(op, i, 1, NULL, 0);
}

// An attribute of a known slot (1 + slot), or else of a known name.
static MlcAttr
attr_in_slot(const MlcOp *op, uint8_t slot, const char *name)
{
    return slot ? mlc_op_slots_(op)[slot - 1] : mlc_op_attr(op, name);
}

// Group `group` of sizes that the op carries. Broken IR gives empty groups.
static void
find_sized_group(MlcAttr segments, size_t total, size_t group, size_t *first, size_t *size)
{
    size_t at = 0, group_size = 0;
    for (size_t i = 0; i <= group; i++) {
        int64_t segment;
        at += group_size;
        group_size =
            mlc_int_list_attr_get(segments, i, &segment) && segment > 0 ? (size_t)segment : 0;
    }
    if (at > total)
        at = total;
    *first = at;
    *size = group_size < total - at ? group_size : total - at;
}

// Finds group `group` among `total` values: sizes come from the definition if at most one group is
// variadic, from `segments` if the op carries them, else the variadic groups share the rest evenly.
static void
find_group(const MlcValueDef *defs, size_t num_defs, size_t total, MlcAttr segments, size_t group,
           size_t *first, size_t *size)
{
    if (segments) {
        find_sized_group(segments, total, group, first, size);
        return;
    }
    if (total == num_defs) { // one each
        *first = group;
        *size = 1;
        return;
    }
    size_t num_variable = 0, at = 0, group_size = 0;
    for (size_t i = 0; i < num_defs; i++)
        num_variable += defs[i].arity != MLC_ONE;
    size_t num_fixed = num_defs - num_variable, rest = total > num_fixed ? total - num_fixed : 0;
    size_t share = num_variable > 1 ? rest / num_variable : rest;
    for (size_t i = 0; i <= group && i < num_defs; i++) {
        at += group_size;
        group_size = defs[i].arity == MLC_ONE ? 1 : share;
    }
    if (at > total)
        at = total;
    *first = at;
    *size = group_size < total - at ? group_size : total - at;
}

void
mlc_op_operand_group(const MlcOp *op, size_t group, size_t *first, size_t *size)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "group of operands", group, op->def->num_operands);
    const MlcOpDef *def = op->def;
    MlcAttr segments = mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS)
                           ? attr_in_slot(op, def->facts.operand_sizes, "operandSegmentSizes")
                           : NULL;
    find_group(def->operands, def->num_operands, op->num_operands, segments, group, first, size);
}

void
mlc_op_result_group(const MlcOp *op, size_t group, size_t *first, size_t *size)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "group of results", group, op->def->num_results);
    const MlcOpDef *def = op->def;
    MlcAttr segments = mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS)
                           ? attr_in_slot(op, def->facts.result_sizes, "resultSegmentSizes")
                           : NULL;
    find_group(def->results, def->num_results, op->num_results, segments, group, first, size);
}

void
mlc_op_set_operand_group(MlcOp *op, size_t group, MlcValue *const *values, size_t num_values)
{
    MLC_CHECK_OP(op);
    size_t first, size;
    mlc_op_operand_group(op, group, &first, &size);
    if (size != num_values && mlc_op_def_has_trait(op->def, MLC_TRAIT_ATTR_SIZED_OPERANDS)) {
        size_t n = op->def->num_operands;
        int32_t *sizes = mlc_malloc(n * sizeof *sizes);
        for (size_t i = 0; i < n; i++) {
            size_t unused, group_size;
            mlc_op_operand_group(op, i, &unused, &group_size);
            sizes[i] = (int32_t)(i == group ? num_values : group_size);
        }
        mlc_op_set_attr(op, "operandSegmentSizes", mlc_i32_array_attr_get(op->ctx, sizes, n));
        mlc_free(sizes);
    }
    replace_operands(op, first, size, values, num_values);
}

size_t
mlc_op_num_results(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->num_results;
}

MlcValue *
mlc_op_result(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "result", i, op->num_results);
    return mlc_op_results_(op) + i;
}

MlcType
mlc_op_result_type(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "result", i, op->num_results);
    return mlc_op_results_(op)[i].type;
}

bool
mlc_op_has_uses(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    for (uint32_t i = 0; i < op->num_results; i++)
        if (mlc_op_results_(op)[i].first_use)
            return true;
    return false;
}

void
mlc_op_replace(MlcOp *op, MlcValue *const *values, size_t num_values)
{
    MLC_CHECK_OP(op);
    MLC_CHECK(num_values == op->num_results, "%zu values for the %u results of %s", num_values,
              op->num_results, mlc_check_text(op));
    for (size_t i = 0; i < num_values; i++)
        if (values[i])
            mlc_value_replace_uses(mlc_op_result(op, i), values[i]);
    mlc_op_erase(op);
}

// --- attributes

MlcAttr
mlc_op_attr_str(const MlcOp *op, MlcStr name)
{
    MLC_CHECK_OP(op);
    int slot = op->def->num_attrs ? mlc_op_def_attr_slot(op->def, name) : -1;
    if (slot >= 0)
        return mlc_op_slots_(op)[slot];
    MlcAttr value = mlc_dict_attr_find(op->dict, name);
    if (!value && !op->def->dialect && is_dict(mlc_op_slots_(op)[0]))
        value = mlc_dict_attr_find(mlc_op_slots_(op)[0], name);
    return value;
}

MlcAttr
mlc_op_attr(const MlcOp *op, const char *name)
{
    MLC_CHECK_OP(op);
    return mlc_op_attr_str(op, mlc_str(name));
}

static MlcAttr
dict_with(MlcContext *ctx, MlcAttr dict, MlcStr name, MlcAttr value)
{
    MlcAttr with = mlc_dict_attr_with(ctx, dict, name, value);
    return mlc_dict_attr_size(with) ? with : NULL;
}

void
mlc_op_set_attr_str(MlcOp *op, MlcStr name, MlcAttr value)
{
    MLC_CHECK_OP(op);
    int slot = op->def->num_attrs ? mlc_op_def_attr_slot(op->def, name) : -1;
    if (slot >= 0) {
        mlc_op_set_slot(op, (size_t)slot, value);
        return;
    }
    MlcAttr *properties = op->def->dialect ? NULL : &mlc_op_slots_(op)[0];
    if (properties && is_dict(*properties) && mlc_dict_attr_find(*properties, name))
        *properties = dict_with(op->ctx, *properties, name, value);
    else if (mlc_dict_attr_find(op->dict, name) != value)
        op->dict = dict_with(op->ctx, op->dict, name, value);
    else
        return;
    mlc_count_edit(op);
}

void
mlc_op_set_attr(MlcOp *op, const char *name, MlcAttr value)
{
    MLC_CHECK_OP(op);
    mlc_op_set_attr_str(op, mlc_str(name), value);
}

MlcAffineMap
mlc_op_affine_map(const MlcOp *op, const char *name)
{
    MLC_CHECK_OP(op);
    return mlc_affine_map_attr_value(mlc_op_attr(op, name));
}

void
mlc_op_set_affine_map(MlcOp *op, const char *name, MlcAffineMap map)
{
    MLC_CHECK_OP(op);
    mlc_op_set_attr(op, name, mlc_affine_map_attr_get(map));
}

MlcAttr
mlc_op_slot(const MlcOp *op, size_t slot)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "attribute slot", slot, op->def->num_attrs);
    return mlc_op_slots_(op)[slot];
}

void
mlc_op_set_slot(MlcOp *op, size_t slot, MlcAttr value)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "attribute slot", slot, op->def->num_attrs);
    MlcAttr *at = &mlc_op_slots_(op)[slot];
    if (*at == value)
        return;
    *at = value;
    mlc_count_edit(op);
}

MlcAttr
mlc_op_discardable(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->dict;
}

void
mlc_op_set_discardable(MlcOp *op, MlcAttr dict)
{
    MLC_CHECK_OP(op);
    if (!mlc_dict_attr_size(dict))
        dict = NULL;
    if (op->dict == dict)
        return;
    op->dict = dict;
    mlc_count_edit(op);
}

typedef MLC_VEC(MlcNamedAttr) NamedAttrVec;

static void
append_slots(const MlcOp *op, NamedAttrVec *out)
{
    for (size_t i = 0; i < op->def->num_attrs; i++) {
        MlcAttr value = mlc_op_slots_(op)[i];
        if (value)
            mlc_vec_push(
                out, (MlcNamedAttr){mlc_string_attr_get(op->ctx, mlc_str(op->def->attrs[i].name)),
                                    value});
    }
}

static void
append_dict(MlcAttr dict, NamedAttrVec *out)
{
    for (size_t i = 0; i < mlc_dict_attr_size(dict); i++)
        mlc_vec_push(out, mlc_dict_attr_entry(dict, i));
}

MlcAttr
mlc_op_properties(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    if (!op->def->dialect)
        return mlc_op_slots_(op)[0];
    NamedAttrVec entries = {0};
    append_slots(op, &entries);
    MlcAttr dict = entries.size ? mlc_dict_attr_get(op->ctx, entries.data, entries.size) : NULL;
    mlc_vec_release(&entries);
    return dict;
}

MlcAttr
mlc_op_all_attrs(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    NamedAttrVec entries = {0};
    if (op->def->dialect)
        append_slots(op, &entries);
    else if (is_dict(mlc_op_slots_(op)[0]))
        append_dict(mlc_op_slots_(op)[0], &entries);
    append_dict(op->dict, &entries);
    MlcAttr dict = mlc_dict_attr_get(op->ctx, entries.data, entries.size);
    mlc_vec_release(&entries);
    return dict;
}

// --- successors and regions

size_t
mlc_op_num_successors(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->num_successors;
}

MlcBlock *
mlc_op_successor(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "successor", i, op->num_successors);
    return mlc_op_successors_(op)[i].block;
}

void
mlc_op_set_successor(MlcOp *op, size_t i, MlcBlock *block)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_BLOCK(block);
    MLC_CHECK_INDEX(op, "successor", i, op->num_successors);
    MlcBlockUse *use = &mlc_op_successors_(op)[i];
    if (use->block == block)
        return;
    mlc_block_use_unlink_(use);
    if (block)
        mlc_block_use_link_(use, block);
    mlc_count_edit(op);
}

size_t
mlc_op_num_regions(const MlcOp *op)
{
    MLC_CHECK_OP(op);
    return op->num_regions;
}

MlcRegion *
mlc_op_region(const MlcOp *op, size_t i)
{
    MLC_CHECK_OP(op);
    MLC_CHECK_INDEX(op, "region", i, op->num_regions);
    return mlc_op_regions_(op) + i;
}
