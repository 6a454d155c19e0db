// cuda_driver.h -- the CUDA driver, opened once in a process.
//
// Ownership: the driver stays open.
// Threads: any.
#ifndef MLC_LIB_RUNTIME_CUDA_DRIVER_H
#define MLC_LIB_RUNTIME_CUDA_DRIVER_H

#include "mlc/runtime.h"
#include "mlc/support/cuda_api.h"

typedef struct MlcRtCudaDriver {
#define MEMBER(name, symbol, parameters) int(*name) parameters;
    MLC_CUDA_FUNCTIONS(MEMBER)
    MLC_CUDA_NEWER_FUNCTIONS(MEMBER) // NULL where the driver is older
#undef MEMBER
} MlcRtCudaDriver;

// The driver, initialised; NULL after an error, the same one for everybody.
const MlcRtCudaDriver *mlc_rt_cuda_driver(MlcRtError *error);

// "CUDA_ERROR_OUT_OF_MEMORY: out of memory"
void mlc_rt_cuda_describe(const MlcRtCudaDriver *driver, int result, char *text, size_t size);

// The device of a name such as "cuda:0".
bool mlc_rt_cuda_find(const MlcRtCudaDriver *driver, const char *name, MlcCudaDevice *device,
                      MlcRtError *error);

// Whether a function of the driver worked; else the error says that device `name` cannot be used,
// and why.
bool mlc_rt_cuda_check(const MlcRtCudaDriver *driver, const char *name, int result,
                       MlcRtError *error);
// 90 is 9.0.
bool mlc_rt_cuda_capability(const MlcRtCudaDriver *driver, const char *name, MlcCudaDevice device,
                            int *capability, MlcRtError *error);

#endif
