// stream.c -- copies, launches and events: put into a stream now, done when somebody waits.
//
// A driver may begin earlier, so what is right here is right there.
#include "emulator.h"

#include "mlc/support/alloc.h"
#include "mlc/support/clock.h"

#include <inttypes.h>

static void
trace(const MlcPtxLaunch *l, const MlcPtxCounters *c)
{
    MlcStr name = mlc_ptx_entry_name(l->entry);
    fprintf(emulator.trace,
            "{\"kernel\": \"%.*s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], "
            "\"shared\": %u, \"instructions\": %" PRIu64 ", \"float_ops\": %" PRIu64
            ", \"matrix_macs\": %" PRIu64 ", \"sectors\": %" PRIu64 ", \"sectors_best\": %" PRIu64
            ", \"wavefronts\": %" PRIu64 ", \"bank_conflicts\": %" PRIu64 "}\n",
            (int)name.size, name.data, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
            l->block[2], l->shared_bytes, c->instructions, c->float_ops, c->matrix_macs,
            c->global_sectors, c->global_sectors_best, c->shared_wavefronts, c->bank_conflicts);
    fflush(emulator.trace);
}

static MlcCudaResult
do_launch(const Task *task)
{
    MlcPtxCounters counters = {0};
    if (mlc_ptx_launch(emulator.device, &task->launch, &counters)) {
        if (emulator.trace)
            trace(&task->launch, &counters);
        return MLC_CUDA_SUCCESS;
    }
    emulator.fault = MLC_CUDA_ILLEGAL_ADDRESS;
    return emulator.fault;
}

static MlcCudaResult
copy_within(const Task *task)
{
    void *bytes = mlc_malloc(task->bytes);
    bool ok = mlc_ptx_read(emulator.device, task->from, bytes, task->bytes) &&
              mlc_ptx_write(emulator.device, task->to, bytes, task->bytes);
    mlc_free(bytes);
    return ok ? MLC_CUDA_SUCCESS : MLC_CUDA_INVALID_VALUE;
}

static void
add_touch(void *touches, uint64_t address, uint64_t num_bytes, bool is_written)
{
    Touch touch = {address, address + num_bytes, is_written};
    mlc_vec_push((Touches *)touches, touch);
}

MlcCudaResult
task_do(const Task *task, Touches *touches)
{
    bool is_copy = task->kind <= TASK_COPY_WITHIN, ok = true;
    uint64_t host = (uintptr_t)task->host;
    if (touches && is_copy) {
        add_touch(touches, task->kind == TASK_COPY_IN ? host : task->from, task->bytes, false);
        add_touch(touches, task->kind == TASK_COPY_OUT ? host : task->to, task->bytes, true);
    }
    switch (task->kind) {
    case TASK_COPY_IN:
        ok = mlc_ptx_write(emulator.device, task->to, task->host, task->bytes);
        break;
    case TASK_COPY_OUT:
        ok = mlc_ptx_read(emulator.device, task->from, task->host, task->bytes);
        break;
    case TASK_COPY_WITHIN:
        return copy_within(task);
    case TASK_LAUNCH: {
        MlcCudaResult result = do_launch(task);
        if (touches && result == MLC_CUDA_SUCCESS)
            mlc_ptx_visit_touched(emulator.device, add_touch, touches);
        return result;
    }
    case TASK_GRAPH:
        return graph_do(task->exec, touches);
    case TASK_RECORD:
    case TASK_WAIT:
        break;
    }
    return ok ? MLC_CUDA_SUCCESS : MLC_CUDA_INVALID_VALUE;
}

MlcStr
task_name(const Task *task)
{
    static const char *const names[] = {"a copy to the device",
                                        "a copy to the host",
                                        "a copy on the device",
                                        "",
                                        "an event",
                                        "a wait",
                                        "a graph"};
    return task->kind == TASK_LAUNCH ? mlc_ptx_entry_name(task->launch.entry)
                                     : mlc_str(names[task->kind]);
}

void
task_free(Task *task)
{
    point_release(task->point);
    point_release(task->asked);
    exec_release(task->exec);
    mlc_free(task);
}

static MlcCudaResult
do_task(MlcCudaStream *stream, const Task *task)
{
    Touches touches = {0};
    bool is_order = task->kind == TASK_RECORD || task->kind == TASK_WAIT;
    MlcCudaResult result = MLC_CUDA_SUCCESS;
    clock_join(&stream->clock, &task->asked->clock);
    if (task->kind == TASK_WAIT && task->other)
        result = stream_run(task->other, task->position);
    else if (!is_order)
        result = task_do(task, order_is_asked_for() ? &touches : NULL);
    if (result == MLC_CUDA_SUCCESS && task->kind == TASK_WAIT)
        clock_join(&stream->clock, &task->point->clock);
    stream->clock.done[stream->slot] = ++stream->num_done;
    if (task->kind == TASK_RECORD)
        task->point->clock = stream->clock;
    if (task->kind == TASK_RECORD && task->event)
        task->event->nanoseconds = mlc_clock_wall();
    if (result == MLC_CUDA_SUCCESS && touches.size)
        result = order_check(stream, task, &touches);
    mlc_vec_release(&touches);
    return result;
}

static MlcCudaResult
do_first(MlcCudaStream *stream)
{
    Task *task = stream->first;
    stream->first = task->next;
    if (!stream->first)
        stream->end = &stream->first;
    stream->is_busy = true;
    MlcCudaResult result = do_task(stream, task);
    stream->is_busy = false;
    task_free(task);
    return result;
}

uint64_t
draw(void)
{
    uint64_t x = (emulator.seed + ++emulator.draws) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 27;
}

// With a seed, tasks of other streams that wait for nobody, at times.
static MlcCudaResult
run_others(const MlcCudaStream *stream)
{
    MlcCudaResult result = MLC_CUDA_SUCCESS;
    for (size_t i = 0; i < emulator.streams.size && result == MLC_CUDA_SUCCESS; i++) {
        MlcCudaStream *s = emulator.streams.data[i];
        while (result == MLC_CUDA_SUCCESS && s != stream && !s->is_busy && s->first &&
               s->first->kind != TASK_WAIT && draw() % 2)
            result = do_first(s);
    }
    return result;
}

MlcCudaResult
stream_run(MlcCudaStream *stream, uint64_t num_done)
{
    MlcCudaResult result = MLC_CUDA_SUCCESS;
    while (result == MLC_CUDA_SUCCESS && stream->first && stream->num_done < num_done) {
        if (emulator.seed)
            result = run_others(stream);
        if (result == MLC_CUDA_SUCCESS && stream->first)
            result = do_first(stream);
    }
    return result;
}

MlcCudaResult
stream_run_all(void)
{
    MlcCudaResult result = MLC_CUDA_SUCCESS;
    for (size_t i = 0; i < emulator.streams.size && result == MLC_CUDA_SUCCESS; i++) {
        MlcCudaStream *s = emulator.streams.data[i];
        result = stream_wait(s, s->num_put);
    }
    return result;
}

MlcCudaResult
stream_wait(MlcCudaStream *stream, uint64_t num_done)
{
    MlcCudaResult result = stream_run(stream, num_done);
    Point *known = point_create();
    known->clock = emulator.host->clock;
    clock_join(&known->clock, &stream->clock);
    point_release(emulator.host);
    emulator.host = known;
    return result;
}

static bool
has_event(const MlcCudaEvent *event)
{
    return list_has(&emulator.events, event);
}

Task *
task_put(MlcCudaStream *stream, TaskKind kind, size_t more)
{
    Task *task = mlc_calloc(1, sizeof *task + more);
    task->kind = kind;
    if (stream->capture) {
        graph_add(stream, task);
        return task;
    }
    task->asked = point_keep(emulator.host);
    *stream->end = task;
    stream->end = &task->next;
    stream->num_put++;
    return task;
}

static unsigned
free_slot(void)
{
    bool is_taken[MAX_STREAMS + 1] = {false};
    unsigned slot = 0;
    for (size_t i = 0; i < emulator.streams.size; i++)
        is_taken[((const MlcCudaStream *)emulator.streams.data[i])->slot] = true;
    while (is_taken[slot])
        slot++;
    return slot;
}

int
cuStreamCreate(MlcCudaStream **stream, unsigned flags)
{
    (void)flags;
    MlcCudaResult result = emulator_begin(__func__);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    unsigned slot = free_slot();
    if (slot == MAX_STREAMS)
        return emulator_end(MLC_CUDA_OUT_OF_RESOURCES);
    *stream = mlc_calloc(1, sizeof **stream);
    (*stream)->slot = slot;
    (*stream)->num_put = (*stream)->num_done = emulator.positions[slot];
    (*stream)->end = &(*stream)->first;
    mlc_vec_push(&emulator.streams, *stream);
    return emulator_end(MLC_CUDA_SUCCESS);
}

static void
destroy_stream(MlcCudaStream *stream)
{
    for (Task *next; stream->first; stream->first = next) {
        next = stream->first->next;
        task_free(stream->first);
    }
    emulator.positions[stream->slot] = stream->num_put;
    for (size_t i = 0; i < emulator.events.size; i++) {
        MlcCudaEvent *e = emulator.events.data[i];
        e->stream = e->stream == stream ? NULL : e->stream;
    }
    for (size_t i = 0; i < emulator.streams.size; i++)
        for (Task *t = ((MlcCudaStream *)emulator.streams.data[i])->first; t; t = t->next)
            t->other = t->other == stream ? NULL : t->other;
    mlc_vec_release(&stream->last);
    mlc_free(stream);
}

int
cuStreamDestroy_v2(MlcCudaStream *stream)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS)
        result = stream_run(stream, stream->num_put);
    if (!list_has(&emulator.streams, stream))
        return emulator_end(result);
    list_remove(&emulator.streams, stream);
    destroy_stream(stream);
    return emulator_end(result);
}

static void
free_event(MlcCudaEvent *event)
{
    point_release(event->point);
    mlc_vec_release(&event->last);
    mlc_free(event);
}

void
streams_destroy_all(void)
{
    while (emulator.events.size)
        free_event(mlc_vec_pop(&emulator.events));
    while (emulator.streams.size)
        destroy_stream(mlc_vec_pop(&emulator.streams));
    mlc_vec_release(&emulator.events);
    mlc_vec_release(&emulator.streams);
}

int
cuStreamSynchronize(MlcCudaStream *stream)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS && stream->capture)
        result = MLC_CUDA_CAPTURE_UNSUPPORTED;
    return emulator_end(result == MLC_CUDA_SUCCESS ? stream_wait(stream, stream->num_put) : result);
}

static int
put_copy(const char *function, MlcCudaStream *stream, TaskKind kind, MlcCudaAddress to,
         MlcCudaAddress from, void *host, size_t bytes)
{
    MlcCudaResult result = emulator_begin_with(function, stream);
    if (result == MLC_CUDA_SUCCESS && bytes > 0) {
        Task *task = task_put(stream, kind, 0);
        task->to = to;
        task->from = from;
        task->host = host;
        task->bytes = bytes;
    }
    return emulator_end(result);
}

int
cuMemcpyHtoDAsync_v2(MlcCudaAddress to, const void *from, size_t bytes, MlcCudaStream *stream)
{
    return put_copy(__func__, stream, TASK_COPY_IN, to, 0, (void *)(uintptr_t)from, bytes);
}

int
cuMemcpyDtoHAsync_v2(void *to, MlcCudaAddress from, size_t bytes, MlcCudaStream *stream)
{
    return put_copy(__func__, stream, TASK_COPY_OUT, 0, from, to, bytes);
}

int
cuMemcpyDtoDAsync_v2(MlcCudaAddress to, MlcCudaAddress from, size_t bytes, MlcCudaStream *stream)
{
    return put_copy(__func__, stream, TASK_COPY_WITHIN, to, from, NULL, bytes);
}

int
cuEventCreate(MlcCudaEvent **event, unsigned flags)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    *event = mlc_calloc(1, sizeof **event);
    (*event)->has_no_time = flags & MLC_CUDA_EVENT_DISABLE_TIMING;
    mlc_vec_push(&emulator.events, *event);
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuEventDestroy_v2(MlcCudaEvent *event)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (!has_event(event))
        return emulator_end(result == MLC_CUDA_SUCCESS ? MLC_CUDA_INVALID_HANDLE : result);
    list_remove(&emulator.events, event);
    for (size_t i = 0; i < emulator.streams.size; i++)
        for (Task *t = ((MlcCudaStream *)emulator.streams.data[i])->first; t; t = t->next)
            t->event = t->event == event ? NULL : t->event;
    free_event(event);
    return emulator_end(result);
}

int
cuEventRecord(MlcCudaEvent *event, MlcCudaStream *stream)
{
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS && !has_event(event))
        result = MLC_CUDA_INVALID_HANDLE;
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    if (stream->capture) {
        graph_record(stream, event);
        return emulator_end(MLC_CUDA_SUCCESS);
    }
    Task *task = task_put(stream, TASK_RECORD, 0);
    point_release(event->point);
    event->point = point_create();
    task->event = event;
    task->point = point_keep(event->point);
    event->capture = NULL;
    event->stream = stream;
    event->position = stream->num_put;
    event->nanoseconds = 0;
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuStreamWaitEvent(MlcCudaStream *stream, MlcCudaEvent *event, unsigned flags)
{
    (void)flags;
    MlcCudaResult result = emulator_begin_with(__func__, stream);
    if (result == MLC_CUDA_SUCCESS && !has_event(event))
        result = MLC_CUDA_INVALID_HANDLE;
    if (result == MLC_CUDA_SUCCESS && (stream->capture || event->capture)) {
        result = graph_wait(stream, event);
    } else if (result == MLC_CUDA_SUCCESS && event->stream && event->stream != stream) {
        Task *task = task_put(stream, TASK_WAIT, 0);
        task->other = event->stream;
        task->position = event->position;
        task->point = point_keep(event->point);
    }
    return emulator_end(result);
}

int
cuEventSynchronize(MlcCudaEvent *event)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result == MLC_CUDA_SUCCESS && !has_event(event))
        result = MLC_CUDA_INVALID_HANDLE;
    if (result == MLC_CUDA_SUCCESS && event->capture)
        result = MLC_CUDA_CAPTURE_UNSUPPORTED;
    if (result == MLC_CUDA_SUCCESS && event->stream)
        result = stream_wait(event->stream, event->position);
    return emulator_end(result);
}

int
cuEventElapsedTime(float *milliseconds, MlcCudaEvent *from, MlcCudaEvent *to)
{
    MlcCudaResult result = emulator_begin(__func__);
    if (result == MLC_CUDA_SUCCESS && (!has_event(from) || !has_event(to) || !from->nanoseconds ||
                                       !to->nanoseconds || from->has_no_time || to->has_no_time))
        result = MLC_CUDA_INVALID_HANDLE;
    if (result == MLC_CUDA_SUCCESS)
        *milliseconds = (float)(to->nanoseconds - from->nanoseconds) * 1e-6f;
    return emulator_end(result);
}

static const uint32_t one_block[3] = {1, 1, 1};

static const uint32_t *
cluster_of(const MlcCudaLaunchConfig *config)
{
    for (uint32_t i = 0; i < config->num_attributes; i++)
        if (config->attributes[i].kind == MLC_CUDA_LAUNCH_CLUSTER)
            return config->attributes[i].value.cluster;
    return one_block;
}

static MlcCudaResult
check_launch(const MlcCudaLaunchConfig *c, const MlcCudaFunction *function)
{
    uint64_t threads = (uint64_t)c->block[0] * c->block[1] * c->block[2];
    for (int i = 0; i < 3; i++)
        if (c->grid[i] == 0 || c->block[i] == 0 || c->grid[i] > (i ? 65535 : INT32_MAX) ||
            c->block[i] > (i == 2 ? 64 : 1024))
            return MLC_CUDA_INVALID_VALUE;
    if (threads > 1024 || c->shared_bytes > function->max_shared_bytes)
        return MLC_CUDA_INVALID_VALUE;
    return MLC_CUDA_SUCCESS;
}

// Arguments are read now: the caller's may be gone when the kernel runs.
static void
put_launch(const MlcCudaLaunchConfig *config, const MlcCudaFunction *function, void **args)
{
    size_t count = mlc_ptx_num_params(function->entry), bytes = count * sizeof(void *), at = bytes;
    for (size_t i = 0; i < count; i++)
        bytes += (mlc_ptx_param_bytes(function->entry, i) + 7u) / 8 * 8;
    Task *task = task_put(config->stream, TASK_LAUNCH, bytes);
    const void **list = (const void **)(void *)(task + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t size = mlc_ptx_param_bytes(function->entry, i);
        list[i] = memcpy((char *)list + at, args[i], size);
        at += (size + 7u) / 8 * 8;
    }
    task->launch = (MlcPtxLaunch){.entry = function->entry,
                                  .shared_bytes = config->shared_bytes,
                                  .args = list,
                                  .num_args = count,
                                  .seed = emulator.seed,
                                  .no_races = emulator.no_races};
    const uint32_t *cluster = cluster_of(config);
    for (int i = 0; i < 3; i++) {
        task->launch.grid[i] = config->grid[i];
        task->launch.block[i] = config->block[i];
        task->launch.cluster[i] = cluster[i];
    }
}

static int
launch(const char *name, const MlcCudaLaunchConfig *config, MlcCudaFunction *function, void **args,
       void **extra)
{
    MlcCudaResult result = emulator_begin_with(name, config->stream);
    if (result == MLC_CUDA_SUCCESS && (!function || extra))
        result = MLC_CUDA_INVALID_VALUE;
    if (result == MLC_CUDA_SUCCESS)
        result = check_launch(config, function);
    if (result == MLC_CUDA_SUCCESS)
        put_launch(config, function, args);
    return emulator_end(result);
}

int
cuLaunchKernel(MlcCudaFunction *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
               MlcCudaStream *stream, void **args, void **extra)
{
    MlcCudaLaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .shared_bytes = shared_bytes,
                                  .stream = stream};
    return launch(__func__, &config, function, args, extra);
}

int
cuLaunchKernelEx(const MlcCudaLaunchConfig *config, MlcCudaFunction *function, void **args,
                 void **extra)
{
    return launch(__func__, config, function, args, extra);
}
