// session.c -- one user of a model: its inputs, outputs, arena, threads and profile.
//
// Everything a run needs is made here once: the call record with its arrays, the arena with the
// scratch of the threads behind it, memory for outputs. A run fills in pointers and calls the code.
// Only when a dynamic dimension has grown does a run allocate.
#include "caches.h"
#include "device.h"
#include "shapes.h"

#include "mlc/support/clock.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "pool.h"

#define CHECK_FIELD(type, field, index) static_assert(offsetof(type, field) == 8 * (index), #field)
CHECK_FIELD(MlcRtCall, table, MLC_RT_CALL_TABLE);
CHECK_FIELD(MlcRtCall, arena, MLC_RT_CALL_ARENA);
CHECK_FIELD(MlcRtCall, constants, MLC_RT_CALL_CONSTANTS);
CHECK_FIELD(MlcRtCall, prepared, MLC_RT_CALL_PREPARED);
CHECK_FIELD(MlcRtCall, inputs, MLC_RT_CALL_INPUTS);
CHECK_FIELD(MlcRtCall, outputs, MLC_RT_CALL_OUTPUTS);
CHECK_FIELD(MlcRtCall, input_dims, MLC_RT_CALL_INPUT_DIMS);
CHECK_FIELD(MlcRtCall, output_dims, MLC_RT_CALL_OUTPUT_DIMS);
CHECK_FIELD(MlcRtCall, scratch, MLC_RT_CALL_SCRATCH);
CHECK_FIELD(MlcRtCall, scratch_bytes, MLC_RT_CALL_SCRATCH_BYTES);
CHECK_FIELD(MlcRtCall, threads, MLC_RT_CALL_THREADS);
CHECK_FIELD(MlcRtCall, session, MLC_RT_CALL_SESSION);
CHECK_FIELD(MlcRtCall, device_arena, MLC_RT_CALL_DEVICE_ARENA);
CHECK_FIELD(MlcRtCall, device_constants, MLC_RT_CALL_DEVICE_CONSTANTS);
static_assert(sizeof(MlcRtCall) == 8 * MLC_RT_CALL_NUM_FIELDS, "fields of 8 bytes");
CHECK_FIELD(MlcRtTable, parallel_for, MLC_RT_TABLE_PARALLEL_FOR);
CHECK_FIELD(MlcRtTable, kernel_begin, MLC_RT_TABLE_KERNEL_BEGIN);
CHECK_FIELD(MlcRtTable, kernel_end, MLC_RT_TABLE_KERNEL_END);
CHECK_FIELD(MlcRtTable, fail, MLC_RT_TABLE_FAIL);
CHECK_FIELD(MlcRtTable, text, MLC_RT_TABLE_TEXT);
CHECK_FIELD(MlcRtTable, call_operator, MLC_RT_TABLE_CALL_OPERATOR);
CHECK_FIELD(MlcRtTable, launch, MLC_RT_TABLE_LAUNCH);
CHECK_FIELD(MlcRtTable, copy, MLC_RT_TABLE_COPY);
CHECK_FIELD(MlcRtTable, device_alloc, MLC_RT_TABLE_DEVICE_ALLOC);
CHECK_FIELD(MlcRtTable, tensor_map, MLC_RT_TABLE_TENSOR_MAP);
CHECK_FIELD(MlcRtTable, set_size, MLC_RT_TABLE_SET_SIZE);
CHECK_FIELD(MlcRtTable, order, MLC_RT_TABLE_ORDER);
CHECK_FIELD(MlcRtTable, fault_word, MLC_RT_TABLE_FAULT_WORD);
static_assert(sizeof(MlcRtTable) == 8 * MLC_RT_TABLE_NUM_FIELDS, "fields of 8 bytes");

typedef struct Pages {
    char *data;
    size_t bytes;
} Pages;

typedef struct Output {
    MlcRtTensor tensor;
    size_t bytes;     // of the tensor
    char *own;        // pages, or NULL
    size_t own_bytes; // of the pages
    void *given;      // the caller's memory, or NULL
    size_t given_bytes;
} Output;

// An input of strings: what the caller gave, and the numbers that the code gets.
typedef struct StringInput {
    const MlcRtString *given;
    int64_t *numbers;
    size_t room;
} StringInput;

// A kernel's time on the device, until the run has ended: where it begins and ends.
typedef struct Timed {
    int64_t kernel, begin, end;
} Timed;

struct MlcSession {
    const MlcModel *model;
    MlcRtCall call;
    _Atomic bool running;
    MlcRtShapePlan *shapes; // NULL: the model has none
    MlcRtCache *caches;
    size_t num_caches;
    bool shapes_changed; // an input's dims are not those that the outputs were planned for
    bool has_run;

    char *memory; // arena, then scratch
    size_t memory_bytes;
    size_t arena_bytes;
    bool owns_memory;
    Pages *more; // buffers that follow from each size that the code computes

    int64_t *dims; // of all inputs and outputs
    const int64_t **dim_rows;
    const void **inputs;
    void **output_data;
    bool *input_set;
    Output *outputs;
    MlcRtTexts texts;
    StringInput *string_inputs; // per input; of others than strings unused

    _Atomic int32_t fail_code;
    char fail_message[sizeof((MlcRtError *)0)->message];
    MlcRtProfile *profile; // NULL: not asked for
    int64_t kernel_start;
    int64_t kernel;       // that was begun last
    int64_t run_start;    // with a profile of a device: when its first mark was made
    int64_t kernel_mark;  // of the kernel that was begun last
    int64_t num_launches; // of the run, when it was
    Timed *timed;         // as many as the model has kernels
    size_t num_timed;
    MlcRtQueue *queue; // of work on a device; NULL: all runs on the CPU
};

static size_t
align_up(size_t bytes)
{
    return (bytes + MLC_RT_ALIGNMENT - 1) / MLC_RT_ALIGNMENT * MLC_RT_ALIGNMENT;
}

static void
table_parallel_for(const MlcRtCall *call, MlcRtTask task, void *context, int64_t num_chunks)
{
    mlc_rt_pool_run(call->threads, task, context, num_chunks, call->scratch, call->scratch_bytes);
}

static int32_t table_fail(const MlcRtCall *call, int64_t code, const char *message);

static int64_t
mark(MlcSession *s)
{
    MlcRtError error = {0};
    int64_t mark = 0;
    if (atomic_load(&s->fail_code) == 0 && !mlc_rt_queue_mark(s->queue, &mark, &error))
        table_fail(&s->call, error.status, error.message);
    return mark;
}

static void
table_kernel_begin(const MlcRtCall *call, int64_t kernel)
{
    MlcSession *s = call->session;
    s->kernel = kernel;
    if (!s->profile)
        return;
    s->kernel_start = mlc_clock_wall();
    if (s->queue) {
        s->kernel_mark = mark(s);
        s->num_launches = mlc_rt_queue_num_launches(s->queue);
    }
}

static void
add_time(MlcSession *s, int64_t kernel, int64_t start, int64_t nanoseconds)
{
    MlcRtProfile *p = &s->profile[kernel];
    p->calls++;
    p->last_start = start;
    p->last_nanoseconds = nanoseconds;
    p->nanoseconds += nanoseconds;
}

// Launches are only asked for here: how long they take is told by the device when the run has
// ended.
static void
table_kernel_end(const MlcRtCall *call, int64_t kernel)
{
    MlcSession *s = call->session;
    if (!s->profile || kernel < 0 || kernel >= s->model->num_kernels)
        return;
    if (s->queue && mlc_rt_queue_num_launches(s->queue) > s->num_launches) {
        if (s->num_timed < (size_t)s->model->num_kernels)
            s->timed[s->num_timed++] = (Timed){kernel, s->kernel_mark, mark(s)};
        return;
    }
    add_time(s, kernel, s->kernel_start, mlc_clock_wall() - s->kernel_start);
}

static void
begin_device(MlcSession *s)
{
    s->num_timed = 0;
    if (!s->queue || !s->profile)
        return;
    (void)mark(s); // number 0
    s->run_start = mlc_clock_wall();
}

static void
wait_for_device(MlcSession *s)
{
    MlcRtError error = {0};
    bool ok = true;
    if (!s->queue || atomic_load(&s->fail_code) != 0)
        return;
    ok = mlc_rt_queue_wait(s->queue, &error);
    for (size_t i = 0; ok && i < s->num_timed; i++) {
        const Timed *t = &s->timed[i];
        int64_t before = 0, taken = 0;
        ok = mlc_rt_queue_elapsed(s->queue, 0, t->begin, &before, &error) &&
             mlc_rt_queue_elapsed(s->queue, t->begin, t->end, &taken, &error);
        if (ok)
            add_time(s, t->kernel, s->run_start + before, taken);
    }
    if (!ok)
        table_fail(&s->call, error.status, error.message);
}

static int32_t
table_fail(const MlcRtCall *call, int64_t code, const char *message)
{
    MlcSession *s = call->session;
    int32_t none = 0, nonzero = (int32_t)code != 0 ? (int32_t)code : 1;
    if (atomic_compare_exchange_strong(&s->fail_code, &none, nonzero))
        snprintf(s->fail_message, sizeof s->fail_message, "%s", message);
    return nonzero;
}

static int64_t
table_text(const MlcRtCall *call, int64_t what, int64_t a, int64_t b, int64_t c, int64_t d)
{
    MlcSession *s = call->session;
    int64_t args[4] = {a, b, c, d}, result;
    const char *wrong = mlc_rt_text_compute(&s->texts, what, args, &result);
    if (wrong)
        table_fail(call, 1, wrong);
    return result;
}

static void
table_call_operator(const MlcRtCall *call, int64_t number, const int64_t *tensors)
{
    MlcSession *s = call->session;
    const MlcModel *m = s->model;
    char why[160], message[sizeof s->fail_message];
    const MlcRtOperator *op = &m->operators[number];
    if (mlc_rt_operator_run(op, tensors, why, sizeof why))
        return;
    bool is_known = s->kernel >= 0 && s->kernel < m->num_kernels;
    const char *node = is_known ? m->kernels[s->kernel].nodes : "";
    snprintf(message, sizeof message, "'%.*s': operator '%s.%s' fails: %s",
             (int)strcspn(node, "\n"), node, op->call.domain, op->call.name, why);
    table_fail(call, 1, message);
}

static void
table_launch(const MlcRtCall *call, int64_t kernel, const int64_t *sizes, const void *const *args)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    if (atomic_load(&s->fail_code) == 0 &&
        !mlc_rt_queue_launch(s->queue, kernel, sizes, args, &error))
        table_fail(call, error.status, error.message);
}

static void
table_copy(const MlcRtCall *call, void *to, const void *from, int64_t bytes, int64_t direction)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    if (atomic_load(&s->fail_code) == 0 &&
        !mlc_rt_queue_copy(s->queue, to, from, bytes, (MlcRtCopy)direction, &error))
        table_fail(call, error.status, error.message);
}

static void *
table_device_alloc(const MlcRtCall *call, int64_t bytes)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    void *made = NULL;
    if (atomic_load(&s->fail_code) == 0 && !mlc_rt_queue_alloc(s->queue, bytes, &made, &error))
        table_fail(call, error.status, error.message);
    return made;
}

static void
table_tensor_map(const MlcRtCall *call, void *map, const void *address, const int64_t *numbers)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    if (atomic_load(&s->fail_code) == 0 &&
        !mlc_rt_queue_tensor_map(s->queue, map, address, numbers, &error))
        table_fail(call, error.status, error.message);
}

static void
table_order(const MlcRtCall *call, int64_t what, int64_t number)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    if (atomic_load(&s->fail_code) == 0 && !mlc_rt_queue_order(s->queue, what, number, &error))
        table_fail(call, error.status, error.message);
}

static void *
table_fault_word(const MlcRtCall *call, const char *message)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    void *word = NULL;
    if (atomic_load(&s->fail_code) == 0 &&
        !mlc_rt_queue_fault_word(s->queue, message, &word, &error))
        table_fail(call, error.status, error.message);
    return word;
}

static int64_t table_set_size(const MlcRtCall *call, int64_t number, int64_t value);

const MlcRtTable mlc_rt_table = {
    MLC_RT_ABI_VERSION, table_parallel_for, table_kernel_begin,  table_kernel_end,
    table_fail,         table_text,         table_call_operator, table_launch,
    table_copy,         table_device_alloc, table_set_size,      table_tensor_map,
    table_order,        table_fault_word,
};

static int64_t
default_threads(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

static int64_t
wanted_threads(const MlcSessionOptions *options)
{
    int64_t threads = options && options->threads > 0 ? options->threads : default_threads();
    return threads < MLC_RT_POOL_MAX_THREADS ? threads : MLC_RT_POOL_MAX_THREADS;
}

size_t
mlc_session_memory_bytes(const MlcModel *model, const MlcSessionOptions *options)
{
    MlcSessionOptions own = {0};
    if (options && mlc_sized_try_copy(&own, sizeof own, options))
        options = &own;
    return align_up(model->header.arena_bytes) +
           model->header.scratch_bytes * (size_t)wanted_threads(options);
}

// Memory for an arena of `arena_bytes`, the scratch behind it.
static bool
set_memory(MlcSession *s, size_t arena_bytes, MlcRtError *error)
{
    // Less than 2^63, and at most 2^47 for each of few threads.
    size_t scratch = s->model->header.scratch_bytes * (size_t)s->call.threads;
    size_t bytes = align_up(arena_bytes) + scratch;
    if (!s->owns_memory) {
        if (bytes > s->memory_bytes)
            return mlc_rt_fail(
                error, MLC_RT_MEMORY,
                "the arena given has %zu bytes, but %zu are needed (mlc_session_memory_bytes)",
                s->memory_bytes, bytes);
    } else if (bytes > s->memory_bytes) {
        char *memory = mlc_rt_pages_create(bytes);
        if (!memory)
            return mlc_rt_fail(error, MLC_RT_MEMORY,
                               "not enough memory for an arena of %zu bytes: %s", bytes,
                               strerror(errno));
        mlc_rt_pages_destroy(s->memory, s->memory_bytes);
        s->memory = memory;
        s->memory_bytes = bytes;
    }
    if (s->queue && !mlc_rt_queue_reserve(s->queue, arena_bytes, &s->call.device_arena, error))
        return false;
    s->arena_bytes = arena_bytes;
    s->call.arena = s->memory;
    s->call.scratch = s->memory ? s->memory + align_up(arena_bytes) : NULL;
    return true;
}

static bool
use_given_memory(MlcSession *s, const MlcSessionOptions *options, MlcRtError *error)
{
    s->owns_memory = !options || !options->memory;
    if (s->owns_memory)
        return true;
    if ((uintptr_t)options->memory % MLC_RT_ALIGNMENT != 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "the arena given is not aligned to %d bytes",
                           MLC_RT_ALIGNMENT);
    s->memory = options->memory;
    s->memory_bytes = options->memory_bytes;
    return true;
}

static const MlcRtTensorInfo *
output_info(const MlcSession *s, int32_t i)
{
    return &s->model->tensors[s->model->num_inputs + i];
}

// Whether a run finds the size in its data.
static bool
is_found(const MlcSession *s, int32_t output, int32_t dim)
{
    const MlcRtTensorInfo *info = output_info(s, output);
    return info->dims[dim] < 0 && info->bounds[dim] >= 0;
}

// The cache whose input, or output, has this number; NULL: it is none.
static MlcRtCache *
cache_of(const MlcSession *s, int32_t index, bool is_output)
{
    for (size_t i = 0; i < s->num_caches; i++) {
        const MlcArtefactCache *info = s->caches[i].info;
        if ((is_output ? info->output : info->input) == (uint32_t)index)
            return &s->caches[i];
    }
    return NULL;
}

// Outputs that grow in the session's memory have their places there.
static bool
place_caches(MlcSession *s, MlcRtError *error)
{
    for (size_t i = 0; i < s->num_caches; i++) {
        MlcRtCache *cache = &s->caches[i];
        Output *o = &s->outputs[cache->info->output];
        const char *name = s->model->tensors[cache->info->input].name;
        if (!cache->is_grown)
            continue;
        if (!mlc_rt_cache_lay_out(cache, &o->tensor, name, error))
            return false;
        o->given = cache->memory;
        o->given_bytes = cache->bytes;
        s->inputs[cache->info->input] = cache->memory;
    }
    return true;
}

// Whether the code has yet to compute one of its sizes.
static bool
is_awaited(const MlcSession *s, int32_t output)
{
    const MlcRtTensor *t = &s->outputs[output].tensor;
    for (int32_t k = 0; k < t->rank; k++)
        if (t->dims[k] < 0 && !is_found(s, output, k))
            return true;
    return false;
}

// The size and place of each output, from its dims, and from the most they may be.
static bool
place_outputs(MlcSession *s, MlcRtError *error)
{
    for (int32_t i = 0; i < s->model->num_outputs; i++) {
        Output *o = &s->outputs[i];
        const char *name = output_info(s, i)->name;
        int64_t most[MLC_ARTEFACT_MAX_RANK];
        if (s->shapes && is_awaited(s, i))
            continue;
        for (int32_t k = 0; k < o->tensor.rank; k++)
            most[k] = is_found(s, i, k) ? output_info(s, i)->bounds[k] : o->tensor.dims[k];
        if (!mlc_rt_tensor_bytes(o->tensor.type, o->tensor.rank, most, &o->bytes))
            return mlc_rt_fail(error, MLC_RT_RUN,
                               "the shape of output '%s' is negative or too large", name);
        if (o->given && o->bytes > o->given_bytes)
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "output '%s' has %zu bytes, but the memory given has %zu", name,
                               o->bytes, o->given_bytes);
        if (!o->given && o->bytes > o->own_bytes) {
            char *pages = mlc_rt_pages_create(o->bytes);
            if (!pages)
                return mlc_rt_fail(error, MLC_RT_MEMORY,
                                   "not enough memory for output '%s' (%zu bytes)", name, o->bytes);
            mlc_rt_pages_destroy(o->own, o->own_bytes);
            o->own = pages;
            o->own_bytes = o->bytes;
        }
        o->tensor.data = o->given ? o->given : o->own;
        s->output_data[i] = o->tensor.data;
    }
    return true;
}

static bool
has_dynamic_dims(const MlcModel *m)
{
    for (size_t i = 0; i < m->num_dims; i++)
        if (m->bounds[i] < 0)
            return true;
    return false;
}

static bool
allocate_caches(MlcSession *s, MlcRtError *error)
{
    size_t count;
    const MlcArtefactCache *infos = mlc_rt_shape_plan_caches(s->shapes, &count);
    s->caches = calloc(count + 1, sizeof *s->caches);
    if (!s->caches)
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    for (size_t i = 0; i < count; i++)
        s->caches[i].info = &infos[i];
    s->num_caches = count;
    return true;
}

static bool
allocate(MlcSession *s, bool profile, MlcRtError *error)
{
    const MlcModel *m = s->model;
    size_t num_in = (size_t)m->num_inputs, num_out = (size_t)m->num_outputs;
    s->dims = calloc(m->num_dims + 1, sizeof *s->dims);
    s->dim_rows = calloc(num_in + num_out + 1, sizeof *s->dim_rows);
    s->inputs = calloc(num_in + 1, sizeof *s->inputs);
    s->input_set = calloc(num_in + 1, sizeof *s->input_set);
    s->output_data = calloc(num_out + 1, sizeof *s->output_data);
    s->outputs = calloc(num_out + 1, sizeof *s->outputs);
    s->string_inputs = calloc(num_in + 1, sizeof *s->string_inputs);
    s->texts = (MlcRtTexts){.literals = &m->literals, .own = {.first = m->literals.count}};
    s->profile = profile ? calloc((size_t)m->num_kernels + 1, sizeof *s->profile) : NULL;
    s->timed = profile ? calloc((size_t)m->num_kernels + 1, sizeof *s->timed) : NULL;
    if (!s->dims || !s->dim_rows || !s->inputs || !s->input_set || !s->output_data || !s->outputs ||
        !s->string_inputs || (profile && (!s->profile || !s->timed)))
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    s->shapes = m->shape_tables ? mlc_rt_shape_plan_create(m) : NULL;
    if (s->shapes)
        s->more = calloc(mlc_rt_shape_plan_num_computed(s->shapes) + 1, sizeof *s->more);
    if (m->shape_tables && (!s->shapes || !s->more))
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
    return !s->shapes || allocate_caches(s, error);
}

static void
link_tensors(MlcSession *s)
{
    const MlcModel *m = s->model;
    for (size_t i = 0; i < m->num_dims; i++)
        s->dims[i] = m->bounds[i];
    for (int32_t i = 0; i < m->num_inputs + m->num_outputs; i++)
        s->dim_rows[i] = s->dims + (m->tensors[i].dims - m->dims);
    if (s->shapes)
        s->dim_rows[m->num_inputs + m->num_outputs] = mlc_rt_shape_plan_sizes(s->shapes);
    for (int32_t i = 0; i < m->num_outputs; i++)
        s->outputs[i].tensor = (MlcRtTensor){output_info(s, i)->type, output_info(s, i)->rank,
                                             s->dim_rows[m->num_inputs + i], NULL};
}

static bool
open_queue(MlcSession *s, const MlcSessionOptions *options, MlcRtError *error)
{
    const char *name = options->device;
    if (!s->model->devices)
        return !name || !*name ||
               mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "'%s' has no code for device '%s': compile it with --target=cuda-...",
                           mlc_model_name(s->model), name);
    MlcRtDevice *device = mlc_rt_model_device(s->model, name, error);
    size_t streams = s->profile ? 1 : options->streams > 0 ? (size_t)options->streams : 0;
    s->queue = device ? mlc_rt_queue_create(device, streams, !s->profile, error) : NULL;
    if (s->queue)
        s->call.device_constants = mlc_rt_device_constants(device);
    return s->queue != NULL;
}

static bool
set_up(MlcSession *s, const MlcSessionOptions *options, MlcRtError *error)
{
    const MlcModel *m = s->model;
    if (!allocate(s, options->profile, error) || !use_given_memory(s, options, error))
        return false;
    link_tensors(s);
    s->call = (MlcRtCall){
        .table = &mlc_rt_table,
        .constants = m->constants,
        .prepared = m->prepared,
        .inputs = s->inputs,
        .outputs = s->output_data,
        .input_dims = s->dim_rows,
        .output_dims = (int64_t *const *)(uintptr_t)(s->dim_rows + m->num_inputs),
        .scratch_bytes = (int64_t)m->header.scratch_bytes,
        .threads = wanted_threads(options),
        .session = s,
    };
    if (!open_queue(s, options, error) || !set_memory(s, m->header.arena_bytes, error))
        return false;
    s->shapes_changed = has_dynamic_dims(m) || s->shapes;
    return s->shapes_changed || place_outputs(s, error);
}

MlcSession *
mlc_session_create(const MlcModel *model, const MlcSessionOptions *options, MlcRtError *error)
{
    MlcSessionOptions own = {0};
    if (options && !mlc_sized_try_copy(&own, sizeof own, options))
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, MLC_RT_NOT_SIZED, "MlcSessionOptions"), NULL;
    options = &own;
    MlcSession *s = calloc(1, sizeof *s);
    if (!s)
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session"), NULL;
    s->model = model;
    int64_t available = mlc_rt_pool_acquire(wanted_threads(options));
    if (set_up(s, options, error)) {
        s->call.threads = available;
        return s;
    }
    mlc_session_destroy(s);
    return NULL;
}

void
mlc_session_destroy(MlcSession *s)
{
    if (!s)
        return;
    mlc_rt_pool_release();
    if (s->owns_memory)
        mlc_rt_pages_destroy(s->memory, s->memory_bytes);
    for (uint32_t i = 0; s->more && i < mlc_rt_shape_plan_num_computed(s->shapes); i++)
        mlc_rt_pages_destroy(s->more[i].data, s->more[i].bytes);
    free(s->more);
    for (int32_t i = 0; s->outputs && i < s->model->num_outputs; i++)
        mlc_rt_pages_destroy(s->outputs[i].own, s->outputs[i].own_bytes);
    for (int32_t i = 0; s->string_inputs && i < s->model->num_inputs; i++)
        free(s->string_inputs[i].numbers);
    free(s->string_inputs);
    mlc_rt_strings_release(&s->texts.own);
    free(s->dims);
    free(s->dim_rows);
    free(s->inputs);
    free(s->input_set);
    free(s->output_data);
    free(s->outputs);
    free(s->profile);
    free(s->timed);
    mlc_rt_queue_destroy(s->queue);
    for (size_t i = 0; i < s->num_caches; i++)
        mlc_rt_cache_release(&s->caches[i]);
    free(s->caches);
    mlc_rt_shape_plan_destroy(s->shapes);
    free(s);
}

int32_t
mlc_session_threads(const MlcSession *s)
{
    return (int32_t)s->call.threads;
}

static void
print_dims(char *text, size_t size, const int64_t *dims, int32_t rank)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < rank && used < size; i++)
        used += (size_t)(dims[i] < 0 ? snprintf(text + used, size - used, "%s?", i ? "x" : "")
                                     : snprintf(text + used, size - used, "%s%lld", i ? "x" : "",
                                                (long long)dims[i]));
}

static bool
dims_match(const MlcRtTensorInfo *info, const MlcRtTensor *t)
{
    if (info->rank != t->rank)
        return false;
    for (int32_t i = 0; i < t->rank; i++)
        if (t->dims[i] < 0 || (info->dims[i] >= 0 && info->dims[i] != t->dims[i]))
            return false;
    return true;
}

static size_t
alignment_of(MlcRtType type)
{
    return type == MLC_RT_STRING ? sizeof(const char *) : mlc_rt_type_bytes(type);
}

static bool
check_tensor(const MlcRtTensorInfo *info, const MlcRtTensor *t, MlcRtError *error)
{
    char want[128], got[128];
    size_t bytes, element = alignment_of(info->type);
    if (t->type != info->type)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "input '%s' has elements of type %s, got %s",
                           info->name, mlc_rt_type_name(info->type), mlc_rt_type_name(t->type));
    if (t->rank < 0 || (t->rank > 0 && !t->dims))
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "no shape given for input '%s'", info->name);
    if (!dims_match(info, t)) {
        print_dims(want, sizeof want, info->dims, info->rank);
        print_dims(got, sizeof got, t->dims, t->rank);
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "input '%s' has shape [%s], got [%s]",
                           info->name, want, got);
    }
    if (!mlc_rt_tensor_bytes(t->type, t->rank, t->dims, &bytes))
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "the shape of input '%s' is too large",
                           info->name);
    if (bytes > 0 && !t->data)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "no data given for input '%s'", info->name);
    if ((uintptr_t)t->data % element != 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "the data of input '%s' is not aligned to its elements of %zu bytes",
                           info->name, element);
    return true;
}

static bool
is_the_sessions(const char *name, MlcRtError *error)
{
    return mlc_rt_fail(
        error, MLC_RT_ARGUMENT,
        "'%s' grows in memory of the session's (mlc_session_grow), and cannot be set", name);
}

bool
mlc_session_set_input(MlcSession *s, int32_t index, const MlcRtTensor *tensor, MlcRtError *error)
{
    const MlcModel *m = s->model;
    if (index < 0 || index >= m->num_inputs)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "no input %d: the model has %d", index,
                           m->num_inputs);
    const MlcRtTensorInfo *info = &m->tensors[index];
    const MlcRtCache *cache = cache_of(s, index, false);
    if (cache && cache->is_grown)
        return is_the_sessions(info->name, error);
    if (!check_tensor(info, tensor, error))
        return false;
    int64_t *dims = s->dims + (info->dims - m->dims);
    for (int32_t i = 0; i < tensor->rank; i++) {
        s->shapes_changed |= dims[i] != tensor->dims[i];
        dims[i] = tensor->dims[i];
    }
    s->inputs[index] = tensor->data;
    s->string_inputs[index].given = tensor->data;
    s->input_set[index] = true;
    return true;
}

bool
mlc_session_set_output(MlcSession *s, int32_t index, void *data, size_t bytes, MlcRtError *error)
{
    if (index < 0 || index >= s->model->num_outputs)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "no output %d: the model has %d", index,
                           s->model->num_outputs);
    Output *o = &s->outputs[index];
    const MlcRtCache *cache = cache_of(s, index, true);
    if (cache && cache->is_grown)
        return is_the_sessions(output_info(s, index)->name, error);
    if ((uintptr_t)data % alignment_of(o->tensor.type) != 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "the memory for output '%s' is not aligned to its elements",
                           output_info(s, index)->name);
    o->given = data;
    o->given_bytes = bytes;
    // With dynamic dimensions the size is known, and checked, when the model runs.
    return s->shapes_changed || place_outputs(s, error);
}

// ---- caches that grow in place

static bool
no_such_cache(const MlcSession *s, const char *dim, MlcRtError *error)
{
    if (s->num_caches == 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "nothing of '%s' grows along '%s': no output is an input and more along "
                           "a dimension",
                           mlc_model_name(s->model), dim);
    return mlc_rt_fail(error, MLC_RT_ARGUMENT, "nothing of '%s' grows along '%s', but along '%s'",
                       mlc_model_name(s->model), dim, mlc_rt_shape_plan_cache_name(s->shapes, 0));
}

// All caches along one dimension have one length and one room.
static MlcRtCache *
cache_along(const MlcSession *s, const char *dim)
{
    for (size_t i = 0; i < s->num_caches; i++)
        if (strcmp(mlc_rt_shape_plan_cache_name(s->shapes, i), dim) == 0)
            return &s->caches[i];
    return NULL;
}

static void
set_caches(MlcSession *s, const char *dim, int64_t length, int64_t room)
{
    for (size_t i = 0; i < s->num_caches; i++) {
        MlcRtCache *cache = &s->caches[i];
        if (strcmp(mlc_rt_shape_plan_cache_name(s->shapes, i), dim) != 0)
            continue;
        cache->is_grown = true;
        cache->length = length;
        cache->room = room;
        mlc_rt_shape_plan_grow(s->shapes, i, length, room);
        s->input_set[cache->info->input] = true;
    }
    s->shapes_changed = true;
}

bool
mlc_session_grow(MlcSession *s, const char *dim, int64_t room, MlcRtError *error)
{
    const MlcRtCache *cache = cache_along(s, dim);
    if (!cache)
        return no_such_cache(s, dim, error);
    if (room < cache->length || room < 0)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "room for %lld along '%s', where there are %lld already",
                           (long long)room, dim, (long long)cache->length);
    set_caches(s, dim, cache->length, room);
    return true;
}

bool
mlc_session_set_length(MlcSession *s, const char *dim, int64_t length, MlcRtError *error)
{
    const MlcRtCache *cache = cache_along(s, dim);
    if (!cache)
        return no_such_cache(s, dim, error);
    if (!cache->is_grown || length < 0 || length > cache->length)
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "length %lld along '%s', where there are %lld",
                           (long long)length, dim, (long long)cache->length);
    set_caches(s, dim, length, cache->room);
    return true;
}

int64_t
mlc_session_length(const MlcSession *s, const char *dim)
{
    const MlcRtCache *cache = cache_along(s, dim);
    return cache && cache->is_grown ? cache->length : -1;
}

// The memory of outputs that are no caches of the session's begins with their inputs.
static bool
begin_caches(MlcSession *s, MlcRtError *error)
{
    for (size_t i = 0; i < s->num_caches; i++) {
        const MlcArtefactCache *info = s->caches[i].info;
        const Output *o = &s->outputs[info->output];
        const MlcRtTensorInfo *in = &s->model->tensors[info->input];
        const int64_t *dims = s->dims + (in->dims - s->model->dims);
        size_t bytes;
        if (s->caches[i].is_grown || !mlc_rt_tensor_bytes(in->type, in->rank, dims, &bytes))
            continue;
        uintptr_t from = (uintptr_t)s->inputs[info->input], to = (uintptr_t)o->tensor.data;
        if (bytes > 0 && from < to + o->bytes && to < from + bytes)
            return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                               "input '%s' and output '%s' share memory: mlc_session_grow lets one "
                               "grow in the other's",
                               in->name, output_info(s, (int32_t)info->output)->name);
        mlc_rt_cache_begin(info, &o->tensor, s->inputs[info->input], dims[info->dim],
                           s->call.threads);
    }
    return true;
}

// What the run has appended belongs to the caches.
static void
extend_caches(MlcSession *s)
{
    const int64_t *sizes = s->shapes ? mlc_rt_shape_plan_sizes(s->shapes) : NULL;
    for (size_t i = 0; i < s->num_caches; i++) {
        MlcRtCache *cache = &s->caches[i];
        int64_t length = sizes[cache->info->present];
        if (!cache->is_grown || cache->length == length)
            continue;
        cache->length = length;
        mlc_rt_shape_plan_grow(s->shapes, i, length, cache->room);
        s->shapes_changed = true;
    }
}

// The name of the input that has dimension `dim`, counted over all.
static const char *
input_of_dim(const MlcModel *m, size_t dim)
{
    int32_t i = 0;
    while (i + 1 < m->num_inputs && dim >= (size_t)(m->tensors[i + 1].dims - m->dims))
        i++;
    return m->tensors[i].name;
}

// Dimensions of one name have one size.
static bool
check_dim_names(const MlcSession *s, MlcRtError *error)
{
    const MlcModel *m = s->model;
    size_t end = m->num_inputs > 0 ? (size_t)(m->tensors[m->num_inputs - 1].dims - m->dims) +
                                         (size_t)m->tensors[m->num_inputs - 1].rank
                                   : 0;
    for (size_t i = 0; i < end; i++)
        for (size_t k = 0; k < i && m->dims[i] < 0 && m->dim_names[i][0] != '\0'; k++)
            if (m->dims[k] < 0 && strcmp(m->dim_names[i], m->dim_names[k]) == 0 &&
                s->dims[i] != s->dims[k] && s->dims[i] >= 0 && s->dims[k] >= 0)
                return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                                   "dimension '%s' is %lld in input '%s' and %lld in input '%s'",
                                   m->dim_names[i], (long long)s->dims[k], input_of_dim(m, k),
                                   (long long)s->dims[i], input_of_dim(m, i));
    return true;
}

static bool
report_failure(MlcSession *s, int32_t code, MlcRtError *error)
{
    if (atomic_load(&s->fail_code) != 0)
        return mlc_rt_fail(error, MLC_RT_RUN, "%s", s->fail_message);
    return mlc_rt_fail(error, MLC_RT_RUN, "the model failed with code %d", code);
}

static bool
use_shapes(MlcSession *s, int64_t arena_bytes, MlcRtError *error)
{
    if (!set_memory(s, (size_t)arena_bytes, error) || !place_caches(s, error) ||
        !place_outputs(s, error))
        return false;
    s->shapes_changed = s->shapes && mlc_rt_shape_plan_num_computed(s->shapes) > 0;
    return true;
}

// Memory for what follows from a size that the code has computed now: buffers, which lie behind the
// arena's address by as much as their memory does, and outputs.
static bool
set_size(MlcSession *s, int64_t number, int64_t value, MlcRtError *error)
{
    int64_t bytes = 0;
    if (!mlc_rt_shape_plan_set(s->shapes, number, value, s->dims, &bytes, error))
        return false;
    Pages *pages = &s->more[number];
    if ((size_t)bytes > pages->bytes) {
        char *data = mlc_rt_pages_create((size_t)bytes);
        if (!data)
            return mlc_rt_fail(error, MLC_RT_MEMORY,
                               "not enough memory for an arena of %lld bytes: %s", (long long)bytes,
                               strerror(errno));
        mlc_rt_pages_destroy(pages->data, pages->bytes);
        *pages = (Pages){data, (size_t)bytes};
    }
    if (!place_outputs(s, error))
        return false;
    mlc_rt_shape_plan_move(s->shapes, s->call.arena,
                           (intptr_t)pages->data - (intptr_t)s->call.arena, s->output_data);
    return true;
}

static int64_t
table_set_size(const MlcRtCall *call, int64_t number, int64_t value)
{
    MlcSession *s = call->session;
    MlcRtError error = {0};
    if (atomic_load(&s->fail_code) != 0)
        return -1;
    if (s->shapes && set_size(s, number, value, &error))
        return value;
    table_fail(call, error.status, error.message);
    return -1;
}

static bool
plan_shapes(MlcSession *s, MlcRtError *error)
{
    int64_t arena_bytes = 0;
    if (s->shapes)
        mlc_rt_shape_plan_open(s->shapes, s->dims);
    if (!check_dim_names(s, error))
        return false;
    if (s->shapes)
        return mlc_rt_shape_plan_run(s->shapes, s->dims, &arena_bytes, error) &&
               use_shapes(s, arena_bytes, error);
    if (!s->model->shapes)
        return mlc_rt_fail(error, MLC_RT_CORRUPT,
                           "the model has dynamic dimensions, but no shape function");
    MlcRtCall call = s->call;
    call.scratch = &arena_bytes;
    int32_t code = s->model->shapes(&call);
    if (code != 0 || atomic_load(&s->fail_code) != 0)
        return report_failure(s, code, error);
    if (arena_bytes < 0)
        return mlc_rt_fail(error, MLC_RT_RUN, "the shape function asks for %lld bytes",
                           (long long)arena_bytes);
    return use_shapes(s, arena_bytes, error);
}

// Rows of a tensor that stand apart as `most` says are brought together, as dims say: each goes to
// where it stands, or before.
static void
bring_together(const MlcRtTensor *t, const int64_t *most)
{
    size_t row = t->type == MLC_RT_STRING ? sizeof(int64_t) : mlc_rt_type_bytes(t->type), apart,
           index[MLC_ARTEFACT_MAX_RANK] = {0};
    char *to = t->data;
    int32_t last = t->rank;
    for (int32_t i = 0; i < t->rank; i++)
        if (t->dims[i] == 0)
            return;
    while (last > 0 && t->dims[last - 1] == most[last - 1])
        row *= (size_t)t->dims[--last];
    if (last == 0)
        return;
    apart = row * (size_t)most[last - 1];
    row *= (size_t)t->dims[last - 1];
    for (int32_t i = last; i >= 0;) {
        size_t from = 0;
        for (int32_t k = 0; k < last - 1; k++)
            from = from * (size_t)most[k] + index[k];
        memmove(to, (char *)t->data + from * apart, row);
        to += row;
        for (i = last - 2; i >= 0 && ++index[i] == (size_t)t->dims[i]; i--)
            index[i] = 0;
    }
}

// Strings in place of their numbers, from the last one on: they take twice the room.
static void
make_strings(const MlcSession *s, const MlcRtTensor *t)
{
    size_t count = 1;
    for (int32_t i = 0; i < t->rank; i++)
        count *= (size_t)t->dims[i];
    MlcRtString *strings = t->data;
    while (count-- > 0) {
        int64_t number;
        memcpy(&number, (const char *)t->data + count * sizeof number, sizeof number);
        strings[count] = mlc_rt_text_string(&s->texts, number);
    }
}

// What the code wrote as sizes, and the data behind them.
static bool
finish_outputs(MlcSession *s, MlcRtError *error)
{
    for (int32_t i = 0; i < s->model->num_outputs; i++) {
        const MlcRtTensor *t = &s->outputs[i].tensor;
        int64_t most[MLC_ARTEFACT_MAX_RANK];
        bool any = false;
        for (int32_t k = 0; k < t->rank; k++) {
            bool found = is_found(s, i, k);
            most[k] = found ? output_info(s, i)->bounds[k] : t->dims[k];
            any |= found;
            if (found && (t->dims[k] < 0 || t->dims[k] > most[k]))
                return mlc_rt_fail(
                    error, MLC_RT_RUN, "size %d of output '%s' is %lld, not within 0 and %lld", k,
                    output_info(s, i)->name, (long long)t->dims[k], (long long)most[k]);
        }
        if (any)
            bring_together(t, most);
        if (t->type == MLC_RT_STRING)
            make_strings(s, t);
    }
    return true;
}

static size_t
count_elements(const int64_t *dims, int32_t rank)
{
    size_t count = 1; // it was checked that they fit
    for (int32_t i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    return count;
}

// Numbers for all strings that come in.
static bool
number_inputs(MlcSession *s, MlcRtError *error)
{
    const MlcModel *m = s->model;
    mlc_rt_texts_clear(&s->texts);
    for (int32_t i = 0; i < m->num_inputs; i++) {
        const MlcRtTensorInfo *info = &m->tensors[i];
        StringInput *input = &s->string_inputs[i];
        if (info->type != MLC_RT_STRING)
            continue;
        size_t count = count_elements(s->dims + (info->dims - m->dims), info->rank), at = 0;
        if (count > input->room || !input->numbers) {
            free(input->numbers);
            input->numbers = malloc((count + 1) * sizeof *input->numbers);
            input->room = input->numbers ? count : 0;
        }
        for (size_t k = 0; k < count && input->numbers; k++) {
            MlcRtString given = input->given[k];
            given.data = given.data ? given.data : "";
            if (!mlc_rt_text_is_valid(given, &at))
                return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                                   "element %zu of input '%s' is no UTF-8 at its byte %zu", k,
                                   info->name, at);
            input->numbers[k] = mlc_rt_text_number(&s->texts, given);
            if (input->numbers[k] < 0)
                return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        }
        if (!input->numbers)
            return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        s->inputs[i] = input->numbers;
    }
    return true;
}

static bool
run(MlcSession *s, MlcRtError *error)
{
    for (int32_t i = 0; i < s->model->num_inputs; i++)
        if (!s->input_set[i])
            return mlc_rt_fail(error, MLC_RT_ARGUMENT, "input '%s' is not set",
                               s->model->tensors[i].name);
    atomic_store_explicit(&s->fail_code, 0, memory_order_relaxed);
    if (!number_inputs(s, error))
        return false;
    if (s->queue && !mlc_rt_queue_begin(s->queue, error))
        return false;
    if (s->shapes_changed && !plan_shapes(s, error))
        return false;
    mlc_rt_pool_begin_run();
    if (!begin_caches(s, error))
        return mlc_rt_pool_end_run(), false;
    begin_device(s);
    int32_t code = s->model->main(&s->call);
    wait_for_device(s);
    mlc_rt_pool_end_run();
    if (code != 0 || atomic_load(&s->fail_code) != 0)
        return report_failure(s, code, error);
    extend_caches(s);
    return finish_outputs(s, error);
}

bool
mlc_session_run(MlcSession *s, MlcRtError *error)
{
    if (atomic_exchange(&s->running, true))
        return mlc_rt_fail(error, MLC_RT_ARGUMENT,
                           "the session runs in another thread: use one session per thread");
    bool ok = run(s, error);
    s->has_run = ok;
    atomic_store(&s->running, false);
    return ok;
}

const MlcRtTensor *
mlc_session_output(const MlcSession *s, int32_t index)
{
    return s->has_run && index >= 0 && index < s->model->num_outputs ? &s->outputs[index].tensor
                                                                     : NULL;
}

MlcRtProfile
mlc_session_profile(const MlcSession *s, int32_t kernel)
{
    if (!s->profile || kernel < 0 || kernel >= s->model->num_kernels)
        return (MlcRtProfile){0};
    return s->profile[kernel];
}

bool
mlc_rt_run_init(MlcModel *model, int64_t threads, MlcRtError *error)
{
    MlcSession s = {
        .model = model,
        .owns_memory = true,
        .texts = {.literals = &model->literals, .own = {.first = model->literals.count}}};
    s.call = (MlcRtCall){.table = &mlc_rt_table,
                         .constants = model->constants,
                         .prepared = model->prepared,
                         .scratch_bytes = (int64_t)model->header.scratch_bytes,
                         .threads = mlc_rt_pool_acquire(threads > 0 ? threads : 1),
                         .session = &s};
    bool ok = set_memory(&s, model->header.init_arena_bytes, error);
    if (ok) {
        int32_t code = model->init(&s.call);
        ok = (code == 0 && atomic_load(&s.fail_code) == 0) || report_failure(&s, code, error);
    }
    mlc_rt_strings_release(&s.texts.own);
    mlc_rt_pages_destroy(s.memory, s.memory_bytes);
    mlc_rt_pool_release();
    return ok;
}
