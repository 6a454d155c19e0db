// device.c -- the device, its context and its memory; the lock, and what errors are called.
//
// Variables of the environment say what the device is: MLC_CUDAEMU_DEVICES (1; 0: there is none),
// MLC_CUDAEMU_CAPABILITY (9.0), MLC_CUDAEMU_MEMORY (bytes, 16 GiB), MLC_CUDAEMU_SEED (of the order
// in which warps run; 0: one after the other), MLC_CUDAEMU_RACES (0: nobody looks for races),
// MLC_CUDAEMU_FAIL (a function of the driver that always fails; with `:3` only its third call),
// MLC_CUDAEMU_TRACE (a file to which each launch adds a line of JSON: what it was, and what it did;
// and each fault of order).
#include "emulator.h"

#include "mlc/support/alloc.h"
#include "mlc/support/buf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

Emulator emulator;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread MlcCudaContext *current;

static const struct {
    int result;
    const char *name, *text;
} errors[] = {
    {MLC_CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {MLC_CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {MLC_CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {MLC_CUDA_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {MLC_CUDA_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {MLC_CUDA_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {MLC_CUDA_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {MLC_CUDA_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {MLC_CUDA_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {MLC_CUDA_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {MLC_CUDA_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {MLC_CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {MLC_CUDA_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {MLC_CUDA_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {MLC_CUDA_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {MLC_CUDA_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not initiated in this stream"},
    {MLC_CUDA_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {MLC_CUDA_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {MLC_CUDA_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {MLC_CUDA_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};

static void
print_message(void *user, const MlcPtxMessage *m)
{
    (void)user;
    MlcBuf text = {0};
    mlc_buf_printf(&text, "%s:%u:%u: %s: %s\n", m->file, m->line, m->column,
                   m->is_note ? "note" : "error", m->text);
    if (emulator.log)
        mlc_buf_append_str(emulator.log, mlc_buf_str(&text));
    else
        fprintf(stderr, "cudaemu: %s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
}

static uint64_t
variable(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void
close_trace(void)
{
    if (emulator.trace)
        fclose(emulator.trace);
    emulator.trace = NULL;
}

static void
read_environment(void)
{
    const char *capability = getenv("MLC_CUDAEMU_CAPABILITY");
    emulator.num_devices = (int)variable("MLC_CUDAEMU_DEVICES", 1);
    emulator.memory_bytes = variable("MLC_CUDAEMU_MEMORY", UINT64_C(16) << 30);
    emulator.seed = variable("MLC_CUDAEMU_SEED", 0);
    emulator.failing = getenv("MLC_CUDAEMU_FAIL");
    emulator.num_failing_calls = 0;
    const char *trace = getenv("MLC_CUDAEMU_TRACE");
    close_trace();
    emulator.trace = trace && *trace ? fopen(trace, "a") : NULL;
    emulator.no_races = variable("MLC_CUDAEMU_RACES", 1) == 0;
    emulator.capability =
        (int)(strtod(capability && *capability ? capability : "9.0", NULL) * 10 + .5);
}

static bool
is_failing(const char *function)
{
    size_t length = strlen(function);
    if (!emulator.failing || strncmp(emulator.failing, function, length) != 0)
        return false;
    const char *number = emulator.failing + length;
    bool fails = *number == '\0' ||
                 (*number == ':' && strtoull(number + 1, NULL, 10) == ++emulator.num_failing_calls);
    if (fails && emulator.trace) {
        fprintf(emulator.trace, "{\"failing\": \"%s\"}\n", function);
        fflush(emulator.trace);
    }
    return fails;
}

MlcCudaResult
emulator_begin(const char *function)
{
    pthread_mutex_lock(&lock);
    if (is_failing(function))
        return MLC_CUDA_OUT_OF_RESOURCES;
    if (!emulator.is_initialized)
        return MLC_CUDA_NOT_INITIALIZED;
    if (!current || !emulator.device)
        return MLC_CUDA_INVALID_CONTEXT;
    return emulator.fault;
}

MlcCudaResult
emulator_end(MlcCudaResult result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

MlcCudaResult
emulator_begin_with(const char *function, const MlcCudaStream *stream)
{
    MlcCudaResult result = emulator_begin(function);
    bool is_there = result != MLC_CUDA_SUCCESS || list_has(&emulator.streams, stream);
    return is_there ? result : MLC_CUDA_INVALID_HANDLE;
}

// Of the functions that need no context.
static MlcCudaResult
begin_without_context(const char *function, MlcCudaDevice device)
{
    pthread_mutex_lock(&lock);
    if (is_failing(function))
        return MLC_CUDA_OUT_OF_RESOURCES;
    if (!emulator.is_initialized)
        return MLC_CUDA_NOT_INITIALIZED;
    return device >= 0 && device < emulator.num_devices ? MLC_CUDA_SUCCESS
                                                        : MLC_CUDA_INVALID_DEVICE;
}

int
cuInit(unsigned flags)
{
    pthread_mutex_lock(&lock);
    if (flags)
        return emulator_end(MLC_CUDA_INVALID_VALUE);
    if (!emulator.is_initialized)
        read_environment();
    emulator.is_initialized = emulator.num_devices > 0;
    return emulator_end(emulator.is_initialized ? MLC_CUDA_SUCCESS : MLC_CUDA_NO_DEVICE);
}

int
cuDriverGetVersion(int *version)
{
    if (!version)
        return MLC_CUDA_INVALID_VALUE;
    *version = 13000;
    return MLC_CUDA_SUCCESS;
}

int
cuGetErrorName(int result, const char **name)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].result == result) {
            *name = errors[i].name;
            return MLC_CUDA_SUCCESS;
        }
    *name = NULL;
    return MLC_CUDA_INVALID_VALUE;
}

int
cuGetErrorString(int result, const char **text)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].result == result) {
            *text = errors[i].text;
            return MLC_CUDA_SUCCESS;
        }
    *text = NULL;
    return MLC_CUDA_INVALID_VALUE;
}

int
cuDeviceGetCount(int *count)
{
    MlcCudaResult result = begin_without_context(__func__, 0);
    if (result == MLC_CUDA_SUCCESS)
        *count = emulator.num_devices;
    return emulator_end(result);
}

int
cuDeviceGet(MlcCudaDevice *device, int ordinal)
{
    MlcCudaResult result = begin_without_context(__func__, ordinal);
    if (result == MLC_CUDA_SUCCESS)
        *device = ordinal;
    return emulator_end(result);
}

int
cuDeviceGetName(char *name, int size, MlcCudaDevice device)
{
    MlcCudaResult result = begin_without_context(__func__, device);
    if (result == MLC_CUDA_SUCCESS && size > 0)
        snprintf(name, (size_t)size, "mlc emulator sm_%d", emulator.capability);
    return emulator_end(result);
}

int
cuDeviceGetAttribute(int *value, int attribute, MlcCudaDevice device)
{
    MlcCudaResult result = begin_without_context(__func__, device);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    switch (attribute) {
    case MLC_CUDA_ATTRIBUTE_MULTIPROCESSORS:
        *value = emulator.capability >= 90 ? 132 : 108;
        break;
    case MLC_CUDA_ATTRIBUTE_CAPABILITY_MAJOR:
        *value = emulator.capability / 10;
        break;
    case MLC_CUDA_ATTRIBUTE_CAPABILITY_MINOR:
        *value = emulator.capability % 10;
        break;
    case MLC_CUDA_ATTRIBUTE_SHARED_BYTES:
        *value = (emulator.capability >= 90 ? 227 : 163) << 10;
        break;
    default:
        return emulator_end(MLC_CUDA_INVALID_VALUE);
    }
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuDeviceTotalMem_v2(size_t *bytes, MlcCudaDevice device)
{
    MlcCudaResult result = begin_without_context(__func__, device);
    if (result == MLC_CUDA_SUCCESS)
        *bytes = emulator.memory_bytes;
    return emulator_end(result);
}

int
cuDevicePrimaryCtxRetain(MlcCudaContext **context, MlcCudaDevice device)
{
    MlcCudaResult result = begin_without_context(__func__, device);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    if (emulator.context.users++ == 0) {
        read_environment(); // of a process that changed it since
        emulator.device = mlc_ptx_device_create(print_message, NULL);
        emulator.host = point_create();
    }
    *context = &emulator.context;
    return emulator_end(MLC_CUDA_SUCCESS);
}

static void
destroy_context(void)
{
    streams_destroy_all();
    graphs_destroy_all();
    order_forget_all();
    modules_destroy_all();
    while (emulator.allocations.size)
        mlc_free(mlc_vec_pop(&emulator.allocations));
    while (emulator.pinned.size) {
        Allocation *pinned = mlc_vec_pop(&emulator.pinned);
        mlc_free((void *)(uintptr_t)pinned->address);
        mlc_free(pinned);
    }
    mlc_vec_release(&emulator.allocations);
    mlc_vec_release(&emulator.pinned);
    point_release(emulator.host);
    emulator.host = NULL;
    mlc_ptx_device_destroy(emulator.device);
    emulator.device = NULL;
    emulator.used_bytes = 0;
    emulator.fault = MLC_CUDA_SUCCESS;
    close_trace();
}

int
cuDevicePrimaryCtxRelease_v2(MlcCudaDevice device)
{
    MlcCudaResult result = begin_without_context(__func__, device);
    if (result == MLC_CUDA_SUCCESS && emulator.context.users == 0)
        result = MLC_CUDA_INVALID_CONTEXT;
    if (result == MLC_CUDA_SUCCESS && --emulator.context.users == 0)
        destroy_context();
    return emulator_end(result);
}

int
cuCtxSetCurrent(MlcCudaContext *context)
{
    MlcCudaResult result = begin_without_context(__func__, 0);
    if (result == MLC_CUDA_SUCCESS && context && context != &emulator.context)
        result = MLC_CUDA_INVALID_CONTEXT;
    if (result == MLC_CUDA_SUCCESS)
        current = context;
    return emulator_end(result);
}

static MlcCudaResult
begin_allocation(const char *function, size_t bytes)
{
    MlcCudaResult result = emulator_begin(function);
    if (result == MLC_CUDA_SUCCESS && bytes == 0)
        return MLC_CUDA_INVALID_VALUE;
    return result == MLC_CUDA_SUCCESS && captures_here() ? MLC_CUDA_CAPTURE_UNSUPPORTED : result;
}

static void
add_allocation(MlcPtrVec *list, MlcCudaAddress address, size_t bytes)
{
    Allocation *made = mlc_malloc(sizeof *made);
    *made = (Allocation){address, bytes};
    mlc_vec_push(list, made);
}

// All work is done before memory is gone. *bytes: what the allocation had.
static MlcCudaResult
remove_allocation(MlcPtrVec *list, MlcCudaAddress address, size_t *bytes)
{
    MlcCudaResult result = captures_here() ? MLC_CUDA_CAPTURE_UNSUPPORTED : stream_run_all();
    for (size_t i = 0; i < list->size && result == MLC_CUDA_SUCCESS; i++) {
        Allocation *gone = list->data[i];
        if (gone->address != address)
            continue;
        *bytes = gone->bytes;
        list_remove(list, gone);
        mlc_free(gone);
        return MLC_CUDA_SUCCESS;
    }
    return result == MLC_CUDA_SUCCESS ? MLC_CUDA_INVALID_VALUE : result;
}

int
cuMemAlloc_v2(MlcCudaAddress *address, size_t bytes)
{
    MlcCudaResult result = begin_allocation(__func__, bytes);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    if (bytes > emulator.memory_bytes - emulator.used_bytes)
        return emulator_end(MLC_CUDA_OUT_OF_MEMORY);
    *address = mlc_ptx_alloc(emulator.device, bytes);
    if (*address == 0)
        return emulator_end(MLC_CUDA_OUT_OF_MEMORY);
    add_allocation(&emulator.allocations, *address, bytes);
    emulator.used_bytes += bytes;
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuMemFree_v2(MlcCudaAddress address)
{
    MlcCudaResult result = emulator_begin(__func__);
    size_t bytes = 0;
    if (address == 0)
        return emulator_end(result);
    if (result == MLC_CUDA_SUCCESS)
        result = remove_allocation(&emulator.allocations, address, &bytes);
    if (result == MLC_CUDA_SUCCESS)
        (void)mlc_ptx_free(emulator.device, address);
    emulator.used_bytes -= bytes;
    return emulator_end(result);
}

// Memory of the host that copies take as it is: what is done later finds what is there then.
int
cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    MlcCudaResult result = begin_allocation(__func__, bytes);
    if (result != MLC_CUDA_SUCCESS)
        return emulator_end(result);
    *memory = mlc_malloc(bytes);
    add_allocation(&emulator.pinned, (uintptr_t)*memory, bytes);
    return emulator_end(MLC_CUDA_SUCCESS);
}

int
cuMemFreeHost(void *memory)
{
    MlcCudaResult result = emulator_begin(__func__);
    size_t bytes;
    if (result == MLC_CUDA_SUCCESS)
        result = remove_allocation(&emulator.pinned, (uintptr_t)memory, &bytes);
    if (result == MLC_CUDA_SUCCESS)
        mlc_free(memory);
    return emulator_end(result);
}
