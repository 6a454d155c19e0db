// conversion.c -- the conversion driver: ops become ops that a target calls legal, types become
// types.
//
// Ops are visited outermost first, those that patterns make right after the pattern. A replaced op
// stays where it is, with its operands, until the end: patterns of its users see the IR as it was,
// and get the new values as `operands`. At the end old results give way to new ones (through a cast
// where types differ), replaced ops go, and casts that meet cancel. No pattern needs an undo log:
// when anything cannot be converted the region's copy, made at the start, takes its place.
#include "conversion_impl.h"

#include <stdlib.h>

#include "mlc/ir/diag.h"
#include "mlc/support/alloc.h"

typedef struct Cast {
    MlcOp *op;      // NULL once it is gone
    bool is_source; // makes the old type from the new
} Cast;

typedef struct Reason {
    const char *pattern;
    char *text;
} Reason;

typedef MLC_VEC(const MlcConversionPattern *) PatternRefVec;

struct MlcConversion {
    MlcBuilder builder; // first
    MlcEraseListener listener;
    MlcOp *root;
    MlcConversionTarget *target;
    MlcTypeConverter *types; // may be NULL
    const MlcConversionPattern *patterns;
    size_t num_patterns;
    bool is_full;
    // Analysis: `root` is a clone, failures do not matter, and what was converted is noted.
    bool is_analysis;
    MlcMap converted; // op of the clone

    MLC_VEC(MlcOp *) work; // taken from the end
    MlcMap waiting;        // op -> position in `work`
    MLC_VEC(MlcOp *) made; // by the pattern that runs
    MlcMap dead;           // replaced and erased ops, in that order
    MlcMap replacements;   // old value -> new value, NULL where its op was erased
    MlcMap casts_of;       // (value, type) -> index in `casts`
    MLC_VEC(Cast) casts;
    MlcMap pattern_lists; // definition -> PatternRefVec *
    MLC_VEC(Reason) reasons;
    const MlcConversionPattern *running;
};

// --- work

static void
push(MlcConversion *c, MlcOp *op)
{
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&c->waiting, mlc_word(op), &is_new);
    if (!is_new)
        return;
    entry->value = c->work.size;
    mlc_vec_push(&c->work, op);
}

static void
on_inserted(MlcBuilder *b, MlcOp *op)
{
    MlcConversion *c = (MlcConversion *)b;
    if (c->running)
        mlc_vec_push(&c->made, op);
}

static void
forget_in(MlcOp **ops, size_t n, const MlcOp *op)
{
    for (size_t i = 0; i < n; i++)
        if (ops[i] == op)
            ops[i] = NULL;
}

static void
on_erased(MlcEraseListener *listener, MlcOp *op)
{
    MlcConversion *c =
        (MlcConversion *)(void *)((char *)listener - offsetof(MlcConversion, listener));
    uint64_t at;
    if (mlc_map_get_u64(&c->waiting, mlc_word(op), &at)) {
        c->work.data[at] = NULL;
        mlc_map_erase(&c->waiting, op);
    }
    mlc_map_erase(&c->dead, op);
    forget_in(c->made.data, c->made.size, op);
}

static bool
is_dead(MlcConversion *c, MlcOp *op)
{
    for (; op && op != c->root; op = mlc_op_parent(op))
        if (mlc_map_has(&c->dead, op))
            return true;
    return false;
}

// --- casts

static const MlcOpDef *
cast_def(MlcContext *ctx)
{
    MlcStr name = mlc_str("builtin.unrealized_conversion_cast");
    const MlcOpDef *def = mlc_context_op(ctx, name);
    return def ? def : mlc_context_unregistered_op(ctx, name);
}

// Right where `value` is defined; NULL: a type without a value.
static MlcOp *
make_cast(MlcConversion *c, MlcValue *value, MlcType type, bool is_source)
{
    MlcOpState state = {.loc = value ? mlc_value_loc(value) : c->builder.loc,
                        .def = cast_def(c->root->ctx),
                        .operands = &value,
                        .num_operands = value != NULL,
                        .result_types = &type,
                        .num_results = 1};
    MlcOp *op = mlc_op_create(c->root->ctx, &state);
    MlcOp *def = value ? mlc_value_def(value) : NULL;
    if (def) {
        mlc_op_insert_after(op, def);
    } else {
        MlcBlock *block = value ? mlc_value_block(value) : c->builder.block;
        mlc_block_prepend(block, op);
    }
    mlc_vec_push(&c->casts, (Cast){op, is_source});
    return op;
}

static MlcValue *
cast_to(MlcConversion *c, MlcValue *value, MlcType type, bool is_source)
{
    if (mlc_value_type(value) == type)
        return value;
    uint64_t key = mlc_hash_combine(mlc_hash_ptr(value), mlc_word(type)), at;
    if (mlc_map_get_u64(&c->casts_of, key, &at)) {
        MlcOp *known = c->casts.data[at].op;
        if (known && known->operands[0].value == value &&
            mlc_value_type(mlc_op_result(known, 0)) == type)
            return mlc_op_result(known, 0);
    }
    MlcOp *cast = make_cast(c, value, type, is_source);
    mlc_map_set_u64(&c->casts_of, key, c->casts.size - 1);
    return mlc_op_result(cast, 0);
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

// What stands for `value` now; NULL if its op was erased.
static MlcValue *
newest(MlcConversion *c, MlcValue *value)
{
    for (const MlcMapEntry *entry;
         value && (entry = mlc_map_find(&c->replacements, mlc_word(value)));)
        value = mlc_map_entry_value(entry);
    return value;
}

MlcValue *
mlc_conversion_remap(MlcConversion *c, MlcValue *value)
{
    MlcValue *now = newest(c, value);
    MlcType type = c->types ? mlc_type_converter_convert_one(c->types, mlc_value_type(value))
                            : mlc_value_type(value);
    return now && type ? cast_to(c, now, type, false) : NULL;
}

void
mlc_conversion_replace(MlcConversion *c, MlcOp *op, MlcValue *const *values, size_t num_values)
{
    assert(num_values == op->num_results);
    for (size_t i = 0; i < num_values; i++)
        if (values[i] != mlc_op_result(op, i))
            mlc_map_set(&c->replacements, mlc_op_result(op, i), values[i]);
    mlc_map_add(&c->dead, op);
}

void
mlc_conversion_erase(MlcConversion *c, MlcOp *op)
{
    for (size_t i = 0; i < op->num_results; i++)
        mlc_map_set(&c->replacements, mlc_op_result(op, i), NULL);
    mlc_map_add(&c->dead, op);
}

static bool
is_use_by_other(MlcUse *use, void *op)
{
    return use->owner != op;
}

bool
mlc_conversion_convert_block_args(MlcConversion *c, MlcBlock *block)
{
    for (uint32_t i = 0; c->types && i < block->num_args; i++)
        if (!mlc_type_converter_convert_one(c->types, mlc_value_type(mlc_block_arg(block, i))))
            return mlc_conversion_no_match(c, mlc_block_parent(block),
                                           "type of block argument #%u cannot be converted", i);
    for (uint32_t i = 0; c->types && i < block->num_args; i++) {
        MlcValue *arg = mlc_block_arg(block, i);
        MlcType type = mlc_type_converter_convert_one(c->types, mlc_value_type(arg));
        if (type == mlc_value_type(arg))
            continue;
        // The argument takes the new type; its users get a cast to the type they know.
        MlcOp *cast = make_cast(c, arg, mlc_value_type(arg), true);
        mlc_value_replace_uses_if(arg, mlc_op_result(cast, 0), is_use_by_other, cast);
        mlc_value_set_type(arg, type);
        mlc_map_set(&c->replacements, mlc_op_result(cast, 0), arg);
    }
    return true;
}

bool
mlc_conversion_take_region(MlcConversion *c, MlcRegion *to, MlcRegion *from)
{
    mlc_region_take_body(to, from);
    MLC_FOR_EACH_BLOCK (block, to)
        if (!mlc_conversion_convert_block_args(c, block))
            return false;
    return true;
}

bool
mlc_conversion_no_match(MlcConversion *c, MlcOp *op, const char *format, ...)
{
    (void)op;
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    mlc_vec_push(&c->reasons,
                 (Reason){c->running ? c->running->name : "", mlc_buf_take(&text, NULL)});
    return false;
}

// --- one op

static int
by_benefit(const void *a, const void *b)
{
    const MlcConversionPattern *x = *(const MlcConversionPattern *const *)a,
                               *y = *(const MlcConversionPattern *const *)b;
    if (x->benefit != y->benefit)
        return x->benefit > y->benefit ? -1 : 1;
    return (x > y) - (x < y);
}

static PatternRefVec *
patterns_for(MlcConversion *c, const MlcOpDef *def)
{
    PatternRefVec *list = mlc_map_get(&c->pattern_lists, def);
    if (list)
        return list;
    list = mlc_calloc(1, sizeof *list);
    for (size_t i = 0; i < c->num_patterns; i++)
        if (!c->patterns[i].root || strcmp(c->patterns[i].root, def->name) == 0)
            mlc_vec_push(list, &c->patterns[i]);
    if (list->size)
        qsort(list->data, list->size, sizeof *list->data, by_benefit);
    mlc_map_set(&c->pattern_lists, def, list);
    return list;
}

static void
clear_reasons(MlcConversion *c)
{
    for (size_t i = 0; i < c->reasons.size; i++)
        mlc_free(c->reasons.data[i].text);
    mlc_vec_clear(&c->reasons);
}

// What a pattern made before it gave up.
static void
erase_made(MlcConversion *c)
{
    for (size_t i = c->made.size; i-- > 0;)
        if (c->made.data[i] && !mlc_op_has_uses(c->made.data[i]))
            mlc_op_erase(c->made.data[i]);
    mlc_vec_clear(&c->made);
}

// Ops made by a pattern come next, the first made first.
static void
push_made(MlcConversion *c)
{
    for (size_t i = c->made.size; i-- > 0;)
        if (c->made.data[i])
            push(c, c->made.data[i]);
    mlc_vec_clear(&c->made);
}

static bool
remap_operands(MlcConversion *c, MlcOp *op, MlcValueVec *operands)
{
    for (uint32_t i = 0; i < op->num_operands; i++) {
        MlcValue *value = op->operands[i].value, *mapped = mlc_conversion_remap(c, value);
        if (!mapped && !newest(c, value))
            return mlc_conversion_no_match(c, op, "operand #%u was erased", i);
        if (!mapped)
            return mlc_conversion_no_match(c, op, "type %s of operand #%u cannot be converted",
                                           mlc_type_text(mlc_value_type(value)), i);
        mlc_vec_push(operands, mapped);
    }
    return true;
}

static bool
apply_patterns(MlcConversion *c, MlcOp *op)
{
    PatternRefVec *patterns = patterns_for(c, op->def);
    MlcValueVec operands = {0};
    bool done = false;
    clear_reasons(c);
    for (size_t i = 0; i < patterns->size && !done; i++) {
        mlc_builder_before(&c->builder, op);
        c->running = patterns->data[i];
        mlc_vec_clear(&operands);
        done = remap_operands(c, op, &operands) &&
               c->running->convert(c, op, operands.data, c->running->user);
        c->running = NULL;
        if (done)
            push_made(c);
        else
            erase_made(c);
    }
    mlc_vec_release(&operands);
    return done;
}

static bool
report(MlcConversion *c, MlcOp *op, bool is_illegal)
{
    mlc_error(op->ctx, op->loc, "failed to legalize operation '%s'%s", op->def->name,
              is_illegal && !c->is_full ? " that was explicitly marked illegal" : "");
    PatternRefVec *patterns = patterns_for(c, op->def);
    if (patterns->size == 0)
        mlc_note(op->ctx, op->loc, "no pattern is for '%s'", op->def->name);
    for (size_t i = 0; i < patterns->size; i++) {
        const char *reason = "did not match";
        for (size_t j = 0; j < c->reasons.size; j++)
            if (strcmp(c->reasons.data[j].pattern, patterns->data[i]->name) == 0)
                reason = c->reasons.data[j].text;
        mlc_note(op->ctx, op->loc, "pattern '%s': %s", patterns->data[i]->name, reason);
    }
    return false;
}

static bool
legalize(MlcConversion *c, MlcOp *op)
{
    MlcLegality legality = mlc_conversion_target_legality(c->target, op);
    bool is_cast = op->def == cast_def(op->ctx); // what is left of them at the end may stay
    if (legality == MLC_LEGALITY_LEGAL || (legality == MLC_LEGALITY_UNKNOWN && is_cast))
        return true;
    if (apply_patterns(c, op)) {
        bool is_gone = mlc_map_has(&c->dead, op);
        if (is_gone || mlc_conversion_target_legality(c->target, op) != MLC_LEGALITY_ILLEGAL) {
            if (c->is_analysis)
                mlc_map_set_u64(&c->converted, mlc_word(op), 1);
            return true;
        }
        if (c->is_analysis)
            return true;
        mlc_error(
            op->ctx, op->loc,
            "failed to legalize operation '%s': it is still illegal after a pattern changed it",
            op->def->name);
        return false;
    }
    if ((legality == MLC_LEGALITY_UNKNOWN && !c->is_full) || c->is_analysis)
        return true;
    return report(c, op, legality == MLC_LEGALITY_ILLEGAL);
}

static bool
legalize_all(MlcConversion *c)
{
    MLC_VEC(MlcOp *) ops = {0};
    for (MlcOp *op = mlc_op_preorder_next(c->root, c->root); op;
         op = mlc_op_preorder_next(op, c->root))
        mlc_vec_push(&ops, op);
    for (size_t i = ops.size; i-- > 0;)
        push(c, ops.data[i]);
    mlc_vec_release(&ops);
    while (c->work.size) {
        MlcOp *op = mlc_vec_pop(&c->work);
        if (!op)
            continue;
        mlc_map_erase(&c->waiting, op);
        if (!is_dead(c, op) && !legalize(c, op))
            return false;
    }
    return true;
}

// --- the end

// An old value gives way to the new one wherever an op that stays uses it.
static bool
replace_value(MlcConversion *c, MlcValue *old)
{
    MlcValue *now = newest(c, old);
    MLC_FOR_EACH_USE_SAFE (use, old) {
        MlcOp *user = use->owner;
        if (is_dead(c, user))
            continue;
        if (!now) {
            mlc_error(user->ctx, user->loc,
                      "failed to legalize operation '%s': operand #%zu was erased by a conversion",
                      user->def->name, mlc_use_index(use));
            return false;
        }
        mlc_use_set(use, cast_to(c, now, old->type, true));
    }
    return true;
}

static bool
replace_values(MlcConversion *c)
{
    for (uint32_t i = 0; i < c->replacements.num_entries; i++) {
        MlcMapEntry entry = c->replacements.entries[i];
        MlcValue *old = mlc_map_entry_key(&entry);
        // Values of casts that stand for block arguments stay; folding sees to them.
        MlcOp *def = mlc_value_def(old);
        if (entry.live && def && mlc_map_has(&c->dead, def) && !replace_value(c, old))
            return false;
    }
    return true;
}

static void
erase_dead(MlcConversion *c)
{
    MLC_VEC(MlcOp *) ops = {0};
    MLC_MAP_FOR_EACH (entry, &c->dead)
        mlc_vec_push(&ops, mlc_map_entry_key(entry));
    for (size_t i = 0; i < ops.size; i++)
        mlc_op_drop_references(ops.data[i]);
    // A dead op may lie in another: outer ones take the inner with them, and the listener notices.
    for (size_t i = ops.size; i-- > 0;)
        if (mlc_map_has(&c->dead, ops.data[i]))
            mlc_op_destroy(ops.data[i]);
    mlc_vec_release(&ops);
}

static bool
is_cast(const MlcOp *op)
{
    return op && op->num_operands == 1 && op->num_results == 1 && op->def == cast_def(op->ctx);
}

// cast(cast(x) : A -> B) : B -> A is x.
static void
fold_cast(MlcOp *op)
{
    MlcOp *inner = mlc_value_def(op->operands[0].value);
    if (!is_cast(inner))
        return;
    MlcValue *x = inner->operands[0].value;
    if (mlc_value_type(x) == mlc_value_type(mlc_op_result(op, 0)))
        mlc_value_replace_uses(mlc_op_result(op, 0), x);
}

static void
fold_casts(MlcConversion *c)
{
    for (size_t i = 0; i < c->casts.size; i++) {
        MlcOp *op = c->casts.data[i].op;
        if (!is_cast(op))
            continue;
        fold_cast(op);
        MLC_FOR_EACH_USE_SAFE (use, mlc_op_result(op, 0))
            if (is_cast(use->owner))
                fold_cast(use->owner);
    }
    for (size_t i = c->casts.size; i-- > 0;) {
        MlcOp *op = c->casts.data[i].op;
        if (op && !mlc_op_has_uses(op)) {
            c->casts.data[i].op = NULL;
            mlc_op_erase(op);
        }
    }
}

// Casts that are left become what the type converter makes of them.
static void
materialize_casts(MlcConversion *c)
{
    for (size_t i = 0; c->types && i < c->casts.size; i++) {
        MlcOp *op = c->casts.data[i].op;
        if (!is_cast(op))
            continue;
        size_t n = c->casts.data[i].is_source ? c->types->sources.size : c->types->targets.size;
        const MlcMaterializeEntry *entries =
            c->casts.data[i].is_source ? c->types->sources.data : c->types->targets.data;
        MlcValue *made = NULL;
        mlc_builder_before(&c->builder, op);
        for (size_t j = n; j-- > 0 && !made;)
            made = entries[j].fn(&c->builder, mlc_value_type(mlc_op_result(op, 0)),
                                 &op->operands[0].value, 1, entries[j].user);
        if (!made || made == mlc_op_result(op, 0))
            continue;
        c->casts.data[i].op = NULL;
        mlc_op_replace(op, &made, 1);
    }
}

static bool
finish(MlcConversion *c)
{
    if (!replace_values(c))
        return false;
    erase_dead(c);
    fold_casts(c);
    materialize_casts(c);
    return true;
}

// --- the driver

static void
release(MlcConversion *c)
{
    clear_reasons(c);
    mlc_vec_release(&c->reasons);
    mlc_vec_release(&c->work);
    mlc_vec_release(&c->made);
    mlc_vec_release(&c->casts);
    mlc_map_release(&c->waiting);
    mlc_map_release(&c->dead);
    mlc_map_release(&c->replacements);
    mlc_map_release(&c->casts_of);
    MLC_MAP_FOR_EACH (entry, &c->pattern_lists) {
        PatternRefVec *list = mlc_map_entry_value(entry);
        mlc_vec_release(list);
        mlc_free(list);
    }
    mlc_map_release(&c->pattern_lists);
    mlc_map_release(&c->converted);
}

// Puts back what the clone holds: regions and attributes.
static void
restore(MlcOp *root, MlcOp *backup)
{
    for (uint32_t i = 0; i < root->num_regions; i++)
        mlc_region_take_body(mlc_op_region(root, i), mlc_op_region(backup, i));
    root->dict = backup->dict;
    memcpy(mlc_op_slots_(root), mlc_op_slots_(backup), root->num_slots * sizeof(MlcAttr));
}

static bool
convert(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
        const MlcConversionPattern *patterns, size_t num_patterns, bool is_full)
{
    MlcConversion c = {.root = root,
                       .target = target,
                       .types = types,
                       .patterns = patterns,
                       .num_patterns = num_patterns,
                       .is_full = is_full};
    MlcOp *backup = mlc_op_clone(root, NULL);
    mlc_builder_init(&c.builder, root->ctx);
    c.builder.inserted = on_inserted;
    c.listener.erased = on_erased;
    mlc_erase_listener_push(&c.listener);
    bool ok = legalize_all(&c) && finish(&c);
    mlc_erase_listener_pop(&c.listener);
    release(&c);
    if (!ok)
        restore(root, backup);
    mlc_op_destroy(backup);
    return ok;
}

bool
mlc_convert_partial(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                    const MlcConversionPattern *patterns, size_t num_patterns)
{
    return convert(root, target, types, patterns, num_patterns, false);
}

bool
mlc_convert_full(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                 const MlcConversionPattern *patterns, size_t num_patterns)
{
    return convert(root, target, types, patterns, num_patterns, true);
}

// Ops of a fresh clone, in the order of the originals.
static void
list_ops(MlcOp *root, MlcOpVec *ops)
{
    MLC_FOR_EACH_PREORDER (op, root)
        mlc_vec_push(ops, op);
}

void
mlc_convert_analysis(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                     const MlcConversionPattern *patterns, size_t num_patterns,
                     MlcOpVec *convertible)
{
    MlcConversion c = {.root = mlc_op_clone(root, NULL),
                       .target = target,
                       .types = types,
                       .patterns = patterns,
                       .num_patterns = num_patterns,
                       .is_analysis = true};
    MlcOpVec originals = {0}, clones = {0};
    list_ops(root, &originals);
    list_ops(c.root, &clones);
    mlc_builder_init(&c.builder, root->ctx);
    c.builder.inserted = on_inserted;
    c.listener.erased = on_erased;
    mlc_erase_listener_push(&c.listener);
    (void)legalize_all(&c);
    mlc_erase_listener_pop(&c.listener);
    for (size_t i = 0; i < originals.size; i++)
        if (mlc_map_has_u64(&c.converted, mlc_word(clones.data[i])))
            mlc_vec_push(convertible, originals.data[i]);
    mlc_vec_release(&originals);
    mlc_vec_release(&clones);
    mlc_op_destroy(c.root);
    release(&c);
}
