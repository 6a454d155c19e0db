// gpu_checks.h -- assertions over all elements of a buffer, ahead of what picks or divides by them
// (graph-to-linalg), and how they become checks of each element where it is used.
#ifndef MLC_LIB_CONVERSION_GPU_CHECKS_H
#define MLC_LIB_CONVERSION_GPU_CHECKS_H

#include "mlc/ir.h"

typedef struct GpuChecks {
    MlcOpVec ops;        // that go: assertions, and what computes their conditions
    MlcOpVec assertions; // that can be sunk
} GpuChecks;

// Of a function of one block: its assertions that can be sunk.
void gpu_checks_read(GpuChecks *checks, MlcOp *function);
void gpu_checks_release(GpuChecks *checks);
bool gpu_checks_have(const GpuChecks *checks, const MlcOp *op); // among those that go
// Each op that relies on a check makes it, and its body yields 0 where it fails: a cf.assert at an
// element tells, and what follows is harmless.
void gpu_checks_sink(GpuChecks *checks);

#endif
