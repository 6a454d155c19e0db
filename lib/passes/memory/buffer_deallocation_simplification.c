// buffer_deallocation_simplification.c -- bufferization.dealloc with less to compare when it runs.
//
// What is known of where buffers come from decides comparisons beforehand: a buffer to free that is
// retained is not freed, one that is no other can be freed by an op of its own, and one retained
// that is none of those to free is not owned through them. What comes out is lowered to few
// comparisons or none. (MLIR's documentation of ownership-based buffer deallocation.)
#include "mlc/pass.h"

#include "mlc/analysis/alias.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/bufferization.h"
#include "mlc/ir/rewrite.h"

// Was `value` there, as it is, before `op` last ran? Asked of values that one op uses.
static bool
is_older(const MlcValue *value, MlcOp *op)
{
    MlcOp *outer = mlc_block_find_ancestor(mlc_value_parent_block(value), op);
    MlcOp *def = mlc_value_def(value);
    return outer && (!def || (def != outer && mlc_op_is_before(def, outer)));
}

// Was all that `b` may be allocated after `a` was made?
static bool
is_made_after(MlcValue *b, MlcValue *a)
{
    MlcValueVec buffers = {0};
    bool all = mlc_underlying_buffers(b, &buffers);
    for (size_t i = 0; all && i < buffers.size; i++)
        all = mlc_is_allocated(buffers.data[i]) && is_older(a, mlc_value_def(buffers.data[i]));
    mlc_vec_release(&buffers);
    return all;
}

static MlcAlias
alias_of(MlcValue *a, MlcValue *b)
{
    a = mlc_viewed_buffer(a);
    b = mlc_viewed_buffer(b);
    MlcAlias alias = mlc_alias(a, b);
    return alias == MLC_ALIAS_MAY && (is_made_after(a, b) || is_made_after(b, a)) ? MLC_ALIAS_NO
                                                                                  : alias;
}

static bool
is_true(MlcValue *condition)
{
    int64_t value;
    return mlc_value_constant_int(condition, &value) && value != 0;
}

// A dealloc's groups, to be changed.
typedef struct Dealloc {
    MlcValueVec memrefs, conditions, retained;
} Dealloc;

static void
read_dealloc(const MlcOp *op, Dealloc *d)
{
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_memrefs(op); i++) {
        mlc_vec_push(&d->memrefs, mlc_bufferization_dealloc_memrefs(op, i));
        mlc_vec_push(&d->conditions, mlc_bufferization_dealloc_conditions(op, i));
    }
    for (size_t i = 0; i < mlc_bufferization_dealloc_num_retained(op); i++)
        mlc_vec_push(&d->retained, mlc_bufferization_dealloc_retained(op, i));
}

static void
release_dealloc(Dealloc *d)
{
    mlc_vec_release(&d->memrefs);
    mlc_vec_release(&d->conditions);
    mlc_vec_release(&d->retained);
}

static MlcOp *
build_dealloc(MlcBuilder *b, const Dealloc *d)
{
    return mlc_bufferization_dealloc(b, d->memrefs.data, d->memrefs.size, d->conditions.data,
                                     d->conditions.size, d->retained.data, d->retained.size);
}

// Whoever is owned for certain, whatever else is freed: it is a buffer that would be.
static bool
is_owned(const Dealloc *d, MlcValue *retained)
{
    for (size_t i = 0; i < d->memrefs.size; i++)
        if (is_true(d->conditions.data[i]) &&
            alias_of(d->memrefs.data[i], retained) == MLC_ALIAS_MUST)
            return true;
    return false;
}

// Is the buffer retained, and is it known whose ownership its condition adds to?
static bool
is_kept(const Dealloc *d, MlcValue *memref)
{
    bool kept = false;
    for (size_t i = 0; i < d->retained.size; i++) {
        MlcAlias alias = alias_of(memref, d->retained.data[i]);
        if (alias == MLC_ALIAS_MAY && !is_owned(d, d->retained.data[i]))
            return false;
        kept = kept || alias == MLC_ALIAS_MUST;
    }
    return kept;
}

// dealloc (x, y) if (c, d) retain (x) -> dealloc (y) if (d) retain (x), or c
static bool
keep_retained(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0}, kept = {0}, rest = {0};
    read_dealloc(op, &d);
    for (size_t i = 0; i < d.memrefs.size; i++) {
        Dealloc *to = is_kept(&d, d.memrefs.data[i]) ? &kept : &rest;
        mlc_vec_push(&to->memrefs, d.memrefs.data[i]);
        mlc_vec_push(&to->conditions, d.conditions.data[i]);
    }
    bool changed = kept.memrefs.size > 0;
    if (changed) {
        MlcBuilder *b = mlc_rewriter_builder(rw);
        for (size_t i = 0; i < d.retained.size; i++)
            mlc_vec_push(&rest.retained, d.retained.data[i]);
        MlcOp *made = build_dealloc(b, &rest);
        MlcValueVec results = {0};
        for (size_t i = 0; i < d.retained.size; i++) {
            MlcValue *owned = mlc_op_result(made, i);
            for (size_t k = kept.memrefs.size; k-- > 0;)
                if (alias_of(kept.memrefs.data[k], d.retained.data[i]) == MLC_ALIAS_MUST)
                    owned = mlc_arith_ori(b, owned, kept.conditions.data[k]);
            mlc_vec_push(&results, owned);
        }
        mlc_rewriter_replace(rw, op, results.data, results.size);
        mlc_vec_release(&results);
    }
    release_dealloc(&d);
    release_dealloc(&kept);
    release_dealloc(&rest);
    return changed;
}

// dealloc (x, view of x) if (c, d) -> dealloc (x) if (c or d)
static bool
join_views(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0}, joined = {0};
    read_dealloc(op, &d);
    for (size_t i = 0; i < d.memrefs.size; i++) {
        size_t k = 0;
        while (k < joined.memrefs.size &&
               alias_of(joined.memrefs.data[k], d.memrefs.data[i]) != MLC_ALIAS_MUST)
            k++;
        if (k == joined.memrefs.size) {
            mlc_vec_push(&joined.memrefs, d.memrefs.data[i]);
            mlc_vec_push(&joined.conditions, d.conditions.data[i]);
        } else if (joined.conditions.data[k] != d.conditions.data[i]) {
            joined.conditions.data[k] = mlc_arith_ori(
                mlc_rewriter_builder(rw), joined.conditions.data[k], d.conditions.data[i]);
        }
    }
    bool changed = joined.memrefs.size < d.memrefs.size;
    if (changed) {
        mlc_op_set_operand_group(op, 0, joined.memrefs.data, joined.memrefs.size);
        mlc_op_set_operand_group(op, 1, joined.conditions.data, joined.conditions.size);
        mlc_rewriter_changed(rw, op);
    }
    release_dealloc(&d);
    release_dealloc(&joined);
    return changed;
}

// dealloc (x) if (c) retain (y), which is not x -> dealloc (x) if (c); the result is false
static bool
drop_retained(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0};
    MlcValueVec retained = {0}, results = {0};
    read_dealloc(op, &d);
    for (size_t i = 0; i < d.retained.size; i++) {
        bool touched = false;
        for (size_t k = 0; k < d.memrefs.size && !touched; k++)
            touched = alias_of(d.memrefs.data[k], d.retained.data[i]) != MLC_ALIAS_NO;
        if (touched)
            mlc_vec_push(&retained, d.retained.data[i]);
        mlc_vec_push(&results, touched ? d.retained.data[i] : NULL); // who has a result
    }
    bool changed = retained.size < d.retained.size;
    if (changed) {
        MlcBuilder *b = mlc_rewriter_builder(rw);
        MlcValueVec all = d.retained;
        d.retained = retained;
        MlcOp *made = build_dealloc(b, &d);
        d.retained = all;
        MlcValue *no = mlc_build_constant(b, mlc_bool_attr_get(b->ctx, false));
        for (size_t i = 0, next = 0; i < results.size; i++)
            results.data[i] = results.data[i] ? mlc_op_result(made, next++) : no;
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&retained);
    mlc_vec_release(&results);
    release_dealloc(&d);
    return changed;
}

// Is buffer `i` none of the others to free?
static bool
is_alone(const Dealloc *d, size_t i)
{
    for (size_t k = 0; k < d->memrefs.size; k++)
        if (k != i && alias_of(d->memrefs.data[i], d->memrefs.data[k]) != MLC_ALIAS_NO)
            return false;
    return true;
}

// Builds the dealloc, and adds what it says of the retained to `results`.
static void
build_part(MlcBuilder *b, const Dealloc *d, MlcValueVec *results)
{
    if (d->memrefs.size == 0)
        return;
    MlcOp *made = build_dealloc(b, d);
    for (size_t i = 0; i < d->retained.size; i++)
        if (results->size < d->retained.size)
            mlc_vec_push(results, mlc_op_result(made, i));
        else
            results->data[i] = mlc_arith_ori(b, results->data[i], mlc_op_result(made, i));
}

// dealloc (x, y) retain (z), where x is not y -> dealloc (x) retain (z) and dealloc (y) retain (z)
static bool
split(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Dealloc d = {0}, rest = {0};
    MlcValueVec results = {0};
    read_dealloc(op, &d);
    bool changed = false;
    for (size_t i = 0; d.memrefs.size > 1 && i < d.memrefs.size; i++) {
        if (!is_alone(&d, i)) {
            mlc_vec_push(&rest.memrefs, d.memrefs.data[i]);
            mlc_vec_push(&rest.conditions, d.conditions.data[i]);
            continue;
        }
        Dealloc one = {.retained = d.retained};
        mlc_vec_push(&one.memrefs, d.memrefs.data[i]);
        mlc_vec_push(&one.conditions, d.conditions.data[i]);
        build_part(mlc_rewriter_builder(rw), &one, &results);
        mlc_vec_release(&one.memrefs);
        mlc_vec_release(&one.conditions);
        changed = true;
    }
    if (changed) {
        rest.retained = d.retained;
        build_part(mlc_rewriter_builder(rw), &rest, &results);
        rest.retained = (MlcValueVec){0};
        mlc_rewriter_replace(rw, op, results.data, results.size);
    }
    mlc_vec_release(&results);
    release_dealloc(&d);
    release_dealloc(&rest);
    return changed;
}

static bool
is_of_dealloc(const MlcPattern *pattern, void *user)
{
    (void)user;
    return pattern->root && mlc_str_equal(mlc_str(pattern->root), mlc_str("bufferization.dealloc"));
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool any = false;
    MLC_FOR_EACH_PREORDER (op, root)
        any = any || mlc_bufferization_dealloc_isa(op);
    if (!any)
        return true; // and the driver folds nothing
    static const MlcPattern patterns[] = {
        {"retained", "bufferization.dealloc", 0, 1, keep_retained, NULL},
        {"views of one buffer", "bufferization.dealloc", 0, 1, join_views, NULL},
        {"retained for nothing", "bufferization.dealloc", 0, 1, drop_retained, NULL},
        {"alone", "bufferization.dealloc", 0, 1, split, NULL},
    };
    MlcPatternSet *set = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_canonicalization(set);
    mlc_pattern_set_filter(set, is_of_dealloc, NULL);
    mlc_pattern_set_add_all(set, patterns, sizeof patterns / sizeof *patterns);
    mlc_apply_patterns_greedily(root, set, NULL);
    mlc_pattern_set_destroy(set);
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(buffer_deallocation_simplification, .flag = "buffer-deallocation-simplification",
         .summary = "Decide what bufferization.dealloc frees as far as that is known",
         .dependent_dialects = dialects, .run = run)
