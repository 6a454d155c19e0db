// manager.h -- what the files of the pass manager share.
#ifndef MLC_PASSES_MANAGER_H
#define MLC_PASSES_MANAGER_H

#include "mlc/pass.h"
#include "mlc/support/map.h"

#include <pthread.h>
#include <stdatomic.h>

// An option's value. `text` is as given; lists have their elements beside it.
typedef struct PassValue {
    MlcStr text;
    int64_t integer; // bools too
    const int64_t *ints;
    size_t num_ints;
    const MlcStr *strings;
    size_t num_strings;
} PassValue;

typedef struct PassStatistic {
    const char *name;
    int64_t value;
} PassStatistic;

// Nanoseconds, summed over all ops and threads.
typedef struct PassTime {
    const char *name; // of an analysis or of a row that the caller added
    int64_t wall, cpu;
} PassTime;

// One item of a pipeline: a pass, or a list of items that runs on every op of one kind directly
// inside.
typedef struct PassItem PassItem;
struct PassItem {
    const MlcPassDef *def;   // NULL: a nested pipeline
    const PassValue *values; // of def->options, in order
    MlcStr anchor;           // of a nested pipeline: "func.func", or "any"
    MLC_VEC(PassItem *) items;
    const PassItem *inner; // of a pass that ran a pipeline (mlc_pass_run_pipeline_for): its items
    atomic_int_fast64_t wall,
        cpu;                    // nanoseconds; of a nested pipeline, of the threads together: wall
    MLC_VEC(PassTime) analyses; // guarded by the manager's lock, as the next
    MLC_VEC(PassStatistic) statistics;
};

// A pipeline whose text is being read, on the stack of who reads it.
typedef struct OpenPipeline {
    const MlcPipelineDef *def;
    const struct OpenPipeline *outer;
} OpenPipeline;

struct MlcPassManager {
    MlcContext *ctx;
    MlcPassManagerConfig config;
    MlcArena arena; // items, values, texts
    PassItem root;  // anchored on what the pipeline names, or on any op
    const OpenPipeline *open_pipelines;
    struct MlcPool *pool; // made when the first pipeline runs on several ops, if the context's own
                          // has another number of threads
    MLC_VEC(MlcInstrumentation) hooks;
    pthread_mutex_t lock;
    int64_t wall;                    // of all runs
    MLC_VEC(PassTime) before, after; // rows the caller added before and after the first run
    bool has_run;
    atomic_bool cancelled;
    MlcQuotaLimits limits;
    MlcQuota *quota;           // of the run; NULL: none
    atomic_bool told_of_quota; // that it was exceeded
    size_t num_done;           // passes of the pipeline, for progress
    MlcMap print_counts;       // op -> prints so far plus one, for names of files
    MLC_VEC(MlcPassManager *) inner; // of such pipelines, for reports
    struct Reproducer *reproducer;
    MlcBuf failed; // "`CSE` on 'func.func' operation: @f", guarded by the lock
};

// Analyses of one op (and, while a pass runs, of ops inside it) between the passes of a pipeline.
typedef struct CachedAnalysis {
    const MlcAnalysisDef *def;
    MlcOp *root;
    void *data;
    uint64_t edits; // of the root when it was made
} CachedAnalysis;
typedef struct AnalysisCache {
    MLC_VEC(CachedAnalysis) entries;
} AnalysisCache;

// One run of a pass on one op.
struct MlcPass {
    PassItem *item;
    MlcPassManager *manager;
    MlcArena scratch;
    AnalysisCache *cache;
};

// The manager's threads, made when first asked for; NULL: the caller alone.
struct MlcPool *mlc_pass_manager_pool(MlcPassManager *pm);

// analysis_cache.c: after `def` ran on `op`, only what still holds stays.
void mlc_analysis_cache_settle(AnalysisCache *cache, const MlcPassDef *def, MlcOp *op);
void mlc_analysis_cache_release(AnalysisCache *cache);

// ir_printing.c: around a pass.
void mlc_pass_print_before(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op);
void mlc_pass_print_after(MlcPassManager *pm, const MlcPassDef *def, MlcOp *op, bool ok,
                          bool changed);

// reproducer.c: around a run, and around a pass if reproducers are local.
void mlc_reproducer_begin(MlcPassManager *pm, MlcOp *root);
void mlc_reproducer_before_pass(MlcPassManager *pm, const PassItem *item, MlcOp *op);
void mlc_reproducer_end(MlcPassManager *pm, MlcOp *root, bool ok);

// report.c
void mlc_pass_title(const MlcPassDef *def, MlcBuf *out);
typedef struct PassClock {
    int64_t wall, cpu; // of the thread
} PassClock;
PassClock mlc_pass_clock(void);

// pipeline.c
PassItem *mlc_pass_item_create(MlcPassManager *pm, const MlcPassDef *def, MlcStr anchor);
// Fills item->values from "a=1 b=2,3". False after a diagnostic at `loc`.
// The value of an option so that it is read as the same, in braces or quotes where it must be.
void mlc_pass_value_print(MlcStr value, MlcBuf *out);
bool mlc_pass_item_parse_options(MlcPassManager *pm, PassItem *item, MlcStr text, MlcLoc loc);
// Adds a pass to `parent`, nested on its anchor where `parent` runs on something else. Named
// pipelines are expanded.
bool mlc_pass_item_add(MlcPassManager *pm, PassItem *parent, MlcStr flag, MlcStr options,
                       MlcLoc loc);
void mlc_pass_item_release(PassItem *item);
// The item's text with every option, as a reproducer needs it.
void mlc_pass_item_print(const PassItem *item, MlcBuf *out);

#endif
