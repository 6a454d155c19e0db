// device.h -- a GPU as sessions see it: opened with a model's kernels and constants, and queues of
// work on it.
//
// Ownership: whoever opened closes, queues before their device. What is given is borrowed until
// then. Threads: a device serves several; a queue belongs to one at a time.
#ifndef MLC_LIB_RUNTIME_DEVICE_H
#define MLC_LIB_RUNTIME_DEVICE_H

#include "mlc/runtime.h"
#include "mlc/runtime/abi.h"

// Code for one kind of device.
typedef struct MlcRtImage {
    const char *target; // "cuda-sm_80"
    const char *data;   // PTX text, NUL-terminated, or a cubin
    size_t size;        // bytes, the NUL included
} MlcRtImage;

bool mlc_rt_image_is_cubin(const MlcRtImage *image);

// What a model has for devices. A kernel is in one of the images of a target.
typedef struct MlcRtDeviceCode {
    const char *model; // its name, for messages
    const MlcRtImage *images;
    size_t num_images;
    const char *const *kernels;
    size_t num_kernels;
    const void *constants;
    size_t constants_bytes;
} MlcRtDeviceCode;

typedef struct MlcRtDevice MlcRtDevice;
typedef struct MlcRtQueue MlcRtQueue;

// "cuda:0". NULL after an error, as of all that follows.
MlcRtDevice *mlc_rt_device_open(const char *name, const MlcRtDeviceCode *code, MlcRtError *error);
void mlc_rt_device_close(MlcRtDevice *device);             // NULL is fine
const char *mlc_rt_device_name(const MlcRtDevice *device); // as it was opened
void *mlc_rt_device_constants(const MlcRtDevice *device);  // an address of the device

// With at most so many streams (0: as many as a model asks for). `has_graphs`: what is asked for
// again becomes one launch.
MlcRtQueue *mlc_rt_queue_create(MlcRtDevice *device, size_t num_streams, bool has_graphs,
                                MlcRtError *error);
void mlc_rt_queue_destroy(MlcRtQueue *queue); // NULL is fine
// Memory of the queue's own, at least so much; *arena is an address of the device, NULL for 0
// bytes.
bool mlc_rt_queue_reserve(MlcRtQueue *queue, size_t bytes, void **arena, MlcRtError *error);
// Before a run from this thread, which may be another one than before. What the last run allocated
// may be used again.
bool mlc_rt_queue_begin(MlcRtQueue *queue, MlcRtError *error);
// Memory until the next run begins.
bool mlc_rt_queue_alloc(MlcRtQueue *queue, int64_t bytes, void **out, MlcRtError *error);
// As MlcRtTable has them. What was asked for begins when it is submitted, or waited for.
bool mlc_rt_queue_launch(MlcRtQueue *queue, int64_t kernel, const int64_t *sizes,
                         const void *const *args, MlcRtError *error);
bool mlc_rt_queue_copy(MlcRtQueue *queue, void *to, const void *from, int64_t bytes,
                       MlcRtCopy direction, MlcRtError *error);
bool mlc_rt_queue_tensor_map(MlcRtQueue *queue, void *map, const void *address,
                             const int64_t *numbers, MlcRtError *error);
bool mlc_rt_queue_order(MlcRtQueue *queue, int64_t what, int64_t number, MlcRtError *error);
bool mlc_rt_queue_fault_word(MlcRtQueue *queue, const char *message, void **out, MlcRtError *error);
// Until all is done; then the host has what it gets. Fails where a kernel has changed a fault word.
bool mlc_rt_queue_wait(MlcRtQueue *queue, MlcRtError *error);

// Times, of a queue of one stream without graphs: how many kernels this run asked for; *mark: where
// it is now; and, when all is done, the time between two marks.
int64_t mlc_rt_queue_num_launches(const MlcRtQueue *queue);
bool mlc_rt_queue_mark(MlcRtQueue *queue, int64_t *mark, MlcRtError *error);
bool mlc_rt_queue_elapsed(const MlcRtQueue *queue, int64_t from, int64_t to, int64_t *nanoseconds,
                          MlcRtError *error);

#endif
