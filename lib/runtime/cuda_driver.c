// cuda_driver.c -- looks for the driver: the file that MLC_CUDA_LIB names, else libcuda.so.1.
#include "cuda_driver.h"

#include "model.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static_assert(sizeof(MlcCudaLaunchAttribute) == 72 && sizeof(MlcCudaLaunchConfig) == 56,
              "as cuda.h has them");

static MlcRtCudaDriver driver;
static MlcRtError fault; // of opening it
static pthread_once_t once = PTHREAD_ONCE_INIT;

void
mlc_rt_cuda_describe(const MlcRtCudaDriver *d, int result, char *text, size_t size)
{
    const char *name = NULL, *words = NULL;
    (void)d->error_name(result, &name);
    (void)d->error_text(result, &words);
    snprintf(text, size, "%s: %s", name ? name : "unknown error", words ? words : "no text");
}

static void
open_driver(void)
{
    const char *path = getenv("MLC_CUDA_LIB");
    char text[200];
    if (!path || !*path)
        path = "libcuda.so.1";
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        mlc_rt_fail(&fault, MLC_RT_DEVICE,
                    "no CUDA driver: %s (MLC_CUDA_LIB may name another file)", dlerror());
        return;
    }
#define LOOK_UP(name, symbol, parameters) *(void **)(void *)&driver.name = dlsym(library, #symbol);
#define NEED(name, symbol, parameters)                                                             \
    if (!driver.name) {                                                                            \
        mlc_rt_fail(&fault, MLC_RT_DEVICE, "the CUDA driver '%s' has no '%s': it is too old",      \
                    path, #symbol);                                                                \
        return;                                                                                    \
    }
    MLC_CUDA_FUNCTIONS(LOOK_UP)
    MLC_CUDA_NEWER_FUNCTIONS(LOOK_UP)
    MLC_CUDA_FUNCTIONS(NEED)
#undef LOOK_UP
#undef NEED
    int result = driver.init(0);
    if (result == MLC_CUDA_SUCCESS)
        return;
    mlc_rt_cuda_describe(&driver, result, text, sizeof text);
    mlc_rt_fail(&fault, MLC_RT_DEVICE, "the CUDA driver does not start (%s)", text);
}

const MlcRtCudaDriver *
mlc_rt_cuda_driver(MlcRtError *error)
{
    pthread_once(&once, open_driver);
    if (fault.status == MLC_RT_OK)
        return &driver;
    if (error)
        *error = fault;
    return NULL;
}

bool
mlc_rt_cuda_check(const MlcRtCudaDriver *d, const char *name, int result, MlcRtError *error)
{
    char text[200];
    if (result == MLC_CUDA_SUCCESS)
        return true;
    mlc_rt_cuda_describe(d, result, text, sizeof text);
    return mlc_rt_fail(error, MLC_RT_DEVICE, "device '%s' cannot be used (%s)", name, text);
}

bool
mlc_rt_cuda_find(const MlcRtCudaDriver *d, const char *name, MlcCudaDevice *device,
                 MlcRtError *error)
{
    int count = 0;
    char *end = NULL;
    long number = strncmp(name, "cuda:", 5) == 0 ? strtol(name + 5, &end, 10) : -1;
    if (strcmp(name, "cuda") == 0)
        number = 0;
    else if (number < 0 || number > INT32_MAX || end == name + 5 || *end != '\0')
        return mlc_rt_fail(error, MLC_RT_ARGUMENT, "no device '%s': devices are cuda:0, cuda:1...",
                           name);
    if (!mlc_rt_cuda_check(d, name, d->device_count(&count), error))
        return false;
    if (number >= count)
        return mlc_rt_fail(error, MLC_RT_DEVICE, "no device '%s': the driver has %d", name, count);
    return mlc_rt_cuda_check(d, name, d->device_get(device, (int)number), error);
}

bool
mlc_rt_cuda_capability(const MlcRtCudaDriver *d, const char *name, MlcCudaDevice device,
                       int *capability, MlcRtError *error)
{
    int major = 0, minor = 0;
    if (!mlc_rt_cuda_check(d, name,
                           d->device_attribute(&major, MLC_CUDA_ATTRIBUTE_CAPABILITY_MAJOR, device),
                           error) ||
        !mlc_rt_cuda_check(d, name,
                           d->device_attribute(&minor, MLC_CUDA_ATTRIBUTE_CAPABILITY_MINOR, device),
                           error))
        return false;
    *capability = major * 10 + minor;
    return true;
}
