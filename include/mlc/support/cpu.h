// cpu.h -- what this processor can do, in LLVM's names of features.
//
// Ownership: names live for ever.
// Threads: any.
#ifndef MLC_SUPPORT_CPU_H
#define MLC_SUPPORT_CPU_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// False for features that are not in the table below. The operating system's part (registers saved
// on a context switch) is looked at too.
MLC_API bool mlc_cpu_has_feature(MlcStr feature);

// Whether this process may use a feature: of some (amx-tile) the operating system must be asked
// first, which this does. Asking again costs a system call and changes nothing.
MLC_API bool mlc_cpu_allow(MlcStr feature);

// The table: all features that this file can tell, whether the processor has them or not; NULL past
// the end.
MLC_API const char *mlc_cpu_feature_name(size_t i);

// ELF's e_machine for this processor: 62 x86-64, 183 AArch64, 0 unknown.
MLC_API uint32_t mlc_cpu_machine(void);

MLC_END_DECLS

#endif
