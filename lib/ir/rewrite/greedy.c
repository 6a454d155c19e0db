// greedy.c -- folds, removes dead ops and applies patterns until nothing changes.
//
// The order of work is that of MLIR 19's greedy driver, since it shows in the output: each sweep
// first gives equal constants one home at the start of the isolated region (the later in front of
// the earlier), then visits ops top-down, and after each change those near it. Ops are taken off
// the work list whoever erases them, so a pattern that edits through the op API does no harm; what
// it changed is then found in the next sweep.
#include "mlc/ir/action.h"
#include "mlc/support/alloc.h"
#include "mlc/support/quota.h"
#include "rewrite_impl.h"

#include <stdlib.h>

#define DEFAULT_ITERATIONS 10
// Patterns that undo each other would keep one sweep going for ever.
#define REWRITES_PER_OP 64
#define MIN_REWRITES 100000
// Of those that went on when the driver stopped, this many are named.
#define MAX_NAMES 8
#define LAST_REWRITES 64

typedef struct Greedy {
    MlcRewriter rw; // first
    MlcEraseListener listener;
    const MlcPatternSet *set;
    MlcGreedyConfig config;
    MlcOp *root;
    MlcOpVec found;        // in the order of a sweep, before it begins
    MLC_VEC(MlcOp *) work; // taken from the end; NULL where an op was removed
    bool had_inner;        // a driver ran inside a pattern: an op may be listed twice
    struct Greedy *outer;  // in this thread
    MlcMap patterns;       // definition -> index in `pattern_lists`
    MLC_VEC(MlcPatternRefVec) pattern_lists;
    MlcMap constants;       // hash of (region, value, type) -> op
    MlcMap owned_constants; // ops in `constants` -> their key
    MlcOp *current;         // NULL once it was erased
    uint64_t rewrites_left;
    bool changed;
    const char *names[MAX_NAMES]; // of the last rewrites, each once
    size_t num_names;
    bool is_last_sweep, is_watched; // by an action handler
    MlcBuf reason;                  // why the last pattern did not match; for the handler
} Greedy;

static _Thread_local Greedy *innermost;

// --- the work list

// The op says where it is; that is checked, since another driver may have written it.
static bool
is_listed(const Greedy *g, const MlcOp *op)
{
    return op->work && op->work <= g->work.size && g->work.data[op->work - 1] == op;
}

static void
push(Greedy *g, MlcOp *op)
{
    if (is_listed(g, op))
        return;
    mlc_vec_push(&g->work, op);
    op->work = (uint32_t)g->work.size;
}

static MlcOp *
pop(Greedy *g)
{
    while (g->work.size) {
        MlcOp *op = mlc_vec_pop(&g->work);
        if (op)
            return op;
    }
    return NULL;
}

static void
unlist(Greedy *g, const MlcOp *op)
{
    if (is_listed(g, op))
        g->work.data[op->work - 1] = NULL;
    for (size_t i = 0; g->had_inner && i < g->work.size; i++)
        if (g->work.data[i] == op)
            g->work.data[i] = NULL;
}

// With the ops around it, which may now match.
static void
push_with_ancestors(Greedy *g, MlcOp *op)
{
    if (!mlc_op_is_ancestor(g->root, op))
        return;
    for (; op != g->root; op = mlc_op_parent(op))
        push(g, op);
}

static Greedy *
greedy_of(MlcRewriter *rw)
{
    return (Greedy *)rw;
}

static void
on_changed(MlcRewriter *rw, MlcOp *op)
{
    push_with_ancestors(greedy_of(rw), op);
}

static void
on_no_match(MlcRewriter *rw, MlcOp *op, MlcStr reason)
{
    (void)op;
    mlc_buf_clear(&greedy_of(rw)->reason);
    mlc_buf_append_str(&greedy_of(rw)->reason, reason);
}

static void
on_inserted(MlcBuilder *b, MlcOp *op)
{
    push_with_ancestors(b->user, op);
}

// A definition left with one use or none is worth another look.
static void
on_erasing(MlcRewriter *rw, MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_operands; i++) {
        MlcValue *value = op->operands[i].value;
        MlcOp *def = value ? mlc_value_def(value) : NULL;
        if (def && (!value->first_use->next || !value->first_use->next->next))
            push_with_ancestors(greedy_of(rw), def);
    }
}

static void
on_erased(MlcEraseListener *listener, MlcOp *op)
{
    Greedy *g = (Greedy *)(void *)((char *)listener - offsetof(Greedy, listener));
    uint64_t at;
    unlist(g, op);
    if (g->config.erased)
        g->config.erased(op, g->config.user);
    if (g->owned_constants.size && mlc_map_get_u64(&g->owned_constants, mlc_word(op), &at)) {
        mlc_map_erase_u64(&g->constants, at);
        mlc_map_erase(&g->owned_constants, op);
    }
    if (g->current == op)
        g->current = NULL;
}

// --- constants

// The region whose entry block constants of `block` go to: of the nearest isolated, unregistered or
// outermost op.
MlcRegion *
mlc_constant_home(MlcBlock *block)
{
    MlcRegion *region = block->region;
    while (region && region->parent) {
        MlcOp *parent = region->parent;
        if (parent->is_isolated || !parent->def->dialect || !parent->block ||
            !parent->block->region)
            return region;
        region = parent->block->region;
    }
    return region;
}

static bool
is_owned(Greedy *g, MlcOp *op)
{
    return op && mlc_map_has(&g->owned_constants, op);
}

static bool
is_at_front(Greedy *g, MlcOp *op)
{
    return op->block->first == op || is_owned(g, op->prev);
}

static void
move_to_front(Greedy *g, MlcOp *op, MlcBlock *block)
{
    if (op->block == block && is_at_front(g, op))
        return;
    mlc_op_move_before(op, block->first);
    op->loc = mlc_loc_unknown(op->ctx); // now it stands for several places
}

// True if `op` is a constant that gave way to an equal one.
static bool
merge_constant(Greedy *g, MlcOp *op)
{
    MlcAttr value = op->num_operands == 0 && op->num_results == 1 ? mlc_op_constant(op) : NULL;
    if (!value)
        return false;
    MlcRegion *home = mlc_constant_home(op->block);
    if (!home || !home->first)
        return false;
    if (is_owned(g, op)) {
        move_to_front(g, op, home->first);
        return false;
    }
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    uint64_t key = mlc_hash_combine(mlc_hash_combine(mlc_hash_ptr(home), mlc_word(value)),
                                    mlc_hash_combine(mlc_word(type), mlc_word(op->def)));
    MlcOp *same = NULL;
    uint64_t found;
    if (mlc_map_get_u64(&g->constants, key, &found))
        same = (MlcOp *)(uintptr_t)found;
    if (same && same->def == op->def && mlc_op_constant(same) == value && same->dict == op->dict &&
        mlc_value_type(mlc_op_result(same, 0)) == type && mlc_op_region_of(same) == home) {
        mlc_rewriter_replace_with(&g->rw, op, same);
        same->loc = mlc_loc_unknown(same->ctx);
        g->changed = true;
        return true;
    }
    move_to_front(g, op, home->first);
    if (!same) {
        mlc_map_set_u64(&g->constants, key, mlc_word(op));
        mlc_map_set_u64(&g->owned_constants, mlc_word(op), key);
    }
    return false;
}

// --- patterns

static bool
is_for(const MlcPattern *pattern, const MlcOpDef *def)
{
    if (pattern->interface > 0)
        return mlc_op_def_interface(def, (MlcInterface)(pattern->interface - 1)) != NULL;
    if (pattern->interface < 0)
        return mlc_op_def_has_trait(def, (MlcTrait)(-1 - pattern->interface));
    return !pattern->root || strcmp(pattern->root, def->name) == 0;
}

static int
by_benefit(const void *a, const void *b)
{
    const MlcPattern *x = *(const MlcPattern *const *)a, *y = *(const MlcPattern *const *)b;
    if (x->benefit != y->benefit)
        return x->benefit > y->benefit ? -1 : 1;
    return (x > y) - (x < y); // both in the set's array: as added
}

static void
find_patterns(const MlcPatternSet *set, const MlcOpDef *def, MlcPatternRefVec *list)
{
    for (size_t i = 0; i < set->patterns.size; i++)
        if (is_for(&set->patterns.data[i], def))
            mlc_vec_push(list, &set->patterns.data[i]);
    if (list->size)
        qsort(list->data, list->size, sizeof *list->data, by_benefit);
}

static MlcPatternList *
make_list(const MlcPatternSet *set, const MlcOpDef *def)
{
    MlcPatternRefVec found = {0};
    find_patterns(set, def, &found);
    MlcPatternList *list = mlc_malloc(sizeof *list + found.size * sizeof *list->patterns);
    list->def = def;
    list->size = found.size;
    if (found.size)
        memcpy(list->patterns, found.data, found.size * sizeof *found.data);
    mlc_vec_release(&found);
    return list;
}

// In a set that threads share a list goes to a free slot, once; no lock. NULL: the slots are full.
static const MlcPatternList *
shared_list(const MlcPatternSet *set, const MlcOpDef *def)
{
    size_t start = mlc_hash_ptr(def);
    for (size_t i = 0; i < 64; i++) {
        _Atomic(MlcPatternList *) *slot = &set->lists[(start + i) % MLC_PATTERN_SLOTS];
        MlcPatternList *list = atomic_load_explicit(slot, memory_order_acquire), *free_slot = NULL;
        if (!list) {
            list = make_list(set, def);
            if (atomic_compare_exchange_strong(slot, &free_slot, list))
                return list;
            mlc_free(list);
            list = free_slot; // another thread was faster
        }
        if (list->def == def)
            return list;
    }
    return NULL;
}

typedef struct PatternView {
    const MlcPattern *const *data;
    size_t size;
} PatternView;

// Patterns that may match ops of this definition, best first; found once per definition.
static PatternView
patterns_for(Greedy *g, const MlcOpDef *def)
{
    const MlcPatternList *shared = g->set->lists ? shared_list(g->set, def) : NULL;
    if (shared)
        return (PatternView){shared->patterns, shared->size};
    bool is_new;
    MlcMapEntry *entry = mlc_map_insert(&g->patterns, mlc_word(def), &is_new);
    if (is_new) {
        MlcPatternRefVec list = {0};
        find_patterns(g->set, def, &list);
        entry->value = g->pattern_lists.size;
        mlc_vec_push(&g->pattern_lists, list);
    }
    const MlcPatternRefVec *list = &g->pattern_lists.data[entry->value];
    return (PatternView){list->data, list->size};
}

// Remembers who still rewrites when the driver is about to give up.
static void
note_rewrite(Greedy *g, const char *name)
{
    if (g->rewrites_left > LAST_REWRITES && !g->is_last_sweep)
        return;
    for (size_t i = 0; i < g->num_names; i++)
        if (strcmp(g->names[i], name) == 0)
            return;
    if (g->num_names < MAX_NAMES)
        g->names[g->num_names++] = name;
}

// The IR is valid: each rewrite was whole.
static void
report_endless(const Greedy *g)
{
    MlcBuf names = {0};
    for (size_t i = 0; i < g->num_names; i++)
        mlc_buf_printf(&names, "%s'%s'", i ? ", " : "", g->names[i]);
    mlc_op_warning(g->root, "rewriting did not come to an end; it was stopped at %s",
                   mlc_buf_c_str(&names));
    mlc_buf_release(&names);
}

static bool
apply_patterns(Greedy *g, MlcOp *op)
{
    PatternView patterns = patterns_for(g, op->def);
    MlcContext *ctx = g->root->ctx;
    for (size_t i = 0; i < patterns.size; i++) {
        mlc_builder_before(&g->rw.builder, op);
        MlcAction action = {.tag = "apply-pattern", .name = patterns.data[i]->name, .op = op};
        if (g->is_watched && !mlc_action_begin(ctx, &action))
            continue;
        g->rw.rule = action.name;
        bool rewritten = patterns.data[i]->rewrite(&g->rw, op, patterns.data[i]);
        action.op = g->current;
        action.name = g->rw.rule;
        if (!rewritten && g->reason.size > 0)
            action.reason = mlc_buf_c_str(&g->reason);
        if (g->is_watched)
            mlc_action_end(ctx, &action);
        mlc_buf_clear(&g->reason);
        if (rewritten) {
            note_rewrite(g, g->rw.rule);
            return true;
        }
        if (!g->current)
            mlc_bug("pattern '%s' erased its op and said it did not match", patterns.data[i]->name);
    }
    return false;
}

// --- sweeps

static void
visit(Greedy *g, MlcOp *op)
{
    if (mlc_op_is_trivially_dead(op)) {
        mlc_rewriter_erase(&g->rw, op);
        g->changed = true;
        return;
    }
    g->current = op;
    bool rewritten = (!g->config.no_fold && mlc_fold_op(&g->rw, op)) || apply_patterns(g, op);
    if (rewritten) {
        g->changed = true;
        g->rewrites_left--;
        if (g->current)
            push_with_ancestors(g, g->current);
    }
    g->current = NULL;
}

// Merging constants on the way puts their users on the list; they are all listed here in their own
// order, once.
static MlcOp *
next_in_preorder(const Greedy *g, MlcOp *op)
{
    return g->config.one_layer ? mlc_op_layer_preorder_next(op, g->root)
                               : mlc_op_preorder_next(op, g->root);
}

static void
collect_top_down(Greedy *g)
{
    mlc_vec_clear(&g->found);
    for (MlcOp *op = next_in_preorder(g, g->root), *next; op; op = next) {
        next = next_in_preorder(g, op);
        if (!merge_constant(g, op))
            mlc_vec_push(&g->found, op);
    }
    mlc_vec_clear(&g->work);
    for (size_t i = g->found.size; i-- > 0;) {
        mlc_vec_push(&g->work, g->found.data[i]);
        g->found.data[i]->work = (uint32_t)g->work.size;
    }
}

static void
collect_bottom_up(Greedy *g)
{
    bool layer = g->config.one_layer;
    MlcOp *op = layer ? mlc_op_layer_first(g->root, g->root) : mlc_op_postorder_first(g->root);
    for (MlcOp *next; op && op != g->root; op = next) {
        next = layer ? mlc_op_layer_next(op, g->root) : mlc_op_postorder_next(op, g->root);
        if (!merge_constant(g, op))
            push(g, op);
    }
}

// False if it had to be stopped.
static bool
sweep(Greedy *g)
{
    mlc_vec_clear(&g->work);
    mlc_map_clear(&g->constants);
    mlc_map_clear(&g->owned_constants);
    g->changed = false;
    if (g->config.bottom_up)
        collect_bottom_up(g);
    else
        collect_top_down(g);
    uint64_t limit = MIN_REWRITES + REWRITES_PER_OP * (uint64_t)g->work.size;
    bool is_limited = g->config.max_rewrites && g->config.max_rewrites < limit;
    g->rewrites_left = is_limited ? g->config.max_rewrites : limit;
    for (MlcOp *op; g->rewrites_left && !mlc_quota_is_over() && (op = pop(g));)
        visit(g, op);
    if (!g->config.no_region_simplify && !mlc_quota_is_over())
        g->changed |= mlc_simplify_regions(g->root, g->config.merge_blocks, g->config.one_layer);
    return is_limited || g->rewrites_left > 0;
}

static void
release(Greedy *g)
{
    mlc_vec_release(&g->found);
    mlc_vec_release(&g->work);
    mlc_map_release(&g->patterns);
    mlc_map_release(&g->constants);
    mlc_map_release(&g->owned_constants);
    for (size_t i = 0; i < g->pattern_lists.size; i++)
        mlc_vec_release(&g->pattern_lists.data[i]);
    mlc_vec_release(&g->pattern_lists);
    mlc_buf_release(&g->reason);
}

bool
mlc_apply_patterns_greedily(MlcOp *root, const MlcPatternSet *set, const MlcGreedyConfig *config)
{
    Greedy g = {.set = set, .root = root, .is_watched = mlc_context_has_action_handler(root->ctx)};
    if (config)
        mlc_sized_copy(&g.config, sizeof g.config, config, "MlcGreedyConfig");
    unsigned max_iterations =
        g.config.max_iterations ? g.config.max_iterations : DEFAULT_ITERATIONS;
    mlc_builder_init(&g.rw.builder, root->ctx);
    g.rw.builder.inserted = on_inserted;
    g.rw.builder.user = &g;
    g.rw.changed = on_changed;
    g.rw.erasing = on_erasing;
    g.rw.no_match = g.is_watched ? on_no_match : NULL;
    g.listener.erased = on_erased;
    mlc_erase_listener_push(&g.listener);
    g.outer = innermost;
    for (Greedy *outer = g.outer; outer; outer = outer->outer)
        outer->had_inner = true;
    innermost = &g;
    bool ended = true;
    g.changed = true;
    for (unsigned i = 0; i < max_iterations && g.changed && ended && !mlc_quota_is_over(); i++) {
        MlcAction action = {.tag = "greedy-iteration", .name = "", .op = root, .iteration = i + 1};
        if (!mlc_action_begin(root->ctx, &action))
            break;
        g.is_last_sweep = i + 1 == max_iterations;
        ended = sweep(&g);
        mlc_action_end(root->ctx, &action);
    }
    // Who asks for fewer sweeps than usual knows that they may not be enough.
    if (g.num_names && (!ended || (g.changed && max_iterations >= DEFAULT_ITERATIONS)))
        report_endless(&g);
    innermost = g.outer;
    mlc_erase_listener_pop(&g.listener);
    release(&g);
    return ended && !g.changed;
}
