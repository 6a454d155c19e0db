// targets.h -- what --target names: a machine whose processor runs the model, and devices beside
// it.
#ifndef MLC_TOOLS_TARGETS_H
#define MLC_TOOLS_TARGETS_H

#include "mlc/machine.h"

enum { MAX_DEVICES = 8 };

typedef struct Targets {
    const MlcTargetDesc *host;                 // NULL: this machine
    const MlcTargetDesc *devices[MAX_DEVICES]; // GPUs, as they were named
    size_t num_devices;
} Targets;

// "x86-64-v4", "cuda-sm_90a,cuda-sm_80", both, or nothing. False after a message.
bool targets_find(MlcStr list, Targets *out);

// The device that all of them can run the code for, as far as passes choose by it; NULL: none.
const MlcTargetDesc *targets_common_device(const Targets *targets);

// The target that code for a device of that CUDA compute capability (90 is 9.0) is compiled for;
// NULL: there is none.
const MlcTargetDesc *target_for_capability(int capability);

#endif
