// target_emit.c -- compiles a module in parts that threads share.
//
// Functions are dealt out to parts in turn, a few parts to a thread; kernels differ in size, so
// threads take parts as they become free.
#include "mlc/target.h"

#include <stdatomic.h>

#include "mlc/ir/op.h"
#include "mlc/support/pool.h"

enum { FUNCTIONS_PER_PART = 4, MAX_PARTS = 16 };

typedef struct Work {
    MlcOp *module;
    const MlcTargetApi *api;
    MlcTargetOptions options;
    MlcObjects *objects;
    atomic_bool failed;
} Work;

static void
emit_part(void *context, size_t part, unsigned worker)
{
    (void)worker;
    Work *work = context;
    MlcTargetOptions options = work->options;
    options.part = (unsigned)part;
    options.num_parts = (unsigned)work->objects->num_objects;
    if (!atomic_load(&work->failed) &&
        !work->api->emit(work->module, &options, MLC_EMIT_OBJECT, &work->objects->buffers[part]))
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
    Work work = {.module = module, .api = mlc_target_open(&error), .objects = objects};
    if (!work.api) {
        mlc_op_error(module, "%s", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    size_t parts = count_functions(module) / FUNCTIONS_PER_PART;
    parts = parts < 1 ? 1 : parts > MAX_PARTS ? MAX_PARTS : parts;
    if (options)
        work.options = *options;
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
    for (size_t i = 0; i < objects->num_objects; ++i)
        mlc_buf_release(&objects->buffers[i]);
    mlc_free(objects->buffers);
    *objects = (MlcObjects){0};
}
