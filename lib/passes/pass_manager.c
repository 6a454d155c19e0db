// pass_manager.c -- runs a tree of passes: nested by op, in parallel over ops that are isolated
// from each other.
//
// Around every pass: time, IR printing, verification. Whether a pass changed something is read from
// the edit counters of the IR. A failing pass stops its own op's pipeline; ops beside it still
// finish, so that all their faults are reported.
#include "manager.h"

#include "mlc/support/pool.h"
#include "mlc/target_desc.h"

#include <time.h>
#include <unistd.h>

MlcPassManagerConfig
mlc_pass_manager_config_default(void)
{
    return (MlcPassManagerConfig){.verify_each = true};
}

MlcPassManager *
mlc_pass_manager_create(MlcContext *ctx, const MlcPassManagerConfig *config)
{
    MlcPassManager *pm = mlc_calloc(1, sizeof *pm);
    pm->ctx = ctx;
    pm->config = config ? *config : mlc_pass_manager_config_default();
    mlc_arena_init(&pm->arena);
    pm->root.anchor = mlc_str("builtin.module");
    pthread_mutex_init(&pm->lock, NULL);
    if (!pm->config.target)
        pm->config.target = mlc_target_desc_host();
    return pm;
}

void
mlc_pass_manager_destroy(MlcPassManager *pm)
{
    if (!pm)
        return;
    mlc_pass_item_release(&pm->root);
    mlc_pool_destroy(pm->pool);
    mlc_vec_release(&pm->hooks);
    pthread_mutex_destroy(&pm->lock);
    mlc_arena_release(&pm->arena);
    mlc_free(pm);
}

void
mlc_pass_manager_add_instrumentation(MlcPassManager *pm, MlcInstrumentation hooks)
{
    mlc_vec_push(&pm->hooks, hooks);
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

MlcDominance *
mlc_pass_dominance(MlcPass *pass, MlcOp *root)
{
    if (pass->dominance && pass->dominance_root != root) {
        mlc_dominance_destroy(pass->dominance);
        pass->dominance = NULL;
    }
    if (!pass->dominance)
        pass->dominance = mlc_dominance_create(root);
    pass->dominance_root = root;
    return pass->dominance;
}

void
mlc_pass_count(MlcPass *pass, const char *statistic, int64_t amount)
{
    PassItem *item = (PassItem *)pass->item;
    pthread_mutex_lock(&pass->manager->lock);
    size_t i = 0;
    while (i < item->statistics.size && strcmp(item->statistics.data[i].name, statistic) != 0)
        i++;
    if (i == item->statistics.size)
        mlc_vec_push(&item->statistics, ((PassStatistic){statistic, 0}));
    item->statistics.data[i].value += amount;
    pthread_mutex_unlock(&pass->manager->lock);
}

static int64_t
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool
is_listed(const char *const *flags, const char *flag)
{
    for (; flags && *flags; flags++)
        if (strcmp(*flags, flag) == 0)
            return true;
    return false;
}

static void
print_ir(const MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, const char *when)
{
    MlcBuf buf = {0};
    mlc_buf_printf(&buf, "// -----// IR Dump %s %s (%s) //----- //\n", when, def->flag, def->flag);
    if (pm->config.print_module_scope)
        while (mlc_op_parent(op))
            op = mlc_op_parent(op);
    mlc_op_print(op, NULL, &buf);
    mlc_buf_append_str(&buf, mlc_str("\n\n"));
    fwrite(buf.data, 1, buf.size, stderr);
    mlc_buf_release(&buf);
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
    if (pm->config.print_before_all || is_listed(pm->config.print_before, def->flag))
        print_ir(pm, def, op, "Before");
}

static void
after_pass(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, bool ok, bool changed)
{
    for (size_t i = pm->hooks.size; i-- > 0;)
        if (pm->hooks.data[i].after)
            pm->hooks.data[i].after(def, op, ok, changed, pm->hooks.data[i].user);
    bool listed = pm->config.print_after_all || is_listed(pm->config.print_after, def->flag);
    if (ok && pm->config.print_after_change)
        listed = (listed || !pm->config.print_after) && changed;
    if (!ok && (listed || pm->config.print_after_failure))
        print_ir(pm, def, op, "After Failure of");
    else if (ok && listed)
        print_ir(pm, def, op, "After");
}

static bool
run_pass(MlcPassManager *pm, PassItem *item, MlcOp *op)
{
    const MlcPassDef *def = item->def;
    before_pass(pm, def, op);
    MlcPass pass = {.item = item, .manager = pm};
    mlc_arena_init(&pass.scratch);
    uint64_t before = wants_change(pm) ? fingerprint(op) : 0;
    int64_t start = now();
    bool ok = def->run(&pass, op);
    atomic_fetch_add(&item->nanoseconds, now() - start);
    if (pass.dominance)
        mlc_dominance_destroy(pass.dominance);
    mlc_arena_release(&pass.scratch);
    if (ok && pm->config.verify_each && !mlc_verify(op)) {
        mlc_note(pm->ctx, mlc_op_loc(op), "this was found after pass '%s'", def->flag);
        ok = false;
    }
    after_pass(pm, def, op, ok, wants_change(pm) && fingerprint(op) != before);
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

static MlcPool *
pool_of(MlcPassManager *pm)
{
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
    MLC_FOR_EACH_BLOCK_IN_OP (block, parent)
        MLC_FOR_EACH_OP (op, block)
            if (matches(item, op))
                mlc_vec_push(&run.ops, op);
    run.diags = mlc_calloc(run.ops.size, sizeof *run.diags);
    MlcPool *pool = run.ops.size > 1 ? pool_of(pm) : NULL;
    if (pool)
        mlc_parallel_for(pool, run.ops.size, run_nested_op, &run);
    else
        for (size_t i = 0; i < run.ops.size; i++)
            run_nested_op(&run, i, 0);
    for (size_t i = 0; i < run.ops.size; i++)
        mlc_diag_replay(pm->ctx, &run.diags[i]);
    mlc_free(run.diags);
    mlc_vec_release(&run.ops);
    return !atomic_load(&run.failed);
}

static bool
run_items(MlcPassManager *pm, PassItem *item, MlcOp *op)
{
    for (size_t i = 0; i < item->items.size; i++) {
        PassItem *child = item->items.data[i];
        if (!(child->def ? run_pass(pm, child, op) : run_nested(pm, child, op)))
            return false;
    }
    return true;
}

bool
mlc_pass_manager_run(MlcPassManager *pm, MlcOp *root)
{
    if (!matches(&pm->root, root))
        return mlc_op_error(root, "the pipeline runs on '%.*s'", MLC_STR_FMT(pm->root.anchor));
    int64_t start = now();
    bool ok = run_items(pm, &pm->root, root);
    pm->total_nanoseconds += now() - start;
    mlc_diag_flush(pm->ctx);
    return ok;
}

bool
mlc_pass_run_pipeline(MlcPass *pass, MlcStr pipeline, MlcOp *op)
{
    MlcPassManagerConfig config = pass->manager->config;
    config.threads = 1;
    MlcPassManager *pm = mlc_pass_manager_create(pass->manager->ctx, &config);
    pm->root.anchor = mlc_op_name(op);
    bool ok = mlc_pass_manager_parse(pm, pipeline) && mlc_pass_manager_run(pm, op);
    mlc_pass_manager_destroy(pm);
    return ok;
}
