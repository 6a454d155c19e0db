// pass_manager.c -- runs a tree of passes: nested by op, in parallel over ops that are isolated
// from each other.
//
// Around every pass: time, IR printing, verification. Whether a pass changed something is read from
// the edit counters of the IR. A failing pass stops its own op's pipeline; ops beside it still
// finish, so that all their faults are reported.
#include "manager.h"

#include "mlc/ir/action.h"
#include "mlc/ir/work.h"
#include "mlc/support/pool.h"
#include "mlc/machine.h"

#include <unistd.h>

static bool
prints_text(const MlcPassManagerConfig *c)
{
    bool prints = c->print_after_all || c->print_before_all || c->print_after_change ||
                  c->print_after_failure || (c->print_after && *c->print_after) ||
                  (c->print_before && *c->print_before);
    return prints && !c->print_tree_dir;
}

MlcPassManager *
mlc_pass_manager_create(MlcContext *ctx, const MlcPassManagerConfig *config)
{
    MlcPassManager *pm = mlc_calloc(1, sizeof *pm);
    pm->ctx = ctx;
    pm->config = mlc_pass_manager_config_default();
    if (config)
        mlc_sized_copy(&pm->config, sizeof pm->config, config, "MlcPassManagerConfig");
    mlc_arena_init(&pm->arena);
    pm->root.anchor = mlc_str(pm->config.anchor ? pm->config.anchor : "builtin.module");
    // One pass at a time is the last, sees the whole module, or prints in the order of the ops.
    if (pm->config.local_reproducer || pm->config.print_module_scope || prints_text(&pm->config))
        pm->config.threads = 1;
    pthread_mutex_init(&pm->lock, NULL);
    if (!pm->config.target)
        pm->config.target = mlc_target_desc_host();
    if (!pm->config.host)
        pm->config.host = mlc_target_desc_host();
    return pm;
}

void
mlc_pass_manager_destroy(MlcPassManager *pm)
{
    if (!pm)
        return;
    for (size_t i = 0; i < pm->inner.size; i++)
        mlc_pass_manager_destroy(pm->inner.data[i]);
    mlc_vec_release(&pm->inner);
    mlc_pass_item_release(&pm->root);
    mlc_pool_destroy(pm->pool);
    mlc_vec_release(&pm->hooks);
    mlc_vec_release(&pm->before);
    mlc_vec_release(&pm->after);
    mlc_map_release(&pm->print_counts);
    mlc_buf_release(&pm->failed);
    pthread_mutex_destroy(&pm->lock);
    mlc_arena_release(&pm->arena);
    mlc_free(pm);
}

void
mlc_pass_manager_add_instrumentation(MlcPassManager *pm, const MlcInstrumentation *hooks)
{
    MlcInstrumentation own;
    mlc_sized_copy(&own, sizeof own, hooks, "MlcInstrumentation");
    mlc_vec_push(&pm->hooks, own);
}

MlcContext *
mlc_pass_context(const MlcPass *pass)
{
    return pass->manager->ctx;
}

MlcArena *
mlc_pass_scratch(MlcPass *pass)
{
    return &pass->scratch;
}

const MlcTargetDesc *
mlc_pass_target(const MlcPass *pass)
{
    return pass->manager->config.target;
}

const MlcTargetDesc *
mlc_pass_host(const MlcPass *pass)
{
    const MlcPassManagerConfig *config = &pass->manager->config;
    return config->target->gpu_block_threads > 0 ? config->host : config->target;
}

void
mlc_pass_manager_cancel(MlcPassManager *pm)
{
    atomic_store(&pm->cancelled, true);
}

// Most of the time is for lowering and code generation, which what could be left out makes longer.
bool
mlc_pass_is_late(MlcPass *pass)
{
    MlcBudget *budget = pass->manager->config.budget;
    if (!budget || mlc_budget_left(budget) > budget->nanoseconds / 4 * 3)
        return false;
    mlc_budget_leave_out(budget);
    return true;
}

void
mlc_pass_manager_limit(MlcPassManager *pm, const MlcQuotaLimits *limits)
{
    pm->limits = *limits;
}

bool
mlc_pass_is_cancelled(const MlcPass *pass)
{
    return atomic_load(&pass->manager->cancelled) || mlc_quota_is_over();
}

void
mlc_pass_count(MlcPass *pass, const char *statistic, int64_t amount)
{
    PassItem *item = pass->item;
    pthread_mutex_lock(&pass->manager->lock);
    size_t i = 0;
    while (i < item->statistics.size && strcmp(item->statistics.data[i].name, statistic) != 0)
        i++;
    if (i == item->statistics.size)
        mlc_vec_push(&item->statistics, ((PassStatistic){statistic, 0}));
    item->statistics.data[i].value += amount;
    pthread_mutex_unlock(&pass->manager->lock);
}

// The edits of an op and of every isolated op inside it, mixed so that edits and erasures cannot
// cancel out.
static uint64_t
fingerprint(MlcOp *root)
{
    uint64_t sum = 0;
    MLC_FOR_EACH_PREORDER (op, root)
        if (op == root || mlc_op_has_trait(op, MLC_TRAIT_ISOLATED))
            sum = (sum ^ mlc_op_edits(op)) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    return sum;
}

static bool
wants_change(const MlcPassManager *pm)
{
    return pm->config.print_after_change || pm->hooks.size > 0;
}

static void
before_pass(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op)
{
    for (size_t i = 0; i < pm->hooks.size; i++)
        if (pm->hooks.data[i].before)
            pm->hooks.data[i].before(def, op, pm->hooks.data[i].user);
    mlc_pass_print_before(pm, def, op);
}

static void
after_pass(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, bool ok, bool changed)
{
    for (size_t i = pm->hooks.size; i-- > 0;)
        if (pm->hooks.data[i].after)
            pm->hooks.data[i].after(def, op, ok, changed, pm->hooks.data[i].user);
    mlc_pass_print_after(pm, def, op, ok, changed);
}

// Of passes on ops beside each other, the first that finds them exceeded tells.
static bool
keeps_limits(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op)
{
    MlcQuotaKind kind = pm->quota ? mlc_quota_exceeded(pm->quota) : MLC_QUOTA_NONE;
    if (kind == MLC_QUOTA_NONE)
        return true;
    if (atomic_exchange(&pm->told_of_quota, true))
        return false;
    MlcBuf text = {0};
    mlc_quota_describe(&pm->limits, kind, &text);
    mlc_error(pm->ctx, mlc_op_loc(op), "pass '%s' %s", def->flag, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

// The pass, then the verifier.
static bool
execute(MlcPassManager *pm, PassItem *item, MlcOp *op, AnalysisCache *cache)
{
    MlcPass pass = {.item = item, .manager = pm, .cache = cache};
    MlcWork work;
    mlc_work_begin(&work, pm->ctx, mlc_op_loc(op), "pass", item->def->flag);
    mlc_arena_init(&pass.scratch);
    MlcEditScope scope;
    mlc_edit_scope_begin(&scope, op);
    bool ok = item->def->run(&pass, op);
    mlc_edit_scope_end(&scope);
    mlc_arena_release(&pass.scratch);
    mlc_work_end(&work);
    mlc_analysis_cache_settle(cache, item->def, op);
    if (!keeps_limits(pm, item->def, op))
        return false;
    if (ok && pm->config.verify_each && !mlc_verify(op)) {
        mlc_note(pm->ctx, mlc_op_loc(op), "this was found after pass '%s'", item->def->flag);
        return false;
    }
    return ok;
}

static void
note_failure(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op)
{
    MlcAttr name = mlc_op_attr(op, "sym_name");
    pthread_mutex_lock(&pm->lock);
    mlc_buf_append_c(&pm->failed, pm->failed.size > 0 ? ", `" : "`");
    mlc_pass_title(def, &pm->failed);
    mlc_buf_printf(&pm->failed, "` on '%.*s' operation", MLC_STR_FMT(mlc_op_name(op)));
    if (name && mlc_attr_is(name, MLC_ATTR_STRING))
        mlc_buf_printf(&pm->failed, ": @%.*s", MLC_STR_FMT(mlc_string_attr_value(name)));
    pthread_mutex_unlock(&pm->lock);
}

static bool
run_pass(MlcPassManager *pm, PassItem *item, MlcOp *op, AnalysisCache *cache)
{
    const MlcPassDef *def = item->def;
    if (atomic_load(&pm->cancelled))
        return mlc_error(pm->ctx, mlc_op_loc(op), "cancelled before pass '%s'", def->flag);
    if (!keeps_limits(pm, def, op))
        return false;
    MlcAction action = {.tag = "pass-execution", .name = def->flag, .op = op};
    if (!mlc_action_begin(pm->ctx, &action))
        return true;
    mlc_reproducer_before_pass(pm, item, op);
    before_pass(pm, def, op);
    uint64_t before = wants_change(pm) ? fingerprint(op) : 0;
    PassClock start = mlc_pass_clock();
    bool ok = execute(pm, item, op, cache);
    PassClock end = mlc_pass_clock();
    atomic_fetch_add(&item->wall, end.wall - start.wall);
    atomic_fetch_add(&item->cpu, end.cpu - start.cpu);
    after_pass(pm, def, op, ok, wants_change(pm) && fingerprint(op) != before);
    mlc_action_end(pm->ctx, &action);
    if (!ok)
        note_failure(pm, def, op);
    return ok;
}

typedef struct NestedRun {
    MlcPassManager *pm;
    PassItem *item;
    MlcOpVec ops;
    MlcDiagList *diags; // one per op
    atomic_bool failed;
} NestedRun;

static bool run_items(MlcPassManager *pm, PassItem *item, MlcOp *op);

static void
run_nested_op(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    NestedRun *run = ctx;
    mlc_diag_capture_begin(run->pm->ctx, &run->diags[i]);
    if (!run_items(run->pm, run->item, run->ops.data[i]))
        atomic_store(&run->failed, true);
    mlc_diag_capture_end(run->pm->ctx, &run->diags[i]);
}

static bool
matches(const PassItem *item, MlcOp *op)
{
    if (mlc_str_equal(item->anchor, mlc_str("any")))
        return mlc_op_has_trait(op, MLC_TRAIT_ISOLATED);
    return mlc_str_equal(item->anchor, mlc_op_name(op));
}

MlcPool *
mlc_pass_manager_pool(MlcPassManager *pm)
{
    if (pm->config.threads == mlc_context_threads(pm->ctx))
        return mlc_context_pool(pm->ctx);
    if (!pm->pool && pm->config.threads != 1) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        unsigned threads = pm->config.threads ? pm->config.threads
                           : cores > 0        ? (unsigned)cores
                                              : 1;
        pm->pool = threads > 1 ? mlc_pool_create(threads) : NULL;
    }
    return pm->pool;
}

static bool
run_nested(MlcPassManager *pm, PassItem *item, MlcOp *parent)
{
    NestedRun run = {.pm = pm, .item = item};
    PassClock start = mlc_pass_clock();
    MLC_FOR_EACH_BLOCK_IN_OP (block, parent)
        MLC_FOR_EACH_OP (op, block)
            if (matches(item, op))
                mlc_vec_push(&run.ops, op);
    run.diags = mlc_calloc(run.ops.size, sizeof *run.diags);
    MlcPool *pool = run.ops.size > 1 ? mlc_pass_manager_pool(pm) : NULL;
    if (pool)
        mlc_parallel_for(pool, run.ops.size, run_nested_op, &run);
    else
        for (size_t i = 0; i < run.ops.size; i++)
            run_nested_op(&run, i, 0);
    for (size_t i = 0; i < run.ops.size; i++)
        mlc_diag_replay(pm->ctx, &run.diags[i]);
    mlc_free(run.diags);
    mlc_vec_release(&run.ops);
    atomic_fetch_add(&item->wall, mlc_pass_clock().wall - start.wall);
    return !atomic_load(&run.failed);
}

static size_t
count_passes(const PassItem *item)
{
    size_t n = item->def != NULL;
    for (size_t i = 0; i < item->items.size; i++)
        n += count_passes(item->items.data[i]);
    return n;
}

// A pipeline that runs on many ops at once is through with its passes when it is through itself.
static void
report_progress(MlcPassManager *pm, const PassItem *item)
{
    for (size_t i = 0; i < item->items.size; i++)
        report_progress(pm, item->items.data[i]);
    if (item->def)
        pm->config.progress(++pm->num_done, count_passes(&pm->root), item->def,
                            pm->config.progress_user);
}

static bool
run_items(MlcPassManager *pm, PassItem *item, MlcOp *op)
{
    AnalysisCache cache = {0};
    bool ok = true;
    for (size_t i = 0; i < pm->hooks.size; i++)
        if (pm->hooks.data[i].before_pipeline)
            pm->hooks.data[i].before_pipeline(item->anchor, op, pm->hooks.data[i].user);
    for (size_t i = 0; i < item->items.size && ok; i++) {
        PassItem *child = item->items.data[i];
        ok = child->def ? run_pass(pm, child, op, &cache) : run_nested(pm, child, op);
        if (ok && item == &pm->root && pm->config.progress)
            report_progress(pm, child);
    }
    for (size_t i = pm->hooks.size; i-- > 0;)
        if (pm->hooks.data[i].after_pipeline)
            pm->hooks.data[i].after_pipeline(item->anchor, op, ok, pm->hooks.data[i].user);
    mlc_analysis_cache_release(&cache);
    return ok;
}

bool
mlc_pass_manager_run(MlcPassManager *pm, MlcOp *root)
{
    if (!matches(&pm->root, root))
        return mlc_op_error(root, "the pipeline runs on '%.*s'", MLC_STR_FMT(pm->root.anchor));
    pm->has_run = true;
    pm->num_done = 0;
    mlc_buf_clear(&pm->failed);
    PassClock start = mlc_pass_clock();
    bool is_limited = pm->limits.memory || pm->limits.ops || pm->limits.nanoseconds;
    pm->quota = is_limited ? mlc_quota_begin(&pm->limits, NULL, NULL) : NULL;
    atomic_store(&pm->told_of_quota, false);
    mlc_reproducer_begin(pm, root);
    bool ok = run_items(pm, &pm->root, root);
    mlc_reproducer_end(pm, root, ok);
    mlc_quota_end(pm->quota);
    pm->wall += mlc_pass_clock().wall - start.wall;
    mlc_diag_flush(pm->ctx);
    return ok;
}

bool
mlc_run_pipeline(MlcOp *root, MlcStr pipeline)
{
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.anchor = mlc_op_name(root).data;
    MlcPassManager *pm = mlc_pass_manager_create(mlc_op_context(root), &config);
    bool ok = mlc_pass_manager_parse(pm, pipeline) && mlc_pass_manager_run(pm, root);
    mlc_pass_manager_destroy(pm);
    return ok;
}

static MlcPassManager *
create_inner(MlcPass *pass, const MlcPassManagerConfig *outer, MlcOp *op)
{
    MlcPassManagerConfig config = *outer;
    config.reproducer = NULL; // the outer run's is the one
    config.progress = NULL;
    MlcPassManager *pm = mlc_pass_manager_create(pass->manager->ctx, &config);
    pm->root.anchor = mlc_op_name(op);
    return pm;
}

bool
mlc_pass_run_pipeline_for(MlcPass *pass, MlcStr pipeline, MlcOp *root, const MlcTargetDesc *target)
{
    MlcPassManagerConfig config = pass->manager->config;
    config.target = target;
    MlcPassManager *pm = create_inner(pass, &config, root);
    mlc_vec_push(&pass->manager->inner, pm);
    pass->item->inner = &pm->root;
    return mlc_pass_manager_parse(pm, pipeline) && mlc_pass_manager_run(pm, root);
}

bool
mlc_pass_run_pipeline(MlcPass *pass, MlcStr pipeline, MlcOp *op)
{
    MlcPassManagerConfig config = pass->manager->config;
    config.threads = 1;
    MlcPassManager *pm = create_inner(pass, &config, op);
    bool ok = mlc_pass_manager_parse(pm, pipeline) && mlc_pass_manager_run(pm, op);
    mlc_pass_manager_destroy(pm);
    return ok;
}
