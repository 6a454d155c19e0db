// runtime.h -- load a compiled model and run it. Links libmlc_runtime only: no compiler, no LLVM.
//
//   MlcRtError error;
//   MlcModel *model = mlc_model_load("model.so", NULL, &error);
//   MlcSession *session = mlc_session_create(model, NULL, &error);
//   mlc_session_set_input(session, mlc_model_find_input(model, "x"), &x, &error);
//   mlc_session_run(session, &error);
//   const MlcRtTensor *y = mlc_session_output(session, 0);
//
// A model is immutable: any number of sessions on any number of threads share it, and processes
// that load the same file share its pages. After the
// session is created, a run allocates nothing (unless a dynamic dimension grew). What fails returns
// false or NULL and fills `error`, which may be NULL.
//
// Ownership: the caller destroys sessions, then the model; inputs are borrowed, outputs are the
// session's until its next run.
// Threads: a model is shared by any number; a session belongs to one at a time.
#ifndef MLC_RUNTIME_H
#define MLC_RUNTIME_H

#include "mlc/runtime/tensor.h"
#include "mlc/support/base.h"
#include "mlc/support/sized.h"

MLC_BEGIN_DECLS

typedef struct MlcModel MlcModel;
typedef struct MlcSession MlcSession;

typedef enum MlcRtStatus {
    MLC_RT_OK,
    MLC_RT_FILE,     // the file cannot be opened, read or mapped
    MLC_RT_CORRUPT,  // it is no artefact, or a damaged one
    MLC_RT_VERSION,  // written for another version of the runtime
    MLC_RT_ISA,      // needs another processor, or features that this one lacks
    MLC_RT_MEMORY,   // not enough memory, or the caller's arena is too small
    MLC_RT_ARGUMENT, // wrong name, type or shape, or an input is missing
    MLC_RT_RUN,      // the model failed: an index out of range, ...
    MLC_RT_DEVICE,   // there is no such device, or its driver refuses something
} MlcRtStatus;

typedef struct MlcRtError {
    MlcRtStatus status;
    char message[508]; // what is wrong and what to do; NUL-terminated, lower case, no full stop
} MlcRtError;

MLC_API const char *mlc_rt_type_name(MlcRtType type); // "f32"; "?" for what is no type
MLC_API size_t mlc_rt_type_bytes(MlcRtType type);     // 0 for what is no type

// How an input or output is declared; owned by the model.
typedef struct MlcRtTensorInfo {
    const char *name;
    MlcRtType type;
    int32_t rank;
    const int64_t *dims;          // -1: dynamic
    const char *const *dim_names; // "" where there is none; equal names have equal sizes in a run
    // The most that a dynamic size may be, where that is known: of outputs whose size is found in
    // the data. Memory of the caller's for such an output holds that much. -1: not known. Who
    // writes an artefact may leave it NULL.
    const int64_t *bounds;
} MlcRtTensorInfo;

// What an input or output of a model is: a tensor, or something that holds tensors.
typedef enum MlcRtForm {
    MLC_RT_TENSOR,
    MLC_RT_SEQUENCE,
    MLC_RT_OPTIONAL, // of one item, or none
    MLC_RT_MAP,      // of two tensors of one dimension: keys, and their values
    MLC_RT_TABLE, // a sequence of maps with the same keys: of two tensors, keys [K], values [N, K]
} MlcRtForm;

MLC_API const char *mlc_rt_form_name(MlcRtForm form); // "sequence"; "?" for what is none

// Which tensors a value has; owned by the model. How many items there are is fixed when a model is
// compiled. Tensors are set and read by their numbers among the model's inputs or outputs; they
// have the names "y[0]", "y[1]"...
typedef struct MlcRtValueInfo {
    const char *name; // of an item: ""
    MlcRtForm form;
    MlcRtType type; // elements of the tensors in it; of a map, of the values; 0: not known
    int32_t first_tensor, num_tensors; // all that are in it, items of items too
    int32_t num_items;                 // 0 for a tensor
    const struct MlcRtValueInfo *items;
} MlcRtValueInfo;

typedef struct MlcRtKernelInfo {
    const char *name;
    const char *nodes; // names of the model's nodes that it computes, one a line
    const char *notes; // how it computes them and why: layout, tile, packing, threads; one a line
    uint64_t flops;    // floating-point operations of a call, however they are done; 0: not known
    uint64_t bytes;    // of arguments read and results written by a call; 0: not known
} MlcRtKernelInfo;

// Zero means the default, everywhere.
typedef struct MlcModelOptions {
    size_t size;          // MLC_SIZED
    int32_t init_threads; // threads to prepare constants with; default 1
    bool trust_constants; // do not read all constants just to compare their hash
    // Tell Linux's perf what functions the code has, and of which nodes: adds them to
    // /tmp/perf-PID.map. For code of the artefact's own, which then is not shared between
    // processes.
    bool perf_map;
    // Code from elsewhere (a JIT) instead of the artefact's own image: returns the address of
    // MLC_RT_SYMBOL_MAIN, ..._INIT,
    // ..._SHAPES, or NULL for what is not there. The code must live as long as the model.
    void *(*resolve)(void *user, const char *symbol);
    void *user;
    // Libraries with the functions of the model's own operators (mlc/operator.h): paths, looked
    // through first. Then come the program itself, the folders of the artefact and of
    // libmlc_runtime, and the system's way of finding a library by the name that the artefact has.
    // What is opened stays open.
    const char *const *libraries;
    size_t num_libraries;
} MlcModelOptions;

// NULL after an error, which `error` (may be NULL) then tells; `options` may be NULL.
// mlc_model_destroy frees it.
MLC_API MLC_NODISCARD MlcModel *mlc_model_load(const char *path, const MlcModelOptions *options,
                                               MlcRtError *error);
// The same from an open file, which may be closed then; `name` is for messages.
MLC_API MLC_NODISCARD MlcModel *
mlc_model_load_file(int fd, const char *name, const MlcModelOptions *options, MlcRtError *error);
// The same from bytes that the caller keeps, unchanged, until the model is destroyed. Constants are
// used in place if they are aligned to MLC_RT_ALIGNMENT there, else copied.
MLC_API MLC_NODISCARD MlcModel *mlc_model_load_memory(const void *data, size_t size,
                                                      const MlcModelOptions *options,
                                                      MlcRtError *error);
MLC_API void mlc_model_destroy(MlcModel *model); // after its sessions; NULL is fine

// What the artefact says of itself; strings live as long as the model.
MLC_API const char *mlc_model_name(const MlcModel *model);
MLC_API const char *mlc_model_isa(const MlcModel *model);
MLC_API const char *mlc_model_features(const MlcModel *model);
// Inputs, outputs and kernels, by number from 0; what is told of one lives as long as the model,
// and is NULL where there is none.
MLC_API int32_t mlc_model_num_inputs(const MlcModel *model);
MLC_API int32_t mlc_model_num_outputs(const MlcModel *model);
MLC_API const MlcRtTensorInfo *mlc_model_input(const MlcModel *model, int32_t index);
MLC_API const MlcRtTensorInfo *mlc_model_output(const MlcModel *model, int32_t index);
MLC_API int32_t mlc_model_find_input(const MlcModel *model, const char *name);  // -1: none
MLC_API int32_t mlc_model_find_output(const MlcModel *model, const char *name); // -1: none
// Inputs and outputs as the model's source has them. Where all are tensors they are those above.
MLC_API int32_t mlc_model_num_input_values(const MlcModel *model);
MLC_API int32_t mlc_model_num_output_values(const MlcModel *model);
MLC_API const MlcRtValueInfo *mlc_model_input_value(const MlcModel *model, int32_t index);
MLC_API const MlcRtValueInfo *mlc_model_output_value(const MlcModel *model, int32_t index);
MLC_API int32_t mlc_model_num_kernels(const MlcModel *model);
// NULL where there is none; lives as long as the model.
MLC_API const MlcRtKernelInfo *mlc_model_kernel(const MlcModel *model, int32_t index);

// The memory plan, in bytes: of a run without scratch, of each thread's scratch, of constants in
// the file, and of those prepared when loading.
MLC_API size_t mlc_model_arena_bytes(const MlcModel *model);
MLC_API size_t mlc_model_scratch_bytes(const MlcModel *model);
MLC_API size_t mlc_model_constants_bytes(const MlcModel *model);
MLC_API size_t mlc_model_prepared_bytes(const MlcModel *model);
MLC_API size_t mlc_model_text_bytes(const MlcModel *model);
// Steps of compiling that a budget of time left out, or did in part: compiled again, the model may
// be other code. 0: its bytes depend on the source, the options and the target alone.
MLC_API uint64_t mlc_model_left_out(const MlcModel *model);

// Targets that the model has device code for ("cuda-sm_80"), by number from 0; NULL where there is
// none. Without any, the model runs on the CPU alone.
MLC_API const char *mlc_model_device_target(const MlcModel *model, int32_t index);
// Bytes of that code: of cubins, which devices of this very capability take as they are; else of
// PTX, which the driver compiles.
MLC_API size_t mlc_model_device_bytes(const MlcModel *model, int32_t index, bool of_cubins);

// A device of this machine.
typedef struct MlcDeviceInfo {
    char name[128];     // its maker's
    int32_t capability; // ten times CUDA's compute capability: 90 is 9.0
    int32_t multiprocessors;
    uint64_t memory_bytes;
} MlcDeviceInfo;

// What "cuda:0", "cuda:1"... is; false after an error: no driver, no such device.
MLC_API MLC_NODISCARD bool mlc_device_describe(const char *device, MlcDeviceInfo *info,
                                               MlcRtError *error);

typedef struct MlcSessionOptions {
    size_t size;     // MLC_SIZED
    int32_t threads; // a limit, the caller's thread included; default: the processors this process
                     // may use
    bool profile;    // measure each kernel
    void *
        memory; // the caller's arena, aligned to MLC_RT_ALIGNMENT, kept until destroy; default: own
    size_t memory_bytes; // at least mlc_session_memory_bytes(model, options)
    const char *device;  // where a model with kernels for a device runs them; default: "cuda:0"
    int32_t streams; // of work on the device, at most; default: as many as the model has use for
} MlcSessionOptions;

// Arena and scratch of a session with these options.
MLC_API size_t mlc_session_memory_bytes(const MlcModel *model, const MlcSessionOptions *options);

// NULL after an error, which `error` (may be NULL) then tells; `options` may be NULL. The model
// must outlive it.
MLC_API MLC_NODISCARD MlcSession *
mlc_session_create(const MlcModel *model, const MlcSessionOptions *options, MlcRtError *error);
MLC_API void mlc_session_destroy(MlcSession *session); // NULL is fine
// How many it uses, the caller's one included.
MLC_API int32_t mlc_session_threads(const MlcSession *session);

// Data is borrowed: it must stay, unchanged during a run, until another input takes its place. Dims
// are copied.
MLC_API MLC_NODISCARD bool mlc_session_set_input(MlcSession *session, int32_t index,
                                                 const MlcRtTensor *tensor, MlcRtError *error);
// Where an output goes, instead of memory of the session's own: `bytes` are there. NULL goes back
// to the default.
MLC_API MLC_NODISCARD bool mlc_session_set_output(MlcSession *session, int32_t index, void *data,
                                                  size_t bytes, MlcRtError *error);
MLC_API MLC_NODISCARD bool mlc_session_run(MlcSession *session, MlcRtError *error);

// Whether output `*output` is the input and more along its dimension `*dim` ("past"), and can grow
// in its memory.
MLC_API MLC_NODISCARD bool mlc_model_cache(const MlcModel *model, int32_t input, int32_t *output,
                                           const char **dim);
// Caches that grow in place: an output that is an input and more along a dimension, as keys and
// values of attention are (`present` is `past` and what is new). By default the past is copied to
// the output's memory in each run. From this call on all of them along the dimension `dim`
// ("past") are the session's: memory with room for `room` elements along it, which holds none yet,
// and in which a run puts what is new behind what is there. Their inputs and outputs cannot be set
// then; mlc_session_output gives the memory, whose size along `dim` is the room. Again, with more
// room, it keeps what they hold. A run that needs more room is an error, and changes nothing.
// False for a dimension along which nothing grows, or less room than they hold.
MLC_API MLC_NODISCARD bool mlc_session_grow(MlcSession *session, const char *dim, int64_t room,
                                            MlcRtError *error);
// How many elements they hold: 0 at first, behind each run what the output's size would be; -1:
// they are not the session's.
MLC_API int64_t mlc_session_length(const MlcSession *session, const char *dim);
// Forgets all but the first `length` elements; 0: begins again, of another batch perhaps. False for
// more than they hold.
MLC_API MLC_NODISCARD bool mlc_session_set_length(MlcSession *session, const char *dim,
                                                  int64_t length, MlcRtError *error);
// Valid until the next run or destroy; NULL for an index out of range or before the first
// successful run.
MLC_API const MlcRtTensor *mlc_session_output(const MlcSession *session, int32_t index);

typedef struct MlcRtProfile {
    int64_t calls;
    int64_t nanoseconds;                  // of all calls
    int64_t last_start, last_nanoseconds; // of the last one; on CLOCK_MONOTONIC
} MlcRtProfile;

// Of all runs since the session was created with `profile`; zeros without.
MLC_API MlcRtProfile mlc_session_profile(const MlcSession *session, int32_t kernel);

MLC_END_DECLS

#endif
