// cuda_api.h -- what mlc uses of the CUDA driver's API: own declarations, so that nothing of CUDA
// is needed to build. The runtime looks the functions up in the driver, and libmlc-cudaemu defines
// them. Names, numbers and signatures are the driver's (NVIDIA, "CUDA Driver API" 13.0).
//
// Ownership: as the driver's manual says; here is nothing but a table.
// Threads: as the driver's: any, each with its current context.
#ifndef MLC_SUPPORT_CUDA_API_H
#define MLC_SUPPORT_CUDA_API_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef enum MlcCudaResult {
    MLC_CUDA_SUCCESS = 0,
    MLC_CUDA_INVALID_VALUE = 1,
    MLC_CUDA_OUT_OF_MEMORY = 2,
    MLC_CUDA_NOT_INITIALIZED = 3,
    MLC_CUDA_NO_DEVICE = 100,
    MLC_CUDA_INVALID_DEVICE = 101,
    MLC_CUDA_INVALID_IMAGE = 200,
    MLC_CUDA_INVALID_CONTEXT = 201,
    MLC_CUDA_NO_BINARY_FOR_GPU = 209,
    MLC_CUDA_INVALID_PTX = 218,
    MLC_CUDA_UNSUPPORTED_PTX_VERSION = 222,
    MLC_CUDA_INVALID_HANDLE = 400,
    MLC_CUDA_NOT_FOUND = 500,
    MLC_CUDA_ILLEGAL_ADDRESS = 700,
    MLC_CUDA_OUT_OF_RESOURCES = 701,
    MLC_CUDA_LAUNCH_FAILED = 719,
    MLC_CUDA_NOT_SUPPORTED = 801,
    MLC_CUDA_CAPTURE_UNSUPPORTED = 900,
    MLC_CUDA_CAPTURE_UNMATCHED = 903,
    MLC_CUDA_CAPTURE_UNJOINED = 904,
    MLC_CUDA_CAPTURE_ISOLATION = 905,
} MlcCudaResult;

enum {
    MLC_CUDA_ATTRIBUTE_MULTIPROCESSORS = 16,
    MLC_CUDA_ATTRIBUTE_CAPABILITY_MAJOR = 75,
    MLC_CUDA_ATTRIBUTE_CAPABILITY_MINOR = 76,
    MLC_CUDA_ATTRIBUTE_SHARED_BYTES = 97, // that a block may ask for
    MLC_CUDA_FUNCTION_DYNAMIC_SHARED_BYTES = 8,
    MLC_CUDA_JIT_ERROR_LOG = 5,
    MLC_CUDA_JIT_ERROR_LOG_BYTES = 6,
    MLC_CUDA_LAUNCH_CLUSTER = 4, // attribute of a launch: the blocks of a cluster
    MLC_CUDA_STREAM_NON_BLOCKING = 1,
    MLC_CUDA_EVENT_DISABLE_TIMING = 2,
    MLC_CUDA_CAPTURE_THREAD_LOCAL = 1, // what other threads do meanwhile is their business
};

typedef int MlcCudaDevice;       // CUdevice
typedef uint64_t MlcCudaAddress; // CUdeviceptr
typedef struct MlcCudaContext MlcCudaContext;
typedef struct MlcCudaModule MlcCudaModule;
typedef struct MlcCudaFunction MlcCudaFunction;
typedef struct MlcCudaStream MlcCudaStream;
typedef struct MlcCudaEvent MlcCudaEvent;
typedef struct MlcCudaGraph MlcCudaGraph;
typedef struct MlcCudaGraphExec MlcCudaGraphExec;

// CUtensorMap: what copies of tiles know of a tensor, made by the driver, at a multiple of 64.
typedef struct MlcCudaTensorMap {
    char bytes[128];
} MlcCudaTensorMap;

typedef enum MlcCudaTensorType {
    MLC_CUDA_TENSOR_U8 = 0,
    MLC_CUDA_TENSOR_F16 = 6,
    MLC_CUDA_TENSOR_F32 = 7,
    MLC_CUDA_TENSOR_BF16 = 9,
} MlcCudaTensorType;

// CUlaunchAttribute: 72 bytes.
typedef struct MlcCudaLaunchAttribute {
    int32_t kind;
    int32_t unused;
    union {
        uint32_t cluster[3];
        char bytes[64];
    } value;
} MlcCudaLaunchAttribute;

// CUlaunchConfig: 56 bytes.
typedef struct MlcCudaLaunchConfig {
    uint32_t grid[3];  // blocks: x, y, z
    uint32_t block[3]; // threads
    uint32_t shared_bytes;
    MlcCudaStream *stream;
    MlcCudaLaunchAttribute *attributes;
    uint32_t num_attributes;
} MlcCudaLaunchConfig;

// X(name here, symbol in the driver, parameters); all return an MlcCudaResult. CUDA 11.0 has them,
// and with it the first devices that there is code for.
// clang-format off
#define MLC_CUDA_FUNCTIONS(X) \
    X(init, cuInit, (unsigned flags)) \
    X(driver_version, cuDriverGetVersion, (int *version)) \
    X(error_name, cuGetErrorName, (int result, const char **name)) \
    X(error_text, cuGetErrorString, (int result, const char **text)) \
    X(device_count, cuDeviceGetCount, (int *count)) \
    X(device_get, cuDeviceGet, (MlcCudaDevice *device, int ordinal)) \
    X(device_name, cuDeviceGetName, (char *name, int size, MlcCudaDevice device)) \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, MlcCudaDevice device)) \
    X(device_memory, cuDeviceTotalMem_v2, (size_t *bytes, MlcCudaDevice device)) \
    X(context_retain, cuDevicePrimaryCtxRetain, (MlcCudaContext **context, MlcCudaDevice device)) \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (MlcCudaDevice device)) \
    X(context_use, cuCtxSetCurrent, (MlcCudaContext *context)) \
    X(module_load, cuModuleLoadDataEx, (MlcCudaModule **module, const void *image, unsigned num_options, \
                                        const int *options, void **values)) \
    X(module_unload, cuModuleUnload, (MlcCudaModule *module)) \
    X(module_function, cuModuleGetFunction, (MlcCudaFunction **function, MlcCudaModule *module, \
                                             const char *name)) \
    X(function_set, cuFuncSetAttribute, (MlcCudaFunction *function, int attribute, int value)) \
    X(memory_alloc, cuMemAlloc_v2, (MlcCudaAddress *address, size_t bytes)) \
    X(memory_free, cuMemFree_v2, (MlcCudaAddress address)) \
    X(host_alloc, cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags)) \
    X(host_free, cuMemFreeHost, (void *memory)) \
    X(copy_in, cuMemcpyHtoDAsync_v2, (MlcCudaAddress to, const void *from, size_t bytes, \
                                      MlcCudaStream *stream)) \
    X(copy_out, cuMemcpyDtoHAsync_v2, (void *to, MlcCudaAddress from, size_t bytes, \
                                       MlcCudaStream *stream)) \
    X(copy_within, cuMemcpyDtoDAsync_v2, (MlcCudaAddress to, MlcCudaAddress from, size_t bytes, \
                                          MlcCudaStream *stream)) \
    X(stream_create, cuStreamCreate, (MlcCudaStream **stream, unsigned flags)) \
    X(stream_destroy, cuStreamDestroy_v2, (MlcCudaStream *stream)) \
    X(stream_wait, cuStreamSynchronize, (MlcCudaStream *stream)) \
    X(stream_wait_event, cuStreamWaitEvent, (MlcCudaStream *stream, MlcCudaEvent *event, \
                                             unsigned flags)) \
    X(stream_capture, cuStreamBeginCapture_v2, (MlcCudaStream *stream, int mode)) \
    X(stream_captured, cuStreamEndCapture, (MlcCudaStream *stream, MlcCudaGraph **graph)) \
    X(graph_launch, cuGraphLaunch, (MlcCudaGraphExec *exec, MlcCudaStream *stream)) \
    X(graph_destroy, cuGraphDestroy, (MlcCudaGraph *graph)) \
    X(graph_exec_destroy, cuGraphExecDestroy, (MlcCudaGraphExec *exec)) \
    X(event_create, cuEventCreate, (MlcCudaEvent **event, unsigned flags)) \
    X(event_destroy, cuEventDestroy_v2, (MlcCudaEvent *event)) \
    X(event_record, cuEventRecord, (MlcCudaEvent *event, MlcCudaStream *stream)) \
    X(event_wait, cuEventSynchronize, (MlcCudaEvent *event)) \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, MlcCudaEvent *from, MlcCudaEvent *to)) \
    X(launch, cuLaunchKernel, (MlcCudaFunction *function, unsigned grid_x, unsigned grid_y, \
                               unsigned grid_z, unsigned block_x, unsigned block_y, \
                               unsigned block_z, unsigned shared_bytes, MlcCudaStream *stream, \
                               void **args, void **extra))

// Of 11.4, 11.8 and 12.0: who needs one asks whether it is there.
#define MLC_CUDA_NEWER_FUNCTIONS(X) \
    X(graph_instantiate, cuGraphInstantiateWithFlags, (MlcCudaGraphExec **exec, MlcCudaGraph *graph, \
                                                       unsigned long long flags)) \
    X(launch_clusters, cuLaunchKernelEx, (const MlcCudaLaunchConfig *config, \
                                          MlcCudaFunction *function, void **args, void **extra)) \
    X(tensor_map, cuTensorMapEncodeTiled, (MlcCudaTensorMap *map, int type, uint32_t rank, \
                                           MlcCudaAddress address, const uint64_t *dims, \
                                           const uint64_t *strides, const uint32_t *box, \
                                           const uint32_t *steps, int interleave, int swizzle, \
                                           int promotion, int fill))
// clang-format on

MLC_END_DECLS

#endif
