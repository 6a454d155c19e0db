// conversion_edit.c -- what conversion patterns may do, how it is undone, and how it is made final.
//
// A replaced op stays where it is, with its operands, until the end, and so do block arguments
// whose types changed: patterns of users see the IR as it was, and get the new values as
// `operands`. So undoing is short: new ops go, regions and arguments move back, and nothing was
// lost.
#include "conversion_impl.h"

#include "mlc/ir/diag.h"
#include "mlc/support/alloc.h"

// --- ops come and go

void
mlc_conversion_note_op(MlcConversion *c, MlcOp *op)
{
    mlc_vec_push(&c->ops, op);
    op->work = (uint32_t)c->ops.size << MLC_WORK_SHIFT;
}

static MlcConversionEdit *
log_edit(MlcConversion *c, MlcConversionEditKind kind, MlcOp *op)
{
    mlc_vec_push(&c->log, (MlcConversionEdit){.kind = kind, .op = op});
    return &mlc_vec_last(&c->log);
}

static void
log_new_op(MlcConversion *c, MlcConversionEditKind kind, MlcOp *op)
{
    log_edit(c, kind, op);
    op->work = (uint32_t)c->log.size << MLC_WORK_SHIFT | MLC_WORK_IN_LOG;
}

void
mlc_conversion_on_inserted(MlcBuilder *b, MlcOp *op)
{
    MlcConversion *c = b->user;
    if (c->running)
        log_new_op(c, MLC_EDIT_MADE, op);
}

void
mlc_conversion_on_erased(MlcEraseListener *listener, MlcOp *op)
{
    MlcConversion *c =
        (MlcConversion *)(void *)((char *)listener - offsetof(MlcConversion, listener));
    size_t at = op->work >> MLC_WORK_SHIFT;
    if (op->work & MLC_WORK_IN_LOG)
        c->log.data[at - 1].op = NULL;
    else if (at > 0)
        c->ops.data[at - 1] = NULL;
}

bool
mlc_conversion_is_dead(const MlcConversion *c, const MlcOp *op)
{
    for (; op && op != c->root; op = mlc_op_parent(op))
        if (mlc_conversion_is_replaced(op))
            return true;
    return false;
}

// --- casts

// Right where the inputs are all defined; where they lie in several blocks, or there are none,
// where the value `old` is, which they stand for.
static void
place_cast(MlcOp *cast, MlcValue *const *inputs, size_t n, const MlcValue *old)
{
    MlcBlock *block = n ? mlc_value_parent_block(inputs[0]) : NULL;
    MlcOp *last = NULL;
    for (size_t i = 0; i < n && block; i++) {
        MlcOp *def = mlc_value_def(inputs[i]);
        if (mlc_value_parent_block(inputs[i]) != block)
            block = NULL;
        else if (def && (!last || mlc_op_is_before(last, def)))
            last = def;
    }
    if (block && last)
        mlc_op_insert_after(cast, last);
    else if (block)
        mlc_block_prepend(block, cast);
    else if (mlc_value_def(old))
        mlc_op_insert_before(cast, mlc_value_def(old));
    else
        mlc_block_prepend(mlc_value_block(old), cast);
}

static bool
is_cast_of(const MlcOp *op, MlcValue *const *inputs, size_t n, const MlcType *types, size_t m)
{
    if (!op || op->num_operands != n || op->num_results != m)
        return false;
    for (size_t i = 0; i < n; i++)
        if (op->operands[i].value != inputs[i])
            return false;
    for (size_t i = 0; i < m; i++)
        if (mlc_value_type(mlc_op_result(op, i)) != types[i])
            return false;
    return true;
}

// Appends `inputs`, which stand for `old`, as values of these types.
static void
cast_to(MlcConversion *c, MlcValue *const *inputs, size_t n, const MlcType *types, size_t m,
        const MlcValue *old, bool is_source, MlcValueVec *out)
{
    bool is_same = n == m;
    for (size_t i = 0; i < n && is_same; i++)
        is_same = mlc_value_type(inputs[i]) == types[i];
    if (is_same || m == 0) {
        for (size_t i = 0; i < m; i++)
            mlc_vec_push(out, inputs[i]);
        return;
    }
    uint64_t key = n, at;
    for (size_t i = 0; i < n; i++)
        key = mlc_hash_combine(key, mlc_hash_ptr(inputs[i]));
    for (size_t i = 0; i < m; i++)
        key = mlc_hash_combine(key, mlc_hash_ptr(types[i]));
    // What was undone since is behind the end, or is another cast by now.
    bool is_known = mlc_map_get_u64(&c->casts_of, key, &at) && at < c->casts.size;
    MlcOp *cast = is_known ? c->log.data[c->casts.data[at].edit].op : NULL;
    if (n == 0 || !is_cast_of(cast, inputs, n, types, m)) {
        MlcOpState state = {.loc = mlc_value_loc(n ? inputs[0] : old),
                            .def = c->cast_def,
                            .operands = inputs,
                            .num_operands = n,
                            .result_types = types,
                            .num_results = m};
        cast = mlc_op_create(c->root->ctx, &state);
        place_cast(cast, inputs, n, old);
        log_new_op(c, MLC_EDIT_CAST, cast);
        mlc_map_set_u64(&c->casts_of, key, c->casts.size);
        mlc_vec_push(&c->casts, (MlcConversionCast){c->log.size - 1, is_source});
    }
    for (size_t i = 0; i < m; i++)
        mlc_vec_push(out, mlc_op_result(cast, i));
}

// --- values

// Appends what stands for `value` now; false if it was erased.
static bool
newest(const MlcConversion *c, MlcValue *value, MlcValueVec *out)
{
    const MlcReplacement *r;
    while ((r = mlc_map_get(&c->replacements, value)) && r->size == 1 && !r->is_erased)
        value = r->values[0];
    if (r && r->is_erased)
        return false;
    if (!r)
        mlc_vec_push(out, value);
    for (size_t i = 0; r && i < r->size; i++)
        if (!newest(c, r->values[i], out))
            return false;
    return true;
}

static void
set_why(MlcConversion *c, const char *format, va_list args)
{
    MlcBuf text = {0};
    mlc_buf_vprintf(&text, format, args);
    mlc_free(c->why);
    c->why = mlc_buf_take(&text, NULL);
}

bool
mlc_conversion_no_match(MlcConversion *c, MlcOp *op, const char *format, ...)
{
    (void)op;
    va_list args;
    va_start(args, format);
    set_why(c, format, args);
    va_end(args);
    return false;
}

// Appends `value` as it is now, in its new types.
static bool
remap(MlcConversion *c, MlcValue *value, MlcValueVec *out)
{
    MlcType type = mlc_value_type(value);
    const MlcConvertedTypes *converted =
        c->types ? mlc_type_converter_lookup(c->types, type) : NULL;
    if (converted && !converted->ok)
        return mlc_conversion_no_match(c, NULL, "type %s cannot be converted", mlc_type_text(type));
    MlcValueVec now = {0};
    bool ok = newest(c, value, &now);
    if (ok)
        cast_to(c, now.data, now.size, converted ? converted->types : &type,
                converted ? converted->size : 1, value, false, out);
    mlc_vec_release(&now);
    return ok || mlc_conversion_no_match(c, NULL, "it was erased");
}

bool
mlc_conversion_remap_operands(MlcConversion *c, MlcOp *op, MlcValueVec *values, uint32_t *counts)
{
    for (uint32_t i = 0; i < op->num_operands; i++) {
        size_t before = values->size;
        if (!remap(c, op->operands[i].value, values)) {
            char *why = c->why;
            c->why = NULL;
            mlc_conversion_no_match(c, op, "operand #%u: %s", i, why);
            mlc_free(why);
            return false;
        }
        counts[i] = (uint32_t)(values->size - before);
    }
    return true;
}

static void
set_replacement(MlcConversion *c, MlcValue *old, MlcValue *const *values, size_t n, bool is_erased)
{
    MlcReplacement *r = mlc_arena_alloc_zeroed(&c->arena, sizeof *r + n * sizeof *values,
                                               MLC_ALIGNOF(MlcReplacement));
    r->is_erased = is_erased;
    r->size = (uint32_t)n;
    if (n)
        memcpy(r->values, values, n * sizeof *values);
    mlc_map_set(&c->replacements, old, r);
}

// --- what patterns call

MlcBuilder *
mlc_conversion_builder(MlcConversion *c)
{
    return &c->builder;
}

MlcTypeConverter *
mlc_conversion_types(MlcConversion *c)
{
    return c->types;
}

bool
mlc_conversion_remap_all(MlcConversion *c, MlcValue *value, MlcValueVec *out)
{
    size_t before = out->size;
    bool ok = remap(c, value, out);
    if (!ok)
        out->size = before;
    return ok;
}

MlcValue *
mlc_conversion_remap(MlcConversion *c, MlcValue *value)
{
    MlcValueVec values = {0};
    MlcValue *result = remap(c, value, &values) && values.size == 1 ? values.data[0] : NULL;
    mlc_vec_release(&values);
    return result;
}

static void
mark_replaced(MlcConversion *c, MlcOp *op)
{
    if (!op->work)
        mlc_conversion_note_op(c, op);
    op->work |= MLC_WORK_DEAD;
    log_edit(c, MLC_EDIT_REPLACED, op);
}

void
mlc_conversion_replace(MlcConversion *c, MlcOp *op, MlcValue *const *values, size_t num_values)
{
    assert(num_values == op->num_results);
    for (size_t i = 0; i < num_values; i++)
        set_replacement(c, mlc_op_result(op, i), &values[i], values[i] != NULL, !values[i]);
    mark_replaced(c, op);
}

void
mlc_conversion_replace_ranges(MlcConversion *c, MlcOp *op, const MlcValueRange *values)
{
    for (size_t i = 0; i < op->num_results; i++)
        set_replacement(c, mlc_op_result(op, i), values[i].values, values[i].size, false);
    mark_replaced(c, op);
}

void
mlc_conversion_erase(MlcConversion *c, MlcOp *op)
{
    for (size_t i = 0; i < op->num_results; i++)
        set_replacement(c, mlc_op_result(op, i), NULL, 0, true);
    mark_replaced(c, op);
}

typedef struct SavedOp {
    MlcAttr dict, *slots;
    MlcLoc loc;
    size_t num_operands;
    MlcValue **operands;
    MlcBlock **successors;
    MlcType *results;
} SavedOp;

void
mlc_conversion_modify(MlcConversion *c, MlcOp *op)
{
    SavedOp *s = MLC_NEW(&c->arena, SavedOp);
    s->dict = op->dict;
    s->loc = op->loc;
    s->num_operands = op->num_operands;
    s->slots = MLC_NEW_ARRAY(&c->arena, MlcAttr, op->num_slots);
    s->operands = MLC_NEW_ARRAY(&c->arena, MlcValue *, op->num_operands);
    s->successors = MLC_NEW_ARRAY(&c->arena, MlcBlock *, op->num_successors);
    s->results = MLC_NEW_ARRAY(&c->arena, MlcType, op->num_results);
    if (op->num_slots)
        memcpy(s->slots, mlc_op_slots_(op), op->num_slots * sizeof *s->slots);
    for (uint32_t i = 0; i < op->num_operands; i++)
        s->operands[i] = op->operands[i].value;
    for (uint32_t i = 0; i < op->num_successors; i++)
        s->successors[i] = mlc_op_successor(op, i);
    for (uint32_t i = 0; i < op->num_results; i++)
        s->results[i] = mlc_value_type(mlc_op_result(op, i));
    log_edit(c, MLC_EDIT_MODIFIED, op)->saved = s;
}

static void
restore_op(MlcOp *op, const SavedOp *s)
{
    op->dict = s->dict;
    op->loc = s->loc;
    if (op->num_slots)
        memcpy(mlc_op_slots_(op), s->slots, op->num_slots * sizeof *s->slots);
    mlc_op_set_operands(op, s->operands, s->num_operands);
    for (uint32_t i = 0; i < op->num_successors; i++)
        mlc_op_set_successor(op, i, s->successors[i]);
    for (uint32_t i = 0; i < op->num_results; i++)
        mlc_value_set_type(mlc_op_result(op, i), s->results[i]);
    mlc_count_edit(op);
}

// --- blocks and their arguments

void
mlc_signature_conversion_release(MlcSignatureConversion *signature)
{
    mlc_vec_release(&signature->types);
    mlc_vec_release(&signature->inputs);
}

void
mlc_signature_conversion_add_input(MlcSignatureConversion *signature, const MlcType *types,
                                   size_t num_types)
{
    mlc_vec_push(&signature->inputs,
                 (MlcSignatureMapping){.first = signature->types.size, .count = num_types});
    for (size_t i = 0; i < num_types; i++)
        mlc_vec_push(&signature->types, types[i]);
}

void
mlc_signature_conversion_add_replaced(MlcSignatureConversion *signature, MlcValue *with)
{
    mlc_vec_push(&signature->inputs, (MlcSignatureMapping){.with = with});
}

void
mlc_signature_conversion_add_extra(MlcSignatureConversion *signature, MlcType type)
{
    mlc_vec_push(&signature->types, type);
}

bool
mlc_signature_conversion_add_converted(MlcSignatureConversion *signature, MlcTypeConverter *types,
                                       MlcType type)
{
    const MlcConvertedTypes *converted = mlc_type_converter_lookup(types, type);
    if (converted->ok)
        mlc_signature_conversion_add_input(signature, converted->types, converted->size);
    return converted->ok;
}

typedef struct SavedArgs {
    MlcBlock *block;
    MlcBlockArg **args;
    uint32_t num_args, arg_capacity;
} SavedArgs;

// The same type stays the same argument.
static bool
is_kept(const MlcSignatureConversion *signature, const MlcBlockArg *arg, size_t i)
{
    const MlcSignatureMapping *input = &signature->inputs.data[i];
    return !input->with && input->count == 1 &&
           signature->types.data[input->first] == arg->value.type;
}

void
mlc_conversion_convert_signature(MlcConversion *c, MlcBlock *block,
                                 const MlcSignatureConversion *signature)
{
    assert(signature->inputs.size == block->num_args);
    SavedArgs *old = MLC_NEW(&c->arena, SavedArgs);
    *old = (SavedArgs){block, block->args, block->num_args, block->arg_capacity};
    log_edit(c, MLC_EDIT_ARGS, NULL)->saved = old;
    block->args = NULL;
    block->num_args = block->arg_capacity = 0;
    MlcOp *parent = mlc_block_parent(block);
    MlcLoc loc = parent ? parent->loc : NULL;
    for (size_t i = 0; i < signature->types.size; i++)
        mlc_block_add_arg(block, signature->types.data[i], loc);
    for (size_t i = 0; i < old->num_args; i++) {
        MlcSignatureMapping input = signature->inputs.data[i];
        if (is_kept(signature, old->args[i], i)) {
            MlcBlockArg **now = &block->args[input.first];
            mlc_block_arg_free(block->ctx, *now);
            *now = old->args[i];
            (*now)->value.index = (uint32_t)input.first;
            continue;
        }
        MlcValueVec values = {0};
        for (size_t j = 0; j < input.count; j++) {
            MlcBlockArg *now = block->args[input.first + j];
            now->loc = old->args[i]->loc;
            mlc_vec_push(&values, &now->value);
        }
        if (input.with)
            mlc_vec_push(&values, input.with);
        set_replacement(c, &old->args[i]->value, values.data, values.size, false);
        mlc_vec_release(&values);
    }
}

void
mlc_conversion_replace_arg(MlcConversion *c, MlcValue *old, MlcValue *with)
{
    assert(mlc_map_has(&c->replacements, old)); // undone with the signature
    set_replacement(c, old, &with, 1, false);
}

static void
restore_args(MlcConversion *c, const SavedArgs *old)
{
    MlcBlock *block = old->block;
    for (uint32_t i = 0; i < old->num_args; i++) {
        MlcBlockArg *arg = old->args[i];
        if (!mlc_map_erase(&c->replacements, &arg->value)) // it was kept
            block->args[arg->value.index] = NULL;
        arg->value.index = i;
    }
    for (uint32_t i = 0; i < block->num_args; i++)
        if (block->args[i])
            mlc_block_arg_free(block->ctx, block->args[i]);
    if (block->args)
        mlc_slab_free(block->ctx, block->args, block->arg_capacity * sizeof(MlcBlockArg *));
    block->args = old->args;
    block->num_args = old->num_args;
    block->arg_capacity = old->arg_capacity;
    mlc_count_edit_in_block(block);
}

bool
mlc_conversion_convert_block_args(MlcConversion *c, MlcBlock *block)
{
    if (!c->types)
        return true;
    MlcSignatureConversion signature = {0};
    bool ok = true, is_same = true;
    for (uint32_t i = 0; i < block->num_args && ok; i++) {
        MlcType type = mlc_value_type(mlc_block_arg(block, i));
        is_same = is_same && mlc_type_converter_is_legal(c->types, type);
        ok = mlc_signature_conversion_add_converted(&signature, c->types, type);
        if (!ok)
            mlc_conversion_no_match(c, NULL, "type %s of block argument #%u cannot be converted",
                                    mlc_type_text(type), i);
    }
    if (ok && !is_same)
        mlc_conversion_convert_signature(c, block, &signature);
    mlc_signature_conversion_release(&signature);
    return ok;
}

void
mlc_conversion_move_region(MlcConversion *c, MlcRegion *to, MlcRegion *from)
{
    assert(mlc_region_is_empty(to));
    mlc_region_take_body(to, from);
    MlcConversionEdit *edit = log_edit(c, MLC_EDIT_MOVED, NULL);
    edit->to = to;
    edit->from = from;
}

typedef struct SavedOps {
    MlcOp *end; // the terminator, which stays
    size_t num_ops;
    MlcOp *ops[];
} SavedOps;

void
mlc_conversion_inline_block(MlcConversion *c, MlcBlock *block, MlcValue *const *args)
{
    MlcSignatureConversion signature = {0};
    MlcOp *end = mlc_block_terminator(block);
    for (uint32_t i = 0; i < block->num_args; i++)
        mlc_signature_conversion_add_replaced(&signature, args[i]);
    if (block->num_args)
        mlc_conversion_convert_signature(c, block, &signature);
    mlc_signature_conversion_release(&signature);
    size_t num_ops = 0;
    for (const MlcOp *op = mlc_block_first(block); op != end; op = mlc_op_next(op))
        num_ops++;
    SavedOps *saved = mlc_arena_alloc_zeroed(
        &c->arena, sizeof *saved + num_ops * sizeof *saved->ops, MLC_ALIGNOF(SavedOps));
    saved->end = end;
    for (MlcOp *op = mlc_block_first(block); op != end; op = mlc_block_first(block)) {
        saved->ops[saved->num_ops++] = op;
        mlc_op_remove(op);
        if (c->builder.before)
            mlc_op_insert_before(op, c->builder.before);
        else
            mlc_block_append(c->builder.block, op);
    }
    log_edit(c, MLC_EDIT_INLINED, NULL)->saved = saved;
}

static void
restore_ops(const SavedOps *saved)
{
    for (size_t i = 0; i < saved->num_ops; i++)
        mlc_op_move_before(saved->ops[i], saved->end);
}

bool
mlc_conversion_take_region(MlcConversion *c, MlcRegion *to, MlcRegion *from)
{
    mlc_conversion_move_region(c, to, from);
    MLC_FOR_EACH_BLOCK (block, to)
        if (!mlc_conversion_convert_block_args(c, block))
            return false;
    return true;
}

// --- undoing

void
mlc_conversion_undo(MlcConversion *c, size_t mark)
{
    while (c->log.size > mark) {
        MlcConversionEdit edit = mlc_vec_pop(&c->log);
        switch (edit.kind) {
        case MLC_EDIT_CAST:
            c->casts.size--;
            if (edit.op)
                edit.op->work = 0, mlc_op_erase(edit.op);
            break;
        case MLC_EDIT_MADE:
            if (edit.op)
                edit.op->work = 0, mlc_op_erase(edit.op);
            break;
        case MLC_EDIT_REPLACED:
            edit.op->work &= ~(uint32_t)MLC_WORK_DEAD;
            for (uint32_t i = 0; i < edit.op->num_results; i++)
                mlc_map_erase(&c->replacements, mlc_op_result(edit.op, i));
            break;
        case MLC_EDIT_MODIFIED:
            restore_op(edit.op, edit.saved);
            break;
        case MLC_EDIT_MOVED:
            mlc_region_take_body(edit.from, edit.to);
            break;
        case MLC_EDIT_ARGS:
            restore_args(c, edit.saved);
            break;
        case MLC_EDIT_INLINED:
            restore_ops(edit.saved);
            break;
        }
    }
}

// --- the end

static bool
is_used_after_erasure(MlcConversion *c, MlcValue *old)
{
    MLC_FOR_EACH_USE (use, old) {
        MlcOp *user = use->owner;
        if (mlc_conversion_is_dead(c, user))
            continue;
        mlc_error(user->ctx, user->loc,
                  "failed to legalize operation '%s': operand #%zu was erased by a conversion",
                  user->def->name, mlc_use_index(use));
        return true;
    }
    return false;
}

static bool
nothing_erased_is_used(MlcConversion *c)
{
    MlcValueVec now = {0};
    bool ok = true;
    MLC_MAP_FOR_EACH (entry, &c->replacements) {
        mlc_vec_clear(&now);
        if (ok && !newest(c, mlc_map_entry_key(entry), &now))
            ok = !is_used_after_erasure(c, mlc_map_entry_key(entry));
    }
    mlc_vec_release(&now);
    return ok;
}

// An old value gives way to the new ones wherever an op that stays uses it.
static void
replace_value(MlcConversion *c, MlcValue *old)
{
    MlcValueVec now = {0}, cast = {0};
    MlcType type = mlc_value_type(old);
    bool is_known = newest(c, old, &now);
    MLC_FOR_EACH_USE_SAFE (use, old) {
        if (mlc_conversion_is_dead(c, use->owner))
            continue;
        assert(is_known);
        if (cast.size == 0)
            cast_to(c, now.data, now.size, &type, 1, old, true, &cast);
        mlc_use_set(use, cast.data[0]);
    }
    (void)is_known;
    mlc_vec_release(&now);
    mlc_vec_release(&cast);
}

static void
replace_values(MlcConversion *c)
{
    for (uint32_t i = 0; i < c->replacements.num_entries; i++)
        if (c->replacements.entries[i].live)
            replace_value(c, mlc_map_entry_key(&c->replacements.entries[i]));
}

static void
erase_dead(MlcConversion *c)
{
    for (size_t i = 0; i < c->log.size; i++)
        if (c->log.data[i].kind == MLC_EDIT_REPLACED)
            mlc_op_drop_references(c->log.data[i].op);
    // A dead op may lie in another, replaced before or after it: take each out before any goes.
    for (size_t i = 0; i < c->log.size; i++)
        if (c->log.data[i].kind == MLC_EDIT_REPLACED)
            mlc_op_remove(c->log.data[i].op);
    for (size_t i = 0; i < c->log.size; i++)
        if (c->log.data[i].kind == MLC_EDIT_REPLACED)
            mlc_op_destroy(c->log.data[i].op);
}

static void
free_old_args(MlcConversion *c)
{
    for (size_t i = 0; i < c->log.size; i++) {
        if (c->log.data[i].kind != MLC_EDIT_ARGS)
            continue;
        SavedArgs *old = c->log.data[i].saved;
        MlcContext *ctx = c->root->ctx;
        for (uint32_t j = 0; j < old->num_args; j++)
            if (mlc_map_has(&c->replacements, &old->args[j]->value))
                mlc_block_arg_free(ctx, old->args[j]);
        if (old->args)
            mlc_slab_free(ctx, old->args, old->arg_capacity * sizeof *old->args);
    }
}

// cast(cast(x...) : A... -> B...) : B... -> A... is x...
static void
fold_cast(MlcOp *op)
{
    MlcOp *inner = op->num_operands ? mlc_value_def(op->operands[0].value) : NULL;
    if (!inner || inner->def != op->def || inner->num_results != op->num_operands ||
        inner->num_operands != op->num_results)
        return;
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (op->operands[i].value != mlc_op_result(inner, i))
            return;
    for (uint32_t i = 0; i < op->num_results; i++)
        if (mlc_value_type(inner->operands[i].value) != mlc_value_type(mlc_op_result(op, i)))
            return;
    for (uint32_t i = 0; i < op->num_results; i++)
        mlc_value_replace_uses(mlc_op_result(op, i), inner->operands[i].value);
}

static MlcOp *
cast_op(MlcConversion *c, size_t i)
{
    return c->log.data[c->casts.data[i].edit].op;
}

// A cast, and then those that it alone has used, whichever was made first.
static void
erase_unused(const MlcConversion *c, MlcOp *op)
{
    while (op && op->def == c->cast_def && op->work & MLC_WORK_IN_LOG && !mlc_op_has_uses(op)) {
        MlcOp *inner = op->num_operands == 1 ? mlc_value_def(op->operands[0].value) : NULL;
        mlc_op_erase(op);
        op = inner;
    }
}

static void
fold_casts(MlcConversion *c)
{
    for (size_t i = 0; i < c->casts.size; i++) {
        MlcOp *op = cast_op(c, i);
        if (!op)
            continue;
        fold_cast(op);
        for (uint32_t j = 0; j < op->num_results; j++)
            MLC_FOR_EACH_USE_SAFE (use, mlc_op_result(op, j))
                if (use->owner->def == op->def)
                    fold_cast(use->owner);
    }
    for (size_t i = c->casts.size; i-- > 0;)
        if (cast_op(c, i))
            erase_unused(c, cast_op(c, i));
}

static bool
materialize(MlcConversion *c, MlcOp *op, const MlcMaterializeEntry *entry)
{
    MlcValueVec inputs = {0}, results = {0};
    MlcTypeVec types = {0};
    for (uint32_t i = 0; i < op->num_operands; i++)
        mlc_vec_push(&inputs, op->operands[i].value);
    for (uint32_t i = 0; i < op->num_results; i++) {
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
        mlc_vec_push(&results, NULL);
    }
    mlc_builder_before(&c->builder, op);
    bool ok = entry->many
                  ? entry->many(&c->builder, types.data, results.data, types.size, inputs.data,
                                inputs.size, entry->user)
                  : types.size == 1 &&
                        (results.data[0] = entry->one(&c->builder, types.data[0], inputs.data,
                                                      inputs.size, entry->user)) != NULL;
    if (ok)
        mlc_op_replace(op, results.data, results.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&types);
    mlc_vec_release(&results);
    return ok;
}

// Casts that are left become what the type converter makes of them.
static void
materialize_casts(MlcConversion *c)
{
    for (size_t i = 0; c->types && i < c->casts.size; i++) {
        MlcOp *op = cast_op(c, i);
        size_t n = c->casts.data[i].is_source ? c->types->sources.size : c->types->targets.size;
        const MlcMaterializeEntry *entries =
            c->casts.data[i].is_source ? c->types->sources.data : c->types->targets.data;
        for (size_t j = n; op && j-- > 0;)
            if (materialize(c, op, &entries[j]))
                break;
    }
}

bool
mlc_conversion_commit(MlcConversion *c)
{
    if (!nothing_erased_is_used(c))
        return false;
    replace_values(c);
    erase_dead(c);
    free_old_args(c);
    fold_casts(c);
    materialize_casts(c);
    return true;
}
