// manager.h -- what the files of the pass manager share.
#ifndef MLC_PASSES_MANAGER_H
#define MLC_PASSES_MANAGER_H

#include "mlc/pass.h"

#include <pthread.h>
#include <stdatomic.h>

// An option's value. Lists keep their elements in `ints`, or as comma-separated text in `text`.
typedef struct PassValue {
    MlcStr text;
    int64_t integer; // bools too
    const int64_t *ints;
    size_t num_ints;
} PassValue;

typedef struct PassStatistic {
    const char *name;
    int64_t value;
} PassStatistic;

// One item of a pipeline: a pass, or a list of items that runs on every op of one kind directly
// inside.
typedef struct PassItem PassItem;
struct PassItem {
    const MlcPassDef *def;   // NULL: a nested pipeline
    const PassValue *values; // of def->options, in order
    MlcStr anchor;           // of a nested pipeline: "func.func", or "any"
    MLC_VEC(PassItem *) items;
    atomic_int_fast64_t nanoseconds;   // of all runs
    MLC_VEC(PassStatistic) statistics; // guarded by the manager's lock
};

struct MlcPassManager {
    MlcContext *ctx;
    MlcPassManagerConfig config;
    MlcArena arena;       // items, values, texts
    PassItem root;        // anchored on what the pipeline names, or on any op
    struct MlcPool *pool; // made when the first pipeline runs on several ops
    MLC_VEC(MlcInstrumentation) hooks;
    pthread_mutex_t lock;
    int64_t total_nanoseconds;
};

// One run of a pass on one op.
struct MlcPass {
    const PassItem *item;
    MlcPassManager *manager;
    MlcArena scratch;
    MlcDominance *dominance;
    MlcOp *dominance_root;
};

PassItem *mlc_pass_item_create(MlcPassManager *pm, const MlcPassDef *def, MlcStr anchor);
// Fills item->values from "a=1 b=2,3". False after a diagnostic at `loc`.
bool mlc_pass_item_parse_options(MlcPassManager *pm, PassItem *item, MlcStr text, MlcLoc loc);
// Adds a pass to `parent`, nested on its anchor where `parent` runs on something else. Named
// pipelines are expanded.
bool mlc_pass_item_add(MlcPassManager *pm, PassItem *parent, MlcStr flag, MlcStr options,
                       MlcLoc loc);
void mlc_pass_item_release(PassItem *item);

#endif
