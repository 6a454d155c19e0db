// cubin.h -- PTX text assembled to a cubin by NVIDIA's ptxas, a program of its own.
#ifndef MLC_LIB_OBJECT_CUBIN_H
#define MLC_LIB_OBJECT_CUBIN_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

enum { CUBIN_SECONDS = 120 }; // a kernel takes less than one

// Runs `ptxas` for a processor ("sm_90a"), for so long at most. False with the first line of what
// it says in `error`.
bool cubin_assemble(const char *ptxas, const char *cpu, MlcStr ptx, int seconds, MlcBuf *cubin,
                    MlcBuf *error);

#endif
