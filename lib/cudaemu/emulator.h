// emulator.h -- a GPU that libmlc_ptxsim computes, as the functions of the CUDA driver see it.
//
// There is one device context, and all that is made belongs to it. One lock serves every function.
// Work of streams is put off until somebody waits for it: who forgets to wait finds what was there
// before.
#ifndef MLC_CUDAEMU_EMULATOR_H
#define MLC_CUDAEMU_EMULATOR_H

#include "mlc/ptxsim.h"
#include "mlc/support/cuda_api.h"

#include <stdio.h>

struct MlcCudaContext {
    int users;
};

struct MlcCudaFunction {
    MlcCudaModule *module;
    MlcPtxEntry *entry;
    uint32_t max_shared_bytes; // dynamic ones that a launch may ask for
    MlcCudaFunction *next;
};

struct MlcCudaModule {
    MlcPtxModule *ptx;
    MlcCudaFunction *functions; // that were asked for
    MlcCudaModule *next;
};

typedef enum TaskKind {
    TASK_COPY_IN,
    TASK_COPY_OUT,
    TASK_COPY_WITHIN,
    TASK_LAUNCH,
    TASK_RECORD,
    TASK_WAIT
} TaskKind;

typedef struct Task {
    struct Task *next;
    TaskKind kind;
    MlcCudaAddress to, from; // copies; the host's side is `host`
    void *host;
    size_t bytes;
    MlcPtxLaunch launch; // its arguments lie behind the task
    MlcCudaEvent *event;
    MlcCudaStream *other; // TASK_WAIT: until this stream has done `position` tasks
    uint64_t position;
} Task;

struct MlcCudaStream {
    Task *first, **end;
    uint64_t num_put, num_done;
    MlcCudaStream *next;
};

struct MlcCudaEvent {
    MlcCudaStream *stream; // that it was last recorded in; NULL: none, or that one is gone
    uint64_t position;
    int64_t nanoseconds; // when that was done; 0: not yet
    MlcCudaEvent *next;
};

// What an allocation of the device takes, for those who have only so much.
typedef struct Allocation {
    struct Allocation *next;
    MlcCudaAddress address;
    size_t bytes;
} Allocation;

typedef struct Emulator {
    bool is_initialized;
    int num_devices;
    int capability; // 90 is 9.0
    uint64_t memory_bytes, used_bytes;
    uint64_t seed;
    bool no_races;
    const char *failing; // the function that always fails; NULL: none
    MlcPtxDevice *device;
    MlcCudaContext context;
    MlcCudaModule *modules;
    MlcCudaStream *streams;
    MlcCudaEvent *events;
    Allocation *allocations;
    MlcCudaResult fault; // of a kernel: every later call says it too
    struct MlcBuf *log;  // where messages go; NULL: stderr
    FILE *trace;         // a line for each launch; NULL: nobody asks
} Emulator;

extern Emulator emulator;

// What is exported: the driver's functions.
#define EMULATOR_DECLARE(name, symbol, parameters) MLC_API int symbol parameters;
MLC_CUDA_FUNCTIONS(EMULATOR_DECLARE)
#undef EMULATOR_DECLARE

// Takes the lock, and checks that there is a device whose context is current here; `function` is
// who asks. What it returns is for emulator_end, whatever it is.
MlcCudaResult emulator_begin(const char *function);
MlcCudaResult emulator_end(MlcCudaResult result);

// Does what was put into the stream, until `num_done` tasks are done in all.
MlcCudaResult stream_run(MlcCudaStream *stream, uint64_t num_done);
MlcCudaResult stream_run_all(void);
// Forgets what was made: streams with their tasks, events.
void streams_destroy_all(void);
void modules_destroy_all(void);

#endif
