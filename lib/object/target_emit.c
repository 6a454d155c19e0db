// target_emit.c -- compiles a module in parts that threads share.
//
// Functions are dealt out to parts in turn, a few parts to a thread; kernels differ in size, so
// threads take parts as they become free.
#include "mlc/target.h"

#include <pthread.h>
#include <stdatomic.h>

#include "mlc/ir/op.h"
#include "mlc/support/budget.h"
#include "mlc/support/clock.h"
#include "mlc/support/pool.h"

enum { FUNCTIONS_PER_PART = 4, MAX_PARTS = 16 };

// How hard LLVM tries, and what share of the time of the first it takes (measured on CNNs, whose
// code then takes 1, 1.1 and 10 times as long).
typedef struct Effort {
    int opt_level; // as in MlcTargetOptions; 0: as asked for
    double share;
} Effort;
static const Effort efforts[] = {{0, 1}, {1, .5}, {-1, .1}};
enum { NUM_EFFORTS = sizeof efforts / sizeof *efforts };

typedef struct Work {
    MlcOp *module;
    const MlcTargetApi *api;
    MlcTargetOptions options;
    MlcEmit kind;
    MlcObjects *objects;
    unsigned num_threads;
    atomic_bool failed;
    pthread_mutex_t mutex; // guards what follows
    size_t num_begun, num_done;
    double full_seconds; // that the parts done would have taken with the first effort
} Work;

// The most effort that leaves time for the parts not begun yet, with one effort less.
static const Effort *
choose_effort(Work *work)
{
    MlcBudget *budget = work->options.budget;
    size_t i = 0;
    if (!budget)
        return &efforts[0];
    pthread_mutex_lock(&work->mutex);
    double left = (double)mlc_budget_left(budget) * 1e-9;
    double full = work->num_done ? work->full_seconds / (double)work->num_done : 0;
    double others = (double)(work->objects->num_objects - ++work->num_begun) / work->num_threads;
    while (i + 1 < NUM_EFFORTS &&
           (left <= 0 || left < full * (efforts[i].share + others * efforts[i + 1].share)))
        i++;
    pthread_mutex_unlock(&work->mutex);
    if (i > 0)
        mlc_budget_leave_out(budget);
    return &efforts[i];
}

static void
count_done(Work *work, double seconds, const Effort *effort)
{
    pthread_mutex_lock(&work->mutex);
    work->num_done++;
    work->full_seconds += seconds / effort->share;
    if (work->options.progress)
        work->options.progress(work->num_done, work->objects->num_objects,
                               work->options.progress_user);
    pthread_mutex_unlock(&work->mutex);
}

static void
emit_part(void *context, size_t part, unsigned worker)
{
    (void)worker;
    Work *work = context;
    MlcTargetOptions options = work->options;
    options.part = (unsigned)part;
    options.num_parts = (unsigned)work->objects->num_objects;
    if (atomic_load(&work->failed))
        return;
    const Effort *effort = choose_effort(work);
    int64_t start = mlc_clock_wall();
    if (effort->opt_level)
        options.opt_level = effort->opt_level;
    if (work->api->emit(work->module, &options, work->kind, &work->objects->buffers[part]))
        count_done(work, (double)(mlc_clock_wall() - start) * 1e-9, effort);
    else
        atomic_store(&work->failed, true);
}

static size_t
count_functions(MlcOp *module)
{
    size_t count = 0;
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            count += mlc_op_num_regions(op) > 0 && !mlc_region_is_empty(mlc_op_region(op, 0));
    return count;
}

bool
mlc_target_emit_objects(MlcOp *module, const MlcTargetOptions *options, MlcPool *pool,
                        MlcObjects *objects)
{
    *objects = (MlcObjects){0};
    MlcBuf error = {0};
    Work work = {.module = module,
                 .api = mlc_target_open(&error),
                 .objects = objects,
                 .num_threads = mlc_pool_num_threads(pool),
                 .mutex = PTHREAD_MUTEX_INITIALIZER};
    if (!work.api) {
        mlc_op_error(module, "%s", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    size_t parts = count_functions(module) / FUNCTIONS_PER_PART;
    parts = parts < 1 ? 1 : parts > MAX_PARTS ? MAX_PARTS : parts;
    if (options)
        mlc_sized_copy(&work.options, sizeof work.options, options, "MlcTargetOptions");
    work.options.size = sizeof work.options;
    bool is_gpu = work.options.desc && work.options.desc->gpu_block_threads > 0;
    work.kind = is_gpu ? MLC_EMIT_ASSEMBLY : MLC_EMIT_OBJECT;
    objects->buffers = mlc_calloc(parts, sizeof *objects->buffers);
    objects->num_objects = parts;
    mlc_parallel_for(pool, parts, emit_part, &work);
    if (!atomic_load(&work.failed))
        return true;
    mlc_target_objects_release(objects);
    return false;
}

void
mlc_target_objects_release(MlcObjects *objects)
{
    for (size_t i = 0; i < objects->num_objects; i++)
        mlc_buf_release(&objects->buffers[i]);
    mlc_free(objects->buffers);
    *objects = (MlcObjects){0};
}
