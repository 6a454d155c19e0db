// nvgpu_warpgroup.h -- products of a warpgroup, nvgpu to nvvm.
#ifndef MLC_CONVERSION_NVGPU_WARPGROUP_H
#define MLC_CONVERSION_NVGPU_WARPGROUP_H

#include "to_llvm.h"

extern const LlvmPatterns nvgpu_warpgroup_patterns;
// What !nvgpu.warpgroup.accumulator is; NULL: no instruction has such sums.
MlcType llvm_warpgroup_accumulator(MlcType type);

#endif
