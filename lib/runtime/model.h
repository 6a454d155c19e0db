// model.h -- a loaded model, as sessions see it.
#ifndef MLC_LIB_RUNTIME_MODEL_H
#define MLC_LIB_RUNTIME_MODEL_H

#include "mlc/runtime.h"
#include "mlc/runtime/abi.h"
#include "mlc/runtime/artefact.h"

#include "operators.h"
#include "texts.h"

typedef int32_t (*MlcRtEntry)(const MlcRtCall *call);

struct MlcModel {
    const char *data; // the artefact: our mapping, or the caller's bytes
    size_t size;
    bool mapped;
    MlcArtefactHeader header; // a checked copy

    char *image; // text, rodata, slots; NULL with foreign code
    size_t image_size;
    MlcRtEntry main, init, shapes;

    const char *constants;
    char *constants_copy; // or NULL: in place
    char *prepared;       // mapping, or NULL
    MlcRtTensorInfo *tensors;
    int64_t *dims;
    int64_t *bounds; // of dims: what is fixed, or at most; -1: dynamic
    const char **dim_names;
    char *shape_tables;   // how sizes follow from those of the inputs (shapes.h), or NULL
    size_t shape_bytes;
    uint32_t *dim_shapes; // which of the shapes' sizes each is, counted from 1; 0: none
    MlcRtKernelInfo *kernels;
    MlcRtValueInfo *values; // inputs, then outputs, then what is in them
    MlcRtStrings literals;
    MlcRtOperator *operators;
    size_t num_operators;
    int32_t num_values[2];  // of inputs, of outputs
    int32_t num_inputs, num_outputs, num_kernels;
    size_t num_dims;
    struct MlcRtDevices *devices; // NULL: all of the model runs on the CPU
};

// Fills `values` from the artefact's table, which is not believed: `count` entries at `entries`,
// whose strings are among `strings`; tensors were read. False: the table is wrong, or there is no
// memory for it.
bool mlc_rt_read_values(MlcModel *model, const char *entries, size_t count, MlcStr strings);
// The same of the model's strings.
bool mlc_rt_read_literals(MlcModel *model, const char *entries, size_t count, MlcStr strings);

// Fills `devices` from the artefact's section, which is not believed; mlc_rt_devices_destroy frees
// it, after a failure too.
typedef struct MlcRtDevices MlcRtDevices;
bool mlc_rt_read_device(MlcModel *model, const char *section, size_t size, MlcStr strings);
void mlc_rt_devices_destroy(MlcRtDevices *devices); // NULL is fine
// The device of that name (NULL: the first one) with the model's kernels on it; NULL after an error.
// The model's. For models that have something for devices.
struct MlcRtDevice *mlc_rt_model_device(const MlcModel *model, const char *name, MlcRtError *error);

// Fills `error` (if not NULL) and returns false.
// What is said of options whose size is not set; the name of their type.
#define MLC_RT_NOT_SIZED                                                                           \
    "a %s whose 'size' is not set (MLC_SIZED), or which says more than this libmlc_runtime knows"
bool mlc_rt_fail(MlcRtError *error, MlcRtStatus status, const char *format, ...) MLC_PRINTF(3, 4);

// Bytes of a dense tensor; false if a dimension is negative or the product is beyond 2^47 bytes.
bool mlc_rt_tensor_bytes(MlcRtType type, int32_t rank, const int64_t *dims, size_t *bytes);

// Anonymous zeroed pages, in huge pages where the system gives them; NULL on failure, or for 0
// bytes.
char *mlc_rt_pages_create(size_t bytes);
void mlc_rt_pages_destroy(char *pages, size_t bytes);

// What compiled code gets.
extern const MlcRtTable mlc_rt_table;

// Runs an initialiser for the model: the call record has constants, prepared memory and an arena.
bool mlc_rt_run_init(MlcModel *model, int64_t threads, MlcRtError *error);

#endif
