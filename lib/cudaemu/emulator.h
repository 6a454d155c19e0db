// emulator.h -- a GPU that libmlc_ptxsim computes, as the functions of the CUDA driver see it.
//
// There is one device context, and all that is made belongs to it. One lock serves every function.
// Work of streams is put off until somebody waits for it: who forgets to wait finds what was there
// before. With a seed, work of other streams is done early at times. Whether streams were ordered
// where they touched the same memory is told by clocks, whatever came first here (order.c).
#ifndef MLC_CUDAEMU_EMULATOR_H
#define MLC_CUDAEMU_EMULATOR_H

#include "mlc/ptxsim.h"
#include "mlc/support/cuda_api.h"
#include "mlc/support/vec.h"

#include <stdio.h>

struct MlcCudaContext {
    int users;
};

struct MlcCudaFunction {
    MlcCudaModule *module;
    MlcPtxEntry *entry;
    uint32_t max_shared_bytes; // dynamic ones that a launch may ask for
};

struct MlcCudaModule {
    MlcPtxModule *ptx;
    MlcPtrVec functions; // MlcCudaFunction: that were asked for
};

enum { MAX_STREAMS = 64 };

// Of each stream, by its slot, how many of its tasks are known to be done.
typedef struct Clock {
    uint64_t done[MAX_STREAMS];
} Clock;

// What was known at some point: where an event was recorded, or when the host asked for work.
typedef struct Point {
    unsigned refs;
    Clock clock;
} Point;

// What work touched, by address.
typedef struct Touch {
    uint64_t begin, end;
    bool is_written;
} Touch;
typedef MLC_VEC(Touch) Touches;

typedef enum TaskKind {
    TASK_COPY_IN,
    TASK_COPY_OUT,
    TASK_COPY_WITHIN,
    TASK_LAUNCH,
    TASK_RECORD,
    TASK_WAIT,
    TASK_GRAPH
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
    Point *point;           // of a record, and of waits for it
    Point *asked;           // what the host knew
    MlcCudaGraphExec *exec; // TASK_GRAPH
} Task;

typedef MLC_VEC(uint32_t) Nodes;

// A launch or copy of a graph, behind others of lower numbers.
typedef struct Node {
    Task *task;
    Nodes before;
} Node;

// The graph that a stream captures, or captured.
struct MlcCudaGraph {
    MLC_VEC(Node) nodes;
    MlcCudaStream *origin; // NULL: the capture has ended
    unsigned refs;         // the capture or the caller, and execs
};

struct MlcCudaGraphExec {
    MlcCudaGraph *graph;
    unsigned refs; // the caller, and launches to come
};

struct MlcCudaStream {
    Task *first, **end;
    uint64_t num_put, num_done; // counted on from whoever had the slot before
    unsigned slot;
    Clock clock;
    MlcCudaGraph *capture; // what is asked for becomes nodes of this; NULL: it is work
    Nodes last;            // of them, those that the next one is behind
    bool is_busy;          // with a task, or its wait
};

struct MlcCudaEvent {
    MlcCudaStream *stream; // that it was last recorded in; NULL: none, or that one is gone
    uint64_t position;
    Point *point;
    bool has_no_time;
    int64_t nanoseconds;   // when that was done; 0: not yet
    MlcCudaGraph *capture; // that it was recorded in, as being behind `last`
    Nodes last;
};

// Of the device or, pinned, of the host.
typedef struct Allocation {
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
    const char *failing; // the function that fails, and which of its calls; NULL: none
    uint64_t num_failing_calls;
    MlcPtxDevice *device;
    MlcCudaContext context;
    MlcPtrVec modules, streams, events, graphs, execs; // MlcCuda...: that are there
    MlcPtrVec allocations, pinned;                     // Allocation
    uint64_t positions[MAX_STREAMS];                   // where the next stream of the slot begins
    Point *host;                                       // what the host knows
    uint64_t draws;
    MlcCudaResult fault; // of a kernel: every later call says it too
    struct MlcBuf *log;  // where messages go; NULL: stderr
    FILE *trace;         // a line for each launch; NULL: nobody asks
} Emulator;

extern Emulator emulator;

// What is exported: the driver's functions.
#define EMULATOR_DECLARE(name, symbol, parameters) MLC_API int symbol parameters;
MLC_CUDA_FUNCTIONS(EMULATOR_DECLARE)
MLC_CUDA_NEWER_FUNCTIONS(EMULATOR_DECLARE)
#undef EMULATOR_DECLARE

// Takes the lock, and checks that there is a device whose context is current here; `function` is
// who asks. What it returns is for emulator_end, whatever it is.
MlcCudaResult emulator_begin(const char *function);
MlcCudaResult emulator_end(MlcCudaResult result);
// With a stream that is asked for something.
MlcCudaResult emulator_begin_with(const char *function, const MlcCudaStream *stream);

bool list_has(const MlcPtrVec *list, const void *item);
void list_remove(MlcPtrVec *list, const void *item); // keeps the others' order

// Does what was put into the stream, until `num_done` tasks are done in all.
MlcCudaResult stream_run(MlcCudaStream *stream, uint64_t num_done);
MlcCudaResult stream_run_all(void);
// The same, and the host knows of it.
MlcCudaResult stream_wait(MlcCudaStream *stream, uint64_t num_done);
// A launch, or a copy; what it touched is added. `touches` NULL: nobody asks.
MlcCudaResult task_do(const Task *task, Touches *touches);
void task_free(Task *task);
// Puts a task of a kind into the stream, with `more` bytes behind it; a graph's node if it
// captures.
Task *task_put(MlcCudaStream *stream, TaskKind kind, size_t more);
MlcStr task_name(const Task *task); // for messages
uint64_t draw(void);                // a number; of another seed, another one

// Whether the calling thread captures.
bool captures_here(void);
// Of a graph's launch: its tasks in some order that they allow.
MlcCudaResult graph_do(const MlcCudaGraphExec *exec, Touches *touches);
void graph_add(MlcCudaStream *stream, Task *task);
void graph_record(MlcCudaStream *stream, MlcCudaEvent *event);
MlcCudaResult graph_wait(MlcCudaStream *stream, const MlcCudaEvent *event);
void exec_release(MlcCudaGraphExec *exec); // NULL is fine
void graphs_destroy_all(void);

Point *point_create(void);
Point *point_keep(Point *point);
void point_release(Point *point); // NULL is fine
void clock_join(Clock *to, const Clock *from);
// The stream has done `task`, which touched this: told, if something that it was not ordered with
// touched the same.
MlcCudaResult order_check(MlcCudaStream *stream, const Task *task, Touches *touches);
bool touches_meet(const Touches *a, const Touches *b, uint64_t *address);
void touches_sort(Touches *touches);
void order_tell(MlcStr one, MlcStr other, uint64_t address);
bool order_is_asked_for(void); // there are several streams, and races are looked for
void order_forget_all(void);
// Forgets what was made: streams with their tasks, events.
void streams_destroy_all(void);
void modules_destroy_all(void);

#endif
