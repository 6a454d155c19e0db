// device_cuda.c -- a model's kernels and constants on a CUDA device.
#include "device_cuda.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOG_BYTES = 300 };

bool
mlc_rt_cuda_failed(const MlcRtDevice *d, int result, MlcRtError *error, const char *what)
{
    char text[200];
    if (result == MLC_CUDA_SUCCESS)
        return false;
    mlc_rt_cuda_describe(d->driver, result, text, sizeof text);
    mlc_rt_fail(error, result == MLC_CUDA_OUT_OF_MEMORY ? MLC_RT_MEMORY : MLC_RT_DEVICE,
                "%s: %s (%s)", d->name, what, text);
    return true;
}

bool
mlc_rt_cuda_alloc(const MlcRtDevice *d, size_t bytes, const char *what, MlcCudaAddress *address,
                  MlcRtError *error)
{
    char text[100];
    snprintf(text, sizeof text, "no memory for %s of %zu bytes", what, bytes);
    return !mlc_rt_cuda_failed(d, d->driver->memory_alloc(address, bytes), error, text);
}

bool
mlc_rt_cuda_use(const MlcRtDevice *d, MlcRtError *error)
{
    return !mlc_rt_cuda_failed(d, d->driver->context_use(d->context), error, "it cannot be used");
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

// Cubins are taken if they were made for this very capability.
static bool
is_exact(const MlcRtDevice *d, const char *target)
{
    return strtol(target + strcspn(target, "0123456789"), NULL, 10) == d->capability;
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
    return !mlc_rt_cuda_failed(d, result, error, text);
}

static bool
load_images(MlcRtDevice *d, const char *target, bool cubins, MlcRtError *error)
{
    bool any = false, ok = true;
    for (size_t i = 0; i < d->code->num_images && ok; i++) {
        const MlcRtImage *image = &d->code->images[i];
        if (strcmp(image->target, target) != 0 || mlc_rt_image_is_cubin(image) != cubins)
            continue;
        ok = load_image(d, i, error);
        any = true;
    }
    for (size_t i = 0; i < d->code->num_images && !ok; i++)
        if (d->modules[i]) {
            (void)d->driver->module_unload(d->modules[i]);
            d->modules[i] = NULL;
        }
    return any && ok;
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
    return !mlc_rt_cuda_failed(d, result, error, text);
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
    // What the driver does not take it may still make of PTX.
    bool ok = is_exact(d, target) && load_images(d, target, true, NULL);
    if (!ok && !load_images(d, target, false, error))
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
    MlcRtQueue *queue = mlc_rt_queue_create(d, 1, false, error);
    bool ok = queue &&
              mlc_rt_cuda_alloc(d, d->code->constants_bytes, "constants", &d->constants, error) &&
              mlc_rt_queue_copy(queue, (void *)(uintptr_t)d->constants, d->code->constants,
                                (int64_t)d->code->constants_bytes, MLC_RT_COPY_TO_DEVICE, error) &&
              mlc_rt_queue_wait(queue, error);
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
    if (mlc_rt_cuda_failed(d, driver->context_retain(&d->context, d->device), error,
                           "it has no context") ||
        !mlc_rt_cuda_use(d, error) || !load_code(d, error) || !load_constants(d, error)) {
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
    if (d->context && mlc_rt_cuda_use(d, NULL)) {
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
