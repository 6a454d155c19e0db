// analysis_cache.c -- keeps analyses from pass to pass.
//
// The IR counts its edits, so nobody has to be believed about what a pass changed: an analysis
// holds while its root was not edited, or if the pass that edited it says that it preserves this
// one.
#include "manager.h"

static void *
make_dominance(MlcOp *root)
{
    return mlc_dominance_create(root);
}

static void
destroy_dominance(void *analysis)
{
    mlc_dominance_destroy(analysis);
}

const MlcAnalysisDef mlc_analysis_dominance = {
    .name = "DominanceInfo", .create = make_dominance, .destroy = destroy_dominance};

static void
add_time(MlcPassManager *pm, PassItem *item, const char *name, PassClock start)
{
    PassClock end = mlc_pass_clock();
    pthread_mutex_lock(&pm->lock);
    size_t i = 0;
    while (i < item->analyses.size && strcmp(item->analyses.data[i].name, name) != 0)
        i++;
    if (i == item->analyses.size)
        mlc_vec_push(&item->analyses, ((PassTime){.name = name}));
    item->analyses.data[i].wall += end.wall - start.wall;
    item->analyses.data[i].cpu += end.cpu - start.cpu;
    pthread_mutex_unlock(&pm->lock);
}

static void *
make(MlcPass *pass, const MlcAnalysisDef *def, MlcOp *root)
{
    MlcPassManager *pm = pass->manager;
    for (size_t i = 0; i < pm->hooks.size; i++)
        if (pm->hooks.data[i].before_analysis)
            pm->hooks.data[i].before_analysis(def, root, pm->hooks.data[i].user);
    PassClock start = mlc_pass_clock();
    void *data = def->create(root);
    add_time(pm, pass->item, def->name, start);
    for (size_t i = pm->hooks.size; i-- > 0;)
        if (pm->hooks.data[i].after_analysis)
            pm->hooks.data[i].after_analysis(def, root, pm->hooks.data[i].user);
    return data;
}

void *
mlc_pass_analysis(MlcPass *pass, const MlcAnalysisDef *def, MlcOp *root)
{
    AnalysisCache *cache = pass->cache;
    for (size_t i = 0; i < cache->entries.size; i++)
        if (cache->entries.data[i].def == def && cache->entries.data[i].root == root)
            return cache->entries.data[i].data;
    CachedAnalysis entry = {def, root, make(pass, def, root), mlc_op_edits(root)};
    mlc_vec_push(&cache->entries, entry);
    return entry.data;
}

MlcDominance *
mlc_pass_dominance(MlcPass *pass, MlcOp *root)
{
    return mlc_pass_analysis(pass, &mlc_analysis_dominance, root);
}

static bool
is_preserved(const MlcPassDef *pass, const MlcAnalysisDef *def)
{
    for (const MlcAnalysisDef *const *p = pass->preserves; p && *p; p++)
        if (*p == def)
            return true;
    return false;
}

void
mlc_analysis_cache_settle(AnalysisCache *cache, const MlcPassDef *def, MlcOp *op)
{
    size_t kept = 0;
    for (size_t i = 0; i < cache->entries.size; i++) {
        CachedAnalysis entry = cache->entries.data[i];
        // Another root may be gone by now.
        bool holds =
            entry.root == op && (entry.edits == mlc_op_edits(op) || is_preserved(def, entry.def));
        if (holds) {
            entry.edits = mlc_op_edits(op);
            cache->entries.data[kept++] = entry;
        } else {
            entry.def->destroy(entry.data);
        }
    }
    cache->entries.size = kept;
}

void
mlc_analysis_cache_release(AnalysisCache *cache)
{
    for (size_t i = 0; i < cache->entries.size; i++)
        cache->entries.data[i].def->destroy(cache->entries.data[i].data);
    mlc_vec_release(&cache->entries);
}
