// conversion.c -- the conversion driver: ops become ops that a target calls legal, types become
// types.
//
// Ops are visited outermost first. What a pattern makes is legalised at once, pattern upon pattern;
// where that fails the pattern is undone and the next one tried, those nearest to legal ops first
// (conversion_graph.c). When an op cannot be converted at all, everything is undone.
#include "conversion_impl.h"

#include <stdlib.h>

#include "mlc/ir/diag.h"
#include "mlc/support/alloc.h"
#include "mlc/support/quota.h"

enum { MAX_ACTIVE = 256, MAX_NOTES = 32 };

static const char *
name_of(const MlcConversionPattern *pattern)
{
    return pattern->name ? pattern->name : pattern->root ? pattern->root : "any";
}

// --- the patterns of an op

typedef struct Candidate {
    const MlcConversionPattern *pattern;
    uint32_t depth;
} Candidate;

static int
by_depth_and_benefit(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->pattern->benefit != y->pattern->benefit)
        return x->pattern->benefit > y->pattern->benefit ? -1 : 1;
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static const MlcConversionDef *
find_def(MlcConversion *c, const MlcOpDef *def)
{
    MlcConversionDef *known = mlc_map_get(&c->defs, def);
    if (known)
        return known;
    MLC_VEC(Candidate) list = {0};
    for (size_t i = 0; i < c->num_patterns; i++)
        if (!c->patterns[i].root || strcmp(c->patterns[i].root, def->name) == 0)
            mlc_vec_push(&list, (Candidate){&c->patterns[i], c->depths[i]});
    if (list.size)
        qsort(list.data, list.size, sizeof *list.data, by_depth_and_benefit);
    known = mlc_arena_alloc_zeroed(&c->arena, sizeof *known + list.size * sizeof(void *),
                                   MLC_ALIGNOF(MlcConversionDef));
    known->legality = mlc_conversion_target_legality_of_name(c->target, mlc_str(def->name));
    for (size_t i = 0; i < list.size; i++)
        known->patterns[known->size++] = list.data[i].pattern;
    mlc_vec_release(&list);
    mlc_map_set(&c->defs, def, known);
    return known;
}

static MlcLegality
legality_of(MlcConversion *c, MlcOp *op)
{
    MlcLegality legality =
        mlc_conversion_target_legality(c->target, find_def(c, op->def)->legality, op);
    // What is left of casts at the end may stay.
    return legality == MLC_LEGALITY_UNKNOWN && op->def == c->cast_def ? MLC_LEGALITY_LEGAL
                                                                      : legality;
}

// --- reasons

static void
drop_reasons(MlcConversion *c, size_t mark)
{
    while (c->reasons.size > mark)
        mlc_free(mlc_vec_pop(&c->reasons).text);
}

// Takes c->why, or says what nobody said; before the reasons from `at` on, which explain it.
static void
add_reason(MlcConversion *c, size_t at, const MlcOpDef *def, const MlcConversionPattern *pattern)
{
    if (!c->why)
        mlc_conversion_no_match(c, NULL, "did not match");
    MlcConversionReason reason = {c->active.size, def, pattern, c->why};
    c->why = NULL;
    mlc_vec_push(&c->reasons, reason);
    memmove(c->reasons.data + at + 1, c->reasons.data + at,
            (c->reasons.size - 1 - at) * sizeof reason);
    c->reasons.data[at] = reason;
}

static bool
report(MlcConversion *c, MlcOp *op, bool is_illegal)
{
    mlc_error(op->ctx, op->loc, "failed to legalize operation '%s'%s", op->def->name,
              is_illegal && !c->is_full ? " that was explicitly marked illegal" : "");
    if (c->reasons.size == 0)
        mlc_note(op->ctx, op->loc, "no pattern is for '%s'", op->def->name);
    for (size_t i = 0; i < c->reasons.size && i < MAX_NOTES; i++) {
        MlcConversionReason r = c->reasons.data[i];
        int indent = (int)r.depth * 2;
        if (!r.pattern)
            mlc_note(op->ctx, op->loc, "%*s%s", indent, "", r.text);
        else if (r.depth == 0)
            mlc_note(op->ctx, op->loc, "pattern '%s': %s", name_of(r.pattern), r.text);
        else
            mlc_note(op->ctx, op->loc, "%*spattern '%s' for '%s': %s", indent, "",
                     name_of(r.pattern), r.def->name, r.text);
    }
    if (c->reasons.size > MAX_NOTES)
        mlc_note(op->ctx, op->loc, "and %zu more", c->reasons.size - MAX_NOTES);
    return false;
}

// --- one pattern

static bool
run_pattern(MlcConversion *c, MlcOp *op, const MlcConversionPattern *pattern)
{
    MlcValueVec values = {0};
    uint32_t *counts = mlc_malloc((op->num_operands + 1) * sizeof *counts);
    bool ok = mlc_conversion_remap_operands(c, op, &values, counts);
    if (ok && pattern->convert_ranges) {
        MlcValueRange *ranges = mlc_malloc((op->num_operands + 1) * sizeof *ranges);
        size_t at = 0;
        for (uint32_t i = 0; i < op->num_operands; at += counts[i++])
            ranges[i] = (MlcValueRange){values.data + at, counts[i]};
        ok = pattern->convert_ranges(c, op, ranges, pattern->user);
        mlc_free(ranges);
    } else if (ok) {
        for (uint32_t i = 0; i < op->num_operands && ok; i++)
            if (counts[i] != 1)
                ok = mlc_conversion_no_match(c, op, "operand #%u became %u values", i, counts[i]);
        ok = ok && pattern->convert(c, op, values.data, pattern->user);
    }
    mlc_free(counts);
    mlc_vec_release(&values);
    return ok;
}

static bool legalize(MlcConversion *c, MlcOp *op);

// Ops in regions of a new op that nobody heard of: they came with it, as in a clone.
static bool
legalize_inside(MlcConversion *c, MlcOp *made)
{
    MlcOpVec inside = {0};
    for (MlcOp *op = made; (op = mlc_op_preorder_next(op, made));)
        if (!op->work) {
            mlc_conversion_note_op(c, op);
            mlc_vec_push(&inside, op);
        }
    bool ok = true;
    for (size_t i = 0; i < inside.size && ok; i++)
        ok = mlc_conversion_is_dead(c, inside.data[i]) || legalize(c, inside.data[i]);
    mlc_vec_release(&inside);
    return ok;
}

// What the pattern left: the ops that the log has from `mark` on, and `op` if it only changed it.
static bool
legalize_made(MlcConversion *c, MlcOp *op, size_t mark)
{
    size_t end = c->log.size;
    for (size_t i = mark; i < end; i++) {
        MlcConversionEdit edit = c->log.data[i];
        if (edit.kind != MLC_EDIT_MADE || !edit.op || mlc_conversion_is_dead(c, edit.op))
            continue;
        if (!legalize(c, edit.op))
            return mlc_conversion_no_match(c, op, "leaves '%s' illegal", edit.op->def->name);
        if (edit.op->num_regions && c->log.data[i].op && !mlc_conversion_is_replaced(edit.op) &&
            !legalize_inside(c, edit.op))
            return mlc_conversion_no_match(c, op, "leaves ops inside '%s' illegal",
                                           edit.op->def->name);
    }
    if (!mlc_conversion_is_replaced(op) && !legalize(c, op))
        return mlc_conversion_no_match(c, op, "changes it, and leaves it illegal");
    return true;
}

static bool
is_active(const MlcConversion *c, const MlcConversionPattern *pattern)
{
    for (size_t i = 0; i < c->active.size; i++)
        if (c->active.data[i] == pattern)
            return true;
    return false;
}

static bool
try_pattern(MlcConversion *c, MlcOp *op, const MlcConversionPattern *pattern)
{
    if (c->depths[pattern - c->patterns] == MLC_NO_DEPTH)
        return mlc_conversion_no_match(
            c, op, "not tried, for no chain of patterns from what it makes ends in legal ops");
    if (!pattern->is_recursive && is_active(c, pattern))
        return mlc_conversion_no_match(c, op, "is for ever applied to what comes of it");
    if (c->active.size >= MAX_ACTIVE)
        return mlc_conversion_no_match(c, op, "not tried after %d others in a row", MAX_ACTIVE);
    size_t mark = c->log.size;
    const MlcConversionPattern *outer = c->running;
    mlc_builder_before(&c->builder, op);
    c->running = pattern;
    bool ok = run_pattern(c, op, pattern);
    c->running = NULL;
    if (ok) {
        mlc_vec_push(&c->active, pattern);
        ok = legalize_made(c, op, mark);
        (void)mlc_vec_pop(&c->active);
    }
    c->running = outer;
    if (!ok)
        mlc_conversion_undo(c, mark);
    return ok;
}

static bool
apply_patterns(MlcConversion *c, MlcOp *op)
{
    const MlcOpDef *def = op->def;
    const MlcConversionDef *known = find_def(c, def);
    size_t before = c->reasons.size;
    for (size_t i = 0; i < known->size; i++) {
        size_t at = c->reasons.size;
        if (try_pattern(c, op, known->patterns[i])) {
            drop_reasons(c, before);
            return true;
        }
        add_reason(c, at, def, known->patterns[i]);
    }
    if (known->size == 0 && c->active.size > 0) {
        mlc_conversion_no_match(c, op, "no pattern is for '%s'", def->name);
        add_reason(c, before, def, NULL);
    }
    return false;
}

static bool
legalize(MlcConversion *c, MlcOp *op)
{
    return legality_of(c, op) == MLC_LEGALITY_LEGAL || apply_patterns(c, op);
}

// --- the driver

static bool
legalize_original(MlcConversion *c, MlcOp *op)
{
    MlcLegality legality = legality_of(c, op);
    if (legality == MLC_LEGALITY_LEGAL)
        return true;
    bool ok = apply_patterns(c, op);
    if (ok && c->analysis)
        mlc_vec_push(c->analysis, op);
    else if (!ok && !c->analysis && (legality == MLC_LEGALITY_ILLEGAL || c->is_full))
        return report(c, op, legality == MLC_LEGALITY_ILLEGAL);
    drop_reasons(c, 0);
    return true;
}

static bool
legalize_all(MlcConversion *c)
{
    for (MlcOp *op = c->root; (op = mlc_op_preorder_next(op, c->root));)
        mlc_conversion_note_op(c, op);
    size_t n = c->ops.size; // what patterns bring is legalised there
    for (size_t i = 0; i < n; i++) {
        MlcOp *op = c->ops.data[i];
        if (mlc_quota_is_over() ||
            (op && !mlc_conversion_is_dead(c, op) && !legalize_original(c, op)))
            return false;
    }
    return true;
}

static void
release(MlcConversion *c)
{
    for (size_t i = 0; i < c->ops.size; i++)
        if (c->ops.data[i])
            c->ops.data[i]->work = 0;
    for (size_t i = 0; i < c->log.size; i++)
        if (c->log.data[i].op &&
            (c->log.data[i].kind == MLC_EDIT_MADE || c->log.data[i].kind == MLC_EDIT_CAST))
            c->log.data[i].op->work = 0;
    drop_reasons(c, 0);
    mlc_free(c->why);
    mlc_free(c->depths);
    mlc_vec_release(&c->reasons);
    mlc_vec_release(&c->ops);
    mlc_vec_release(&c->log);
    mlc_vec_release(&c->casts);
    mlc_vec_release(&c->active);
    mlc_map_release(&c->replacements);
    mlc_map_release(&c->casts_of);
    mlc_map_release(&c->defs);
    mlc_arena_release(&c->arena);
}

static const MlcOpDef *
cast_def(MlcContext *ctx)
{
    MlcStr name = mlc_str("builtin.unrealized_conversion_cast");
    const MlcOpDef *def = mlc_context_op(ctx, name);
    return def ? def : mlc_context_unregistered_op(ctx, name);
}

static bool
convert(MlcConversion *c)
{
    mlc_arena_init(&c->arena);
    c->cast_def = cast_def(c->root->ctx);
    mlc_builder_init(&c->builder, c->root->ctx);
    c->depths = mlc_malloc((c->num_patterns + 1) * sizeof *c->depths);
    mlc_conversion_depths(c->target, c->patterns, c->num_patterns, c->depths);
    c->builder.inserted = mlc_conversion_on_inserted;
    c->builder.user = c;
    c->listener.erased = mlc_conversion_on_erased;
    mlc_erase_listener_push(&c->listener);
    bool ok = legalize_all(c) && !c->analysis && mlc_conversion_commit(c);
    if (!ok)
        mlc_conversion_undo(c, 0);
    mlc_erase_listener_pop(&c->listener);
    release(c);
    return ok;
}

bool
mlc_convert_partial(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                    const MlcConversionPattern *patterns, size_t num_patterns)
{
    MlcConversion c = {.root = root,
                       .target = target,
                       .types = types,
                       .patterns = patterns,
                       .num_patterns = num_patterns};
    return convert(&c);
}

bool
mlc_convert_full(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                 const MlcConversionPattern *patterns, size_t num_patterns)
{
    MlcConversion c = {.root = root,
                       .target = target,
                       .types = types,
                       .patterns = patterns,
                       .num_patterns = num_patterns,
                       .is_full = true};
    return convert(&c);
}

void
mlc_convert_analysis(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                     const MlcConversionPattern *patterns, size_t num_patterns,
                     MlcOpVec *convertible)
{
    MlcConversion c = {.root = root,
                       .target = target,
                       .types = types,
                       .patterns = patterns,
                       .num_patterns = num_patterns,
                       .analysis = convertible};
    (void)convert(&c);
}
