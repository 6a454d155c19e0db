// device_cuda.h -- a CUDA device with a model's kernels, as the queues of work on it see it.
#ifndef MLC_LIB_RUNTIME_DEVICE_CUDA_H
#define MLC_LIB_RUNTIME_DEVICE_CUDA_H

#include "cuda_driver.h"
#include "device.h"

#include <pthread.h>

enum { MLC_RT_CUDA_MAX_NAME = 32 };

struct MlcRtDevice {
    const MlcRtCudaDriver *driver;
    const MlcRtDeviceCode *code;
    char name[MLC_RT_CUDA_MAX_NAME];
    MlcCudaDevice device;
    MlcCudaContext *context;
    MlcCudaModule **modules; // of the images that fit; the others NULL
    MlcCudaFunction **functions;
    pthread_mutex_t lock;
    uint32_t *shared_bytes; // of each function, that it was told of; under the lock
    MlcCudaAddress constants;
    int capability; // 90 is 9.0
};

// Whether a function of the driver failed; then the error says what, and the driver's words.
bool mlc_rt_cuda_failed(const MlcRtDevice *device, int result, MlcRtError *error, const char *what);
// False after an error: no memory for `what`.
bool mlc_rt_cuda_alloc(const MlcRtDevice *device, size_t bytes, const char *what,
                       MlcCudaAddress *address, MlcRtError *error);
// What this thread asks the driver for is of the device.
bool mlc_rt_cuda_use(const MlcRtDevice *device, MlcRtError *error);

#endif
