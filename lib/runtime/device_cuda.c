// device_cuda.c -- a model's kernels and constants on a CUDA device, and streams of work for its
// sessions.
#include "cuda_driver.h"
#include "device.h"

#include "model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NAME = 32, LOG_BYTES = 300, CHUNK_BYTES = 1 << 20 };

struct MlcRtDevice {
    const MlcRtCudaDriver *driver;
    const MlcRtDeviceCode *code;
    char name[MAX_NAME];
    MlcCudaDevice device;
    MlcCudaContext *context;
    MlcCudaModule **modules; // of the images that fit; the others NULL
    MlcCudaFunction **functions;
    pthread_mutex_t lock;
    uint32_t *shared_bytes; // of each function, that it was told of; under the lock
    MlcCudaAddress constants;
    int capability; // 90 is 9.0
};

// A piece of memory that a run allocates from.
typedef struct Chunk {
    struct Chunk *next;
    MlcCudaAddress address;
    size_t bytes, used;
} Chunk;

struct MlcRtQueue {
    MlcRtDevice *device;
    MlcCudaStream *stream;
    MlcCudaAddress arena;
    size_t arena_bytes;
    Chunk *chunks; // what runs allocated so far
};

static bool
failed(const MlcRtDevice *d, int result, MlcRtError *error, const char *what)
{
    char text[200];
    if (result == MLC_CUDA_SUCCESS)
        return false;
    mlc_rt_cuda_describe(d->driver, result, text, sizeof text);
    mlc_rt_fail(error, result == MLC_CUDA_OUT_OF_MEMORY ? MLC_RT_MEMORY : MLC_RT_DEVICE,
                "%s: %s (%s)", d->name, what, text);
    return true;
}

static bool
allocate(const MlcRtDevice *d, size_t bytes, const char *what, MlcCudaAddress *address,
         MlcRtError *error)
{
    char text[100];
    snprintf(text, sizeof text, "no memory for %s of %zu bytes", what, bytes);
    return !failed(d, d->driver->memory_alloc(address, bytes), error, text);
}

static bool
use_context(const MlcRtDevice *d, MlcRtError *error)
{
    return !failed(d, d->driver->context_use(d->context), error, "it cannot be used");
}

// What the target's name says of where code runs: "cuda-sm_90a" on 9.0 alone, "cuda-sm_80" on 8.0
// and later. 0: not here; else the more the better.
static int
fit(const MlcRtDevice *d, const char *target)
{
    static const char prefix[] = "cuda-sm_";
    char *end;
    if (strncmp(target, prefix, sizeof prefix - 1) != 0)
        return 0;
    long wanted = strtol(target + sizeof prefix - 1, &end, 10);
    if (*end == 'a')
        return wanted == d->capability ? (int)wanted * 2 + 1 : 0;
    return wanted <= d->capability ? (int)wanted * 2 : 0;
}

static const char *
choose_target(const MlcRtDevice *d, MlcRtError *error)
{
    const char *best = NULL;
    char have[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < d->code->num_images; i++) {
        const char *target = d->code->images[i].target;
        if (fit(d, target) > (best ? fit(d, best) : 0))
            best = target;
        if (i == 0 || strcmp(target, d->code->images[i - 1].target) != 0)
            used += (size_t)snprintf(have + used, used < sizeof have ? sizeof have - used : 0,
                                     "%s%s", i ? ", " : "", target);
        used = used < sizeof have ? used : sizeof have - 1;
    }
    if (!best)
        mlc_rt_fail(error, MLC_RT_ISA,
                    "'%s' has code for %s, and %s has compute capability %d.%d: compile the model "
                    "for it",
                    d->code->model, have, d->name, d->capability / 10, d->capability % 10);
    return best;
}

static bool
load_image(MlcRtDevice *d, size_t i, MlcRtError *error)
{
    const MlcRtImage *image = &d->code->images[i];
    char log[LOG_BYTES] = "", text[LOG_BYTES + 64];
    int options[2] = {MLC_CUDA_JIT_ERROR_LOG, MLC_CUDA_JIT_ERROR_LOG_BYTES};
    void *values[2] = {log, (void *)(uintptr_t)sizeof log};
    int result = d->driver->module_load(&d->modules[i], image->data, 2, options, values);
    log[strcspn(log, "\n")] = '\0';
    snprintf(text, sizeof text, "the driver refuses the kernels for %s%s%s", image->target,
             *log ? ": " : "", log);
    return !failed(d, result, error, text);
}

static bool
find_kernel(MlcRtDevice *d, size_t kernel, MlcRtError *error)
{
    int result = MLC_CUDA_NOT_FOUND;
    char text[200];
    for (size_t i = 0; i < d->code->num_images && result == MLC_CUDA_NOT_FOUND; i++)
        if (d->modules[i])
            result = d->driver->module_function(&d->functions[kernel], d->modules[i],
                                                d->code->kernels[kernel]);
    snprintf(text, sizeof text, "kernel '%s' is not there", d->code->kernels[kernel]);
    return !failed(d, result, error, text);
}

static bool
load_code(MlcRtDevice *d, MlcRtError *error)
{
    const char *target = choose_target(d, error);
    d->modules = calloc(d->code->num_images + 1, sizeof(void *));
    d->functions = calloc(d->code->num_kernels + 1, sizeof(void *));
    if (!target)
        return false;
    d->shared_bytes = calloc(d->code->num_kernels + 1, sizeof *d->shared_bytes);
    if (!d->modules || !d->functions || !d->shared_bytes)
        return mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory to load '%s'", d->code->model);
    for (size_t i = 0; i < d->code->num_images; i++)
        if (strcmp(d->code->images[i].target, target) == 0 && !load_image(d, i, error))
            return false;
    for (size_t i = 0; i < d->code->num_kernels; i++)
        if (!find_kernel(d, i, error))
            return false;
    return true;
}

static bool
load_constants(MlcRtDevice *d, MlcRtError *error)
{
    if (d->code->constants_bytes == 0)
        return true;
    MlcRtQueue *queue = mlc_rt_queue_create(d, error);
    bool ok = queue && allocate(d, d->code->constants_bytes, "constants", &d->constants, error) &&
              mlc_rt_queue_copy(queue, (void *)(uintptr_t)d->constants, d->code->constants,
                                (int64_t)d->code->constants_bytes, MLC_RT_COPY_TO_DEVICE, error);
    mlc_rt_queue_destroy(queue);
    return ok;
}

MlcRtDevice *
mlc_rt_device_open(const char *name, const MlcRtDeviceCode *code, MlcRtError *error)
{
    const MlcRtCudaDriver *driver = mlc_rt_cuda_driver(error);
    MlcRtDevice *d = driver ? calloc(1, sizeof *d) : NULL;
    if (!driver)
        return NULL;
    if (!d) {
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        return NULL;
    }
    d->driver = driver;
    d->code = code;
    snprintf(d->name, sizeof d->name, "%s", name);
    if (!mlc_rt_cuda_find(driver, name, &d->device, error) ||
        !mlc_rt_cuda_capability(driver, name, d->device, &d->capability, error)) {
        free(d);
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    if (failed(d, driver->context_retain(&d->context, d->device), error, "it has no context") ||
        !use_context(d, error) || !load_code(d, error) || !load_constants(d, error)) {
        mlc_rt_device_close(d);
        return NULL;
    }
    return d;
}

void
mlc_rt_device_close(MlcRtDevice *d)
{
    if (!d)
        return;
    if (d->context && use_context(d, NULL)) {
        for (size_t i = 0; d->modules && i < d->code->num_images; i++)
            if (d->modules[i])
                (void)d->driver->module_unload(d->modules[i]);
        (void)d->driver->memory_free(d->constants);
        (void)d->driver->context_release(d->device);
    }
    pthread_mutex_destroy(&d->lock);
    free(d->modules);
    free(d->functions);
    free(d->shared_bytes);
    free(d);
}

const char *
mlc_rt_device_name(const MlcRtDevice *d)
{
    return d->name;
}

void *
mlc_rt_device_constants(const MlcRtDevice *d)
{
    return (void *)(uintptr_t)d->constants;
}

MlcRtQueue *
mlc_rt_queue_create(MlcRtDevice *device, MlcRtError *error)
{
    MlcRtQueue *q = calloc(1, sizeof *q);
    if (!q) {
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        return NULL;
    }
    q->device = device;
    if (!use_context(device, error) ||
        failed(device, device->driver->stream_create(&q->stream, 0), error, "no stream of work")) {
        free(q);
        return NULL;
    }
    return q;
}

void
mlc_rt_queue_destroy(MlcRtQueue *q)
{
    if (!q)
        return;
    bool is_usable = use_context(q->device, NULL);
    if (is_usable) {
        (void)q->device->driver->stream_destroy(q->stream);
        (void)q->device->driver->memory_free(q->arena);
    }
    for (Chunk *c = q->chunks, *next; c; c = next) {
        next = c->next;
        if (is_usable)
            (void)q->device->driver->memory_free(c->address);
        free(c);
    }
    free(q);
}

bool
mlc_rt_queue_reserve(MlcRtQueue *q, size_t bytes, void **arena, MlcRtError *error)
{
    if (bytes > q->arena_bytes) {
        MlcCudaAddress made = 0;
        if (!use_context(q->device, error) || !allocate(q->device, bytes, "an arena", &made, error))
            return false;
        (void)q->device->driver->memory_free(q->arena);
        q->arena = made;
        q->arena_bytes = bytes;
    }
    *arena = (void *)(uintptr_t)q->arena;
    return true;
}

// What the last run did not use is given back: sizes that grow from run to run ask for new chunks.
bool
mlc_rt_queue_begin(MlcRtQueue *q, MlcRtError *error)
{
    if (!use_context(q->device, error))
        return false;
    for (Chunk **at = &q->chunks, *c; (c = *at);) {
        if (c->used > 0) {
            c->used = 0;
            at = &c->next;
            continue;
        }
        *at = c->next;
        (void)q->device->driver->memory_free(c->address);
        free(c);
    }
    return true;
}

static Chunk *
add_chunk(MlcRtQueue *q, size_t bytes, MlcRtError *error)
{
    Chunk *c = calloc(1, sizeof *c);
    size_t size = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes;
    if (!c) {
        mlc_rt_fail(error, MLC_RT_MEMORY, "not enough memory for a session");
        return NULL;
    }
    if (!allocate(q->device, size, "a buffer", &c->address, error)) {
        free(c);
        return NULL;
    }
    c->bytes = size;
    c->next = q->chunks;
    return q->chunks = c;
}

bool
mlc_rt_queue_alloc(MlcRtQueue *q, int64_t bytes, void **out, MlcRtError *error)
{
    size_t align = 256, size = bytes > 0 ? ((size_t)bytes + align - 1) / align * align : align;
    Chunk *c = q->chunks;
    while (c && size > c->bytes - c->used)
        c = c->next;
    c = c ? c : add_chunk(q, size, error);
    if (!c)
        return false;
    *out = (void *)(uintptr_t)(c->address + c->used);
    c->used += size;
    return true;
}

// A function has to be told of more than 48 KiB, once.
static bool
set_shared_bytes(MlcRtDevice *d, size_t kernel, uint32_t bytes, MlcRtError *error)
{
    enum { WITHOUT_ASKING = 48 << 10 };
    int result = MLC_CUDA_SUCCESS;
    char text[200];
    if (bytes <= WITHOUT_ASKING)
        return true;
    pthread_mutex_lock(&d->lock);
    if (bytes > d->shared_bytes[kernel])
        result = d->driver->function_set(d->functions[kernel],
                                         MLC_CUDA_FUNCTION_DYNAMIC_SHARED_BYTES, (int)bytes);
    if (result == MLC_CUDA_SUCCESS && bytes > d->shared_bytes[kernel])
        d->shared_bytes[kernel] = bytes;
    pthread_mutex_unlock(&d->lock);
    snprintf(text, sizeof text, "kernel '%s' cannot have %u bytes of shared memory",
             d->code->kernels[kernel], bytes);
    return !failed(d, result, error, text);
}

// What is beyond 32 bits stays too much: the driver refuses it.
static uint32_t
launch_size(int64_t size)
{
    return size < 0 || size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

bool
mlc_rt_queue_launch(MlcRtQueue *q, int64_t kernel, const int64_t *sizes, const void *const *args,
                    MlcRtError *error)
{
    MlcRtDevice *d = q->device;
    char text[200];
    if (kernel < 0 || (size_t)kernel >= d->code->num_kernels)
        return mlc_rt_fail(error, MLC_RT_CORRUPT, "'%s' has no kernel %lld", d->code->model,
                           (long long)kernel);
    MlcCudaLaunchAttribute cluster = {.kind = MLC_CUDA_LAUNCH_CLUSTER};
    MlcCudaLaunchConfig config = {.stream = q->stream, .attributes = &cluster};
    for (int i = 0; i < 3; i++) {
        if (sizes[i] == 0)
            return true; // an empty grid, which the driver refuses
        config.grid[i] = launch_size(sizes[i]);
        config.block[i] = launch_size(sizes[3 + i]);
        cluster.value.cluster[i] = launch_size(sizes[6 + i]);
        config.num_attributes |= sizes[6 + i] > 1;
    }
    config.shared_bytes = launch_size(sizes[9]);
    if (!set_shared_bytes(d, (size_t)kernel, config.shared_bytes, error))
        return false;
    int result = d->driver->launch(&config, d->functions[kernel], (void **)(uintptr_t)args, NULL);
    snprintf(text, sizeof text, "kernel '%s' is not launched", d->code->kernels[kernel]);
    return !failed(d, result, error, text);
}

bool
mlc_rt_queue_copy(MlcRtQueue *q, void *to, const void *from, int64_t bytes, MlcRtCopy direction,
                  MlcRtError *error)
{
    static const char *const what[] = {"copying to it fails", "copying from it fails",
                                       "copying on it fails"};
    const MlcRtCudaDriver *d = q->device->driver;
    MlcCudaAddress target = (MlcCudaAddress)(uintptr_t)to, source = (MlcCudaAddress)(uintptr_t)from;
    size_t size = bytes > 0 ? (size_t)bytes : 0;
    int result = direction == MLC_RT_COPY_TO_DEVICE ? d->copy_in(target, from, size, q->stream)
                 : direction == MLC_RT_COPY_TO_HOST
                     ? d->copy_out(to, source, size, q->stream)
                     : d->copy_within(target, source, size, q->stream);
    // The host may use its side again when this returns.
    if (result == MLC_CUDA_SUCCESS && direction != MLC_RT_COPY_WITHIN)
        result = d->stream_wait(q->stream);
    return !failed(q->device, result, error, what[direction]);
}

bool
mlc_rt_queue_wait(MlcRtQueue *q, MlcRtError *error)
{
    return !failed(q->device, q->device->driver->stream_wait(q->stream), error, "a kernel fails");
}

bool
mlc_rt_queue_tensor_map(MlcRtQueue *q, void *map, const void *address, const int64_t *numbers,
                        MlcRtError *error)
{
    enum { MAX_RANK = 5 };
    const MlcRtDevice *d = q->device;
    uint64_t dims[MAX_RANK], strides[MAX_RANK];
    uint32_t box[MAX_RANK], steps[MAX_RANK], rank = (uint32_t)numbers[MLC_RT_TENSOR_RANK];
    for (uint32_t i = 0; i < MAX_RANK; i++) {
        dims[i] = (uint64_t)numbers[MLC_RT_TENSOR_SIZES + i];
        strides[i] = (uint64_t)numbers[MLC_RT_TENSOR_STRIDES + i];
        box[i] = (uint32_t)numbers[MLC_RT_TENSOR_TILE + i];
        steps[i] = 1;
    }
    // The driver takes no stride for the contiguous dimension.
    int result = d->driver->tensor_map(
        map, (int)numbers[MLC_RT_TENSOR_TYPE], rank, (MlcCudaAddress)(uintptr_t)address, dims,
        strides + 1, box, steps, (int)numbers[MLC_RT_TENSOR_INTERLEAVE],
        (int)numbers[MLC_RT_TENSOR_SWIZZLE], (int)numbers[MLC_RT_TENSOR_PROMOTION],
        (int)numbers[MLC_RT_TENSOR_FILL]);
    return !failed(d, result, error, "a tensor cannot be described to a kernel");
}
