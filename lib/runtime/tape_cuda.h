// tape_cuda.h -- launches and copies that a run asked for, written down until they are submitted:
// one after the other to streams, or, when the same was asked for before, as a graph.
#ifndef MLC_LIB_RUNTIME_TAPE_CUDA_H
#define MLC_LIB_RUNTIME_TAPE_CUDA_H

#include "device_cuda.h"

#include "mlc/runtime/abi.h"

enum { MLC_RT_MAX_STREAMS = 8, MLC_RT_MAX_GRAPHS = 32 };

// Words: the kind and the stream, then what each kind has. Equal words ask for the same.
typedef enum MlcRtCommand {
    MLC_RT_COMMAND_LAUNCH, // kernel, MLC_RT_LAUNCH_SIZES sizes, the arguments
    MLC_RT_COMMAND_COPY,   // to, from, bytes, an MlcRtCopy
    MLC_RT_COMMAND_RECORD, // event
    MLC_RT_COMMAND_WAIT,   // event
    MLC_RT_COMMAND_MARK,   // mark
} MlcRtCommand;

typedef struct MlcRtWords {
    int64_t *data;
    size_t size, room;
} MlcRtWords;

typedef struct MlcRtGraph {
    uint64_t hash;
    MlcRtWords words;       // none until it is made
    MlcCudaGraphExec *exec; // NULL: the same was asked for once
    uint64_t last_use;
} MlcRtGraph;

// Events of one kind, by number, made when they are first asked for.
typedef struct MlcRtEvents {
    MlcCudaEvent **data;
    int64_t *streams; // that it was recorded on since all streams met; -1: not
    size_t size;
} MlcRtEvents;

typedef struct MlcRtTape {
    const MlcRtDevice *device;
    MlcCudaStream *streams[MLC_RT_MAX_STREAMS]; // all but the first one NULL until they are used
    bool is_used[MLC_RT_MAX_STREAMS];           // by what is written
    MlcCudaEvent *forks, *joins[MLC_RT_MAX_STREAMS];
    MlcRtEvents events, marks;
    MlcRtWords words;
    size_t num_commands;
    bool has_graphs;
    MlcRtGraph graphs[MLC_RT_MAX_GRAPHS];
    uint64_t uses; // of graphs
    void **args;   // room for a launch's
    size_t args_room;
} MlcRtTape;

// Words of a launch's argument: one, or a tensor's description.
static inline size_t
mlc_rt_argument_words(const int64_t *sizes, int64_t argument)
{
    bool is_tensor = argument < 64 && sizes[MLC_RT_LAUNCH_TENSORS] >> argument & 1;
    return is_tensor ? MLC_RT_TENSOR_MAP_BYTES / sizeof(int64_t) : 1;
}

bool mlc_rt_tape_init(MlcRtTape *tape, const MlcRtDevice *device, bool has_graphs,
                      MlcRtError *error);
void mlc_rt_tape_release(MlcRtTape *tape); // where the device can be used
// Writes a command with `count` words down.
bool mlc_rt_tape_add(MlcRtTape *tape, MlcRtCommand kind, size_t stream, const int64_t *words,
                     size_t count, MlcRtError *error);
// That event, or mark, is there.
bool mlc_rt_tape_need(MlcRtTape *tape, MlcRtEvents *events, int64_t number, bool has_time,
                      MlcRtError *error);
// All that is written begins, and the tape is empty. What comes later on the first stream is behind
// all of it.
bool mlc_rt_tape_submit(MlcRtTape *tape, MlcRtError *error);
void mlc_rt_tape_clear(MlcRtTape *tape);
// Until nothing is under way on any stream, whatever became of it.
void mlc_rt_tape_settle(const MlcRtTape *tape);

#endif
