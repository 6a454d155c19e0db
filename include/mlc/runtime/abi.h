// abi.h -- what compiled code and the runtime agree on: the call record, the table of services,
// three signatures.
//
// Compiled code refers to no external symbol (memory, and a few libm and string functions apart,
// see MLC_RT_IMPORTS): all it needs comes in through the call record. The compiler builds these
// structs by field index, so fields are 8 bytes wide, are only ever added at the end, and their
// order is asserted in lib/runtime/session.c. In the llvm dialect:
//
//   MlcRtCall   !llvm.struct<(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, ptr, ptr,
//   ptr)>
//   MlcRtTable  !llvm.struct<(i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr,
//   ptr)>
//
//   llvm.func @mlc_main(%call: !llvm.ptr) -> i32      0 is success
//   llvm.func @task(%context: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr)
//
// Kernels are called by mlc_main only: how is the compiler's own business.
//
// Memory: the arena, the constants, the prepared constants and a task's scratch start at multiples
// of MLC_RT_ALIGNMENT. Inputs and outputs belong to the caller and are aligned to their element
// only. Code never writes inputs, constants or (but for mlc_init) prepared constants, and has no
// mutable globals: it is re-entrant.
//
// Ownership: compiled code owns nothing: arena, constants and buffers are the session's or the
// caller's.
// Threads: code is re-entrant; tasks run in several threads, services may be called from any.
#ifndef MLC_RUNTIME_ABI_H
#define MLC_RUNTIME_ABI_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

enum {
    MLC_RT_ABI_VERSION = 1,
    MLC_RT_ALIGNMENT = 64, // bytes
};

// The symbols of the entry points in a model's object file. `mlc_main` computes the outputs.
// `mlc_init`, optional, fills the prepared constants (packed weights, large foldings) once when the
// model is loaded; inputs and outputs are null there. Sizes of dynamic dimensions are computed from
// a table of the artefact; code that is not ours may have `mlc_shapes` instead, which reads
// input_dims, writes output_dims, and stores the arena bytes this call needs through `scratch` (as
// one i64); it fails (non-zero) on shapes that do not fit.
#define MLC_RT_SYMBOL_MAIN "mlc_main"
#define MLC_RT_SYMBOL_INIT "mlc_init"
#define MLC_RT_SYMBOL_SHAPES "mlc_shapes"

typedef struct MlcRtCall MlcRtCall;
typedef struct MlcRtTable MlcRtTable;

typedef int32_t (*MlcRtMain)(const MlcRtCall *call);

// Chunks [begin, end) of a parallel region. `scratch` is private to the task while it runs: the
// model's scratch_bytes, uninitialised. Ranges of one region are disjoint, run in any order and on
// any thread; a task must not let a result depend on how chunks were grouped into ranges.
typedef void (*MlcRtTask)(void *context, int64_t begin, int64_t end, void *scratch);

// Between the memory of the host and that of the device.
typedef enum MlcRtCopy {
    MLC_RT_COPY_TO_DEVICE,
    MLC_RT_COPY_TO_HOST,
    MLC_RT_COPY_WITHIN,        // the device
    MLC_RT_COPY_TO_HOST_LATER, // which reads it when the run has ended
} MlcRtCopy;

// What describes a tensor: its type, interleave, swizzle, promotion and fill as the CUDA driver
// numbers them, its rank; then for up to five dimensions, the contiguous one first, their sizes,
// bytes from one to the next, and the sizes of a tile.
enum {
    MLC_RT_TENSOR_TYPE,
    MLC_RT_TENSOR_INTERLEAVE,
    MLC_RT_TENSOR_SWIZZLE,
    MLC_RT_TENSOR_PROMOTION,
    MLC_RT_TENSOR_FILL,
    MLC_RT_TENSOR_RANK,
    MLC_RT_TENSOR_SIZES,
    MLC_RT_TENSOR_STRIDES = MLC_RT_TENSOR_SIZES + 5,
    MLC_RT_TENSOR_TILE = MLC_RT_TENSOR_STRIDES + 5,
    MLC_RT_TENSOR_NUMBERS = MLC_RT_TENSOR_TILE + 5,
    MLC_RT_TENSOR_MAP_BYTES = 128,
};

// Sizes of a launch: of the grid (x, y, z), a block, a cluster; then bytes of dynamic shared
// memory, the number of arguments, and a bit for each of the first 64 that describes a tensor.
enum {
    MLC_RT_LAUNCH_SHARED = 9,
    MLC_RT_LAUNCH_ARGUMENTS,
    MLC_RT_LAUNCH_TENSORS,
    MLC_RT_LAUNCH_SIZES,
};

// What is told of the order of launches and copies. They go to stream 0 when a run begins. What is
// on one stream is in order; events order streams. All streams meet where the host waits for a
// copy, and where work is submitted: events are waited for up to there only.
typedef enum MlcRtOrder {
    MLC_RT_ORDER_STREAM, // what follows goes to this stream
    MLC_RT_ORDER_RECORD, // this event is where the stream is now
    MLC_RT_ORDER_WAIT,   // the stream waits for this event
    MLC_RT_ORDER_SUBMIT, // all that was asked for may begin: the host has work of its own
} MlcRtOrder;

struct MlcRtTable {
    int64_t version; // MLC_RT_ABI_VERSION
    // Runs chunks 0..num_chunks-1 and returns when all are done; the calling thread takes part.
    // Inside a task it runs the chunks one after the other on the thread that asked.
    void (*parallel_for)(const MlcRtCall *call, MlcRtTask task, void *context, int64_t num_chunks);
    // Around each kernel that mlc_main starts, with the kernel's index in the model's table. They
    // cost a call and a test when nobody profiles.
    void (*kernel_begin)(const MlcRtCall *call, int64_t kernel);
    void (*kernel_end)(const MlcRtCall *call, int64_t kernel);
    // Records why a run fails; the first report wins; any thread. `message` is NUL-terminated and
    // borrowed for the call. Returns `code`, never 0, so that code can return what fail returned.
    int32_t (*fail)(const MlcRtCall *call, int64_t code, const char *message);
    // What code asks of strings, which it has as numbers: equal strings have equal ones, and those
    // of the model itself are 0, 1... The thread that runs the model only. After a failure, which
    // is recorded, any number.
    int64_t (*text)(const MlcRtCall *call, int64_t what, int64_t a, int64_t b, int64_t c,
                    int64_t d);
    // Calls an operator that is a function of a library's (mlc/operator.h): its number in the
    // artefact, and for each input, then each output, its address and its sizes. The thread that
    // runs the model only. After a failure, which is recorded, outputs are 0.
    void (*call_operator)(const MlcRtCall *call, int64_t number, const int64_t *tensors);
    // Of models with kernels for a device, on the thread that runs the model. Launches kernel
    // number `kernel` of the artefact's table, behind all that was asked for on its stream before;
    // `sizes` has MLC_RT_LAUNCH_SIZES numbers, `args` the places of the arguments, of 8 bytes each,
    // which are read now. After a failure, which is recorded, nothing is launched or copied.
    void (*launch)(const MlcRtCall *call, int64_t kernel, const int64_t *sizes,
                   const void *const *args);
    // Copies bytes, on the stream; `direction` is an MlcRtCopy. When it returns the host's side may
    // be used again, unless the host reads it later.
    void (*copy)(const MlcRtCall *call, void *to, const void *from, int64_t bytes,
                 int64_t direction);
    // Device memory until the run ends, for buffers whose sizes the plan does not know. NULL after
    // a failure, which is recorded.
    void *(*device_alloc)(const MlcRtCall *call, int64_t bytes);
    // Of models that compute sizes, on the thread that runs the model: computed size `number` is
    // `value`. Sizes that follow from it, and offsets of the buffers that have them, stand in the
    // model's sizes behind the call; these buffers lie outside of the arena. Returns `value`, or
    // after a failure, which is recorded, -1.
    int64_t (*set_size)(const MlcRtCall *call, int64_t number, int64_t value);
    // Of models with kernels for a device, on the thread that runs the model: describes a tensor in
    // device memory, for kernels that copy tiles of it, in the MLC_RT_TENSOR_MAP_BYTES at `map`,
    // which begin at a multiple of 64. `numbers` are MLC_RT_TENSOR_NUMBERS. After a failure, which
    // is recorded, nothing is written.
    void (*tensor_map)(const MlcRtCall *call, void *map, const void *address,
                       const int64_t *numbers);
    // Of models with kernels for a device: `what` is an MlcRtOrder, `number` of a stream or event.
    void (*order)(const MlcRtCall *call, int64_t what, int64_t number);
    // Of models with kernels for a device, on the thread that runs the model: a word (32 bits) of
    // device memory that is 0. If a kernel has changed it when the run ends, the run fails with
    // `message`, which is NUL-terminated and stays; of several words the first one that was asked
    // for. NULL after a failure, which is recorded.
    void *(*fault_word)(const MlcRtCall *call, const char *message);
};

// The function of IR that stands for `text`, (what, a, b, c, d) -> i64; what there is to ask.
//   concat(a, b)                   a string
//   lower(a), upper(a)             strings, by Unicode's simple mapping of single characters
//   match(a, program)              1 or 0; the program of a regular expression
//                                  (mlc/support/regex.h)
//   parts(a, delimiter, most)      how many parts there are, after at most `most` cuts (negative:
//                                  any number); at whitespace where the delimiter is empty
//   part(a, delimiter, most, i)    part `i`; the empty string beyond the last one
//   to_f64(a), to_i64(a)           a number as bits, from its decimal text
//   from_f32(x), from_f64(x), from_i64(x)   text of a number, which gives that number again
//   less(a, b)                     1 or 0: whether `a` comes first, by their bytes
#define MLC_RT_TEXT_FUNCTION "mlc_text"
#define MLC_RT_TEXTS(X)                                                                            \
    X(concat)                                                                                      \
    X(lower)                                                                                       \
    X(upper)                                                                                       \
    X(match) X(parts) X(part) X(to_f64) X(to_i64) X(from_f32) X(from_f64) X(from_i64) X(less)
// And the one of `set_size`, (number, value) -> index.
#define MLC_RT_SIZE_FUNCTION "mlc_set_size"
#define MLC_RT_TEXT_ENUM(name) MLC_RT_TEXT_##name,
enum { MLC_RT_TEXTS(MLC_RT_TEXT_ENUM) MLC_RT_NUM_TEXTS };

struct MlcRtCall {
    const MlcRtTable *table;          // 0
    void *arena;                      // 1 the model's arena_bytes, uninitialised
    const void *constants;            // 2
    void *prepared;                   // 3 written by mlc_init, read-only after
    const void *const *inputs;        // 4 one pointer per input, dense row-major
    void *const *outputs;             // 5
    const int64_t *const *input_dims; // 6 as many as the input's rank
    int64_t *const *output_dims;      // 7 filled in before mlc_main runs, which writes those
                                      // that it finds in the data. Behind them, of a model
                                      // with shapes (mlc/runtime/artefact.h), its sizes, then
                                      // the offset of each buffer in the arena
    void *scratch;                    // 8 threads x scratch_bytes
    int64_t scratch_bytes;            // 9 of one thread, a multiple of MLC_RT_ALIGNMENT
    int64_t threads;                  // 10 how many may take part, the caller included
    void *session;                    // 11 the runtime's own
    void *device_arena;               // 12 of models with kernels for a device: its arena_bytes,
                                      // at the same offsets as the host's
    const void *device_constants;     // 13 a copy of the constants
};

enum {
    MLC_RT_CALL_TABLE,
    MLC_RT_CALL_ARENA,
    MLC_RT_CALL_CONSTANTS,
    MLC_RT_CALL_PREPARED,
    MLC_RT_CALL_INPUTS,
    MLC_RT_CALL_OUTPUTS,
    MLC_RT_CALL_INPUT_DIMS,
    MLC_RT_CALL_OUTPUT_DIMS,
    MLC_RT_CALL_SCRATCH,
    MLC_RT_CALL_SCRATCH_BYTES,
    MLC_RT_CALL_THREADS,
    MLC_RT_CALL_SESSION,
    MLC_RT_CALL_DEVICE_ARENA,
    MLC_RT_CALL_DEVICE_CONSTANTS,
    MLC_RT_CALL_NUM_FIELDS,
};

enum {
    MLC_RT_TABLE_VERSION,
    MLC_RT_TABLE_PARALLEL_FOR,
    MLC_RT_TABLE_KERNEL_BEGIN,
    MLC_RT_TABLE_KERNEL_END,
    MLC_RT_TABLE_FAIL,
    MLC_RT_TABLE_TEXT,
    MLC_RT_TABLE_CALL_OPERATOR,
    MLC_RT_TABLE_LAUNCH,
    MLC_RT_TABLE_COPY,
    MLC_RT_TABLE_DEVICE_ALLOC,
    MLC_RT_TABLE_SET_SIZE,
    MLC_RT_TABLE_TENSOR_MAP,
    MLC_RT_TABLE_ORDER,
    MLC_RT_TABLE_FAULT_WORD,
    MLC_RT_TABLE_NUM_FIELDS,
};

// How sizes are computed from those of the inputs: steps of a machine with a stack. Numbers and
// symbols (names of dimensions, by their number) are pushed, operations take two and push one.
// Quotients are rounded down.
typedef enum MlcRtStepKind {
    MLC_RT_STEP_NUMBER,
    MLC_RT_STEP_SYMBOL,
    MLC_RT_STEP_OPERATION,
} MlcRtStepKind;

typedef enum MlcRtOperation {
    MLC_RT_ADD,
    MLC_RT_SUB,
    MLC_RT_MUL,
    MLC_RT_FLOORDIV,
    MLC_RT_MAX,
    MLC_RT_MIN,
} MlcRtOperation;

// Memory for buffers that have no place in the arena (mlc/support/alloc.h).
#define MLC_RT_SYMBOL_ALLOC "mlc_code_alloc"
#define MLC_RT_SYMBOL_FREE "mlc_code_free"

// The external functions that code may call all the same: memory, and what LLVM makes calls of on
// its own accord. Reached through slots that the loader fills from the runtime and the C library.
// Anything else unresolved is refused when compiling.
// clang-format off
#define MLC_RT_IMPORTS(X) \
    X(mlc_code_alloc) X(mlc_code_free) \
    X(memcpy) X(memmove) X(memset) X(memcmp) \
    X(expf) X(exp2f) X(expm1f) X(logf) X(log2f) X(log10f) X(log1pf) X(powf) X(sinf) X(cosf) X(tanf) \
    X(asinf) X(acosf) X(atanf) X(atan2f) X(sinhf) X(coshf) X(tanhf) X(asinhf) X(acoshf) X(atanhf) \
    X(erff) X(erfcf) X(cbrtf) X(fmodf) X(floorf) X(ceilf) X(truncf) X(roundf) X(roundevenf) X(rintf) \
    X(nearbyintf) X(fmaf) X(fminf) X(fmaxf) X(sqrtf) X(ldexpf) \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(pow) X(sin) X(cos) X(tan) \
    X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) \
    X(erf) X(erfc) X(cbrt) X(fmod) X(floor) X(ceil) X(trunc) X(round) X(roundeven) X(rint) \
    X(nearbyint) X(fma) X(fmin) X(fmax) X(sqrt) X(ldexp) X(sincos) X(sincosf)
// clang-format on

MLC_END_DECLS

#endif
