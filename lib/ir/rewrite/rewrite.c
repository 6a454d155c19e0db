// rewrite.c -- pattern sets and the edits that patterns make.
#include "rewrite_impl.h"

#include "context/context_impl.h"
#include "mlc/support/alloc.h"
#include "rules.h"

MlcOpsOfKind
mlc_ops_of_kind(MlcOp *root, const MlcOpDef *def)
{
    MlcOpsOfKind list = {0};
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_isa(op, def))
            mlc_vec_push(&list.ops, op);
    return list;
}

MlcPatternSet *
mlc_pattern_set_create(MlcContext *ctx)
{
    MlcPatternSet *set = mlc_calloc(1, sizeof *set);
    set->ctx = ctx;
    return set;
}

void
mlc_pattern_set_destroy(MlcPatternSet *set)
{
    if (!set)
        return;
    for (size_t i = 0; set->lists && i < MLC_PATTERN_SLOTS; i++)
        mlc_free(atomic_load(&set->lists[i]));
    mlc_free((void *)set->lists);
    mlc_vec_release(&set->patterns);
    mlc_free(set);
}

MlcContext *
mlc_pattern_set_context(MlcPatternSet *set)
{
    return set->ctx;
}

void
mlc_pattern_set_add(MlcPatternSet *set, MlcPattern pattern)
{
    mlc_vec_push(&set->patterns, pattern);
}

void
mlc_pattern_set_add_op(MlcPatternSet *set, const char *root, const char *name,
                       bool (*rewrite)(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern))
{
    mlc_pattern_set_add(set,
                        (MlcPattern){.name = name, .root = root, .benefit = 1, .rewrite = rewrite});
}

void
mlc_pattern_set_add_all(MlcPatternSet *set, const MlcPattern *patterns, size_t num_patterns)
{
    for (size_t i = 0; i < num_patterns; i++)
        mlc_pattern_set_add(set, patterns[i]);
}

void
mlc_pattern_set_filter(MlcPatternSet *set, bool (*keep)(const MlcPattern *, void *), void *user)
{
    size_t n = 0;
    for (size_t i = 0; i < set->patterns.size; i++)
        if (keep(&set->patterns.data[i], user))
            set->patterns.data[n++] = set->patterns.data[i];
    set->patterns.size = n;
}

void
mlc_pattern_set_freeze(MlcPatternSet *set)
{
    set->lists = mlc_calloc(MLC_PATTERN_SLOTS, sizeof *set->lists);
}

void
mlc_pattern_set_add_canonicalization(MlcPatternSet *set)
{
    for (size_t i = 0; i < mlc_context_num_dialects(set->ctx); i++) {
        const MlcDialectDef *dialect = mlc_context_dialect_at(set->ctx, i);
        for (size_t j = 0; j < dialect->num_ops; j++) {
            if (dialect->ops[j]->rules)
                mlc_pattern_set_add_rules(set, dialect->ops[j]->rules, false);
            mlc_pattern_set_add_all(set, dialect->ops[j]->canonical,
                                    dialect->ops[j]->num_canonical);
            if (dialect->ops[j]->patterns)
                dialect->ops[j]->patterns(set);
        }
    }
    for (const struct MlcLoaded *l = set->ctx->loaded; l; l = l->next)
        for (size_t i = 0; i < l->num_rules; i++)
            mlc_pattern_set_add_rules(set, l->rules[i], true);
}

static bool
is_up_to_date(const MlcPatternSet *set)
{
    return set && set->num_dialects == mlc_context_num_dialects(set->ctx) &&
           set->loaded == set->ctx->loaded;
}

const MlcPatternSet *
mlc_canonicalization_patterns(MlcContext *ctx)
{
    MlcPatternSet *set = atomic_load_explicit(&ctx->canonicalization, memory_order_acquire);
    if (is_up_to_date(set))
        return set;
    pthread_mutex_lock(&ctx->patterns_lock);
    MlcPatternSet *older = atomic_load_explicit(&ctx->canonicalization, memory_order_relaxed);
    set = older;
    if (!is_up_to_date(set)) {
        set = mlc_pattern_set_create(ctx);
        set->num_dialects = mlc_context_num_dialects(ctx);
        set->loaded = ctx->loaded;
        mlc_pattern_set_add_canonicalization(set);
        mlc_pattern_set_freeze(set);
        set->older = older;
        atomic_store_explicit(&ctx->canonicalization, set, memory_order_release);
    }
    pthread_mutex_unlock(&ctx->patterns_lock);
    return set;
}

void
mlc_release_canonicalization(MlcContext *ctx)
{
    for (MlcPatternSet *set = atomic_load(&ctx->canonicalization), *older; set; set = older) {
        older = set->older;
        mlc_pattern_set_destroy(set);
    }
}

// --- edits

MlcBuilder *
mlc_rewriter_builder(MlcRewriter *rw)
{
    return &rw->builder;
}

void
mlc_rewriter_changed(MlcRewriter *rw, MlcOp *op)
{
    mlc_count_edit(op);
    if (rw->changed)
        rw->changed(rw, op);
}

void
mlc_rewriter_replace_value(MlcRewriter *rw, MlcValue *old, MlcValue *with)
{
    if (old == with)
        return;
    MLC_FOR_EACH_USE (use, old)
        if (rw->changed)
            rw->changed(rw, use->owner);
    mlc_value_replace_uses(old, with);
}

void
mlc_rewriter_erase(MlcRewriter *rw, MlcOp *op)
{
    if (rw->builder.before == op)
        rw->builder.before = op->next;
    if (rw->erasing)
        MLC_FOR_EACH_POSTORDER (inner, op)
            rw->erasing(rw, inner);
    mlc_op_erase(op);
}

void
mlc_rewriter_replace(MlcRewriter *rw, MlcOp *op, MlcValue *const *values, size_t num_values)
{
    assert(num_values == op->num_results);
    for (size_t i = 0; i < num_values; i++)
        if (values[i])
            mlc_rewriter_replace_value(rw, mlc_op_result(op, i), values[i]);
    mlc_rewriter_erase(rw, op);
}

bool
mlc_rewriter_replace_op(MlcRewriter *rw, MlcOp *op, MlcValue *value)
{
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

void
mlc_rewriter_replace_with(MlcRewriter *rw, MlcOp *op, MlcOp *with)
{
    assert(op->num_results == with->num_results);
    for (size_t i = 0; i < op->num_results; i++)
        mlc_rewriter_replace_value(rw, mlc_op_result(op, i), mlc_op_result(with, i));
    mlc_rewriter_erase(rw, op);
}

void
mlc_rewriter_erase_block(MlcRewriter *rw, MlcBlock *block)
{
    while (block->last) {
        MlcOp *op = block->last;
        for (uint32_t i = 0; i < op->num_results; i++) // users are in blocks that go, too
            while (mlc_op_result(op, i)->first_use)
                mlc_use_set(mlc_op_result(op, i)->first_use, NULL);
        mlc_rewriter_erase(rw, op);
    }
    if (rw->builder.block == block)
        rw->builder.block = NULL;
    mlc_block_destroy(block);
}

static void
move_block(MlcRewriter *rw, MlcBlock *block, MlcBlock *to, MlcOp *before, MlcValue *const *args)
{
    for (uint32_t i = 0; i < block->num_args; i++)
        if (args[i])
            mlc_rewriter_replace_value(rw, mlc_block_arg(block, i), args[i]);
    if (rw->changed)
        MLC_FOR_EACH_OP (op, block)
            rw->changed(rw, op);
    mlc_block_splice(to, before, block);
    mlc_block_destroy(block);
}

void
mlc_rewriter_inline_block(MlcRewriter *rw, MlcBlock *block, MlcOp *before, MlcValue *const *args)
{
    move_block(rw, block, before->block, before, args);
}

void
mlc_rewriter_append_block(MlcRewriter *rw, MlcBlock *block, MlcBlock *to, MlcValue *const *args)
{
    move_block(rw, block, to, NULL, args);
}

MlcOp *
mlc_rebuild_op(MlcBuilder *b, MlcOp *op, MlcValue *const *operands, size_t num_operands,
               const MlcType *result_types, size_t num_results)
{
    MlcBlock **successors = mlc_malloc((op->num_successors + 1) * sizeof *successors);
    for (uint32_t i = 0; i < op->num_successors; i++)
        successors[i] = mlc_op_successor(op, i);
    MlcOp *made = mlc_op_create(op->ctx, &(MlcOpState){.loc = op->loc,
                                                       .def = op->def,
                                                       .operands = operands,
                                                       .num_operands = num_operands,
                                                       .result_types = result_types,
                                                       .num_results = num_results,
                                                       .successors = successors,
                                                       .num_successors = op->num_successors,
                                                       .num_regions = op->num_regions});
    memcpy(mlc_op_slots_(made), mlc_op_slots_(op), op->num_slots * sizeof(MlcAttr));
    mlc_op_set_discardable(made, op->dict);
    mlc_free(successors);
    mlc_builder_before(b, op);
    return mlc_builder_insert(b, made);
}

MlcOp *
mlc_rewriter_rebuild(MlcRewriter *rw, MlcOp *op, MlcValue *const *operands, size_t num_operands,
                     const MlcType *result_types, size_t num_results)
{
    return mlc_rebuild_op(&rw->builder, op, operands, num_operands, result_types, num_results);
}

bool
mlc_rewriter_no_match(MlcRewriter *rw, MlcOp *op, const char *format, ...)
{
    if (!rw->no_match)
        return false;
    MlcBuf reason = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&reason, format, args);
    va_end(args);
    rw->no_match(rw, op, mlc_buf_str(&reason));
    mlc_buf_release(&reason);
    return false;
}
