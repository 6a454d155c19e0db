// machine.h -- what LLVM does with a module: passes and code.
#ifndef MLC_LIB_TARGET_MACHINE_H
#define MLC_LIB_TARGET_MACHINE_H

#include <llvm-c/TargetMachine.h>

#include "mlc/target.h"

// A target machine for the options.
// Code for a GPU: what stands in gpu.modules.
bool mlc_machine_is_gpu(const MlcTargetDesc *desc);
LLVMTargetMachineRef mlc_machine_create(const MlcTargetOptions *options);

// Runs the passes and emits. LLVM's fatal errors come back as errors; what LLVM held then leaks:
// see *fatal.
bool mlc_machine_emit(LLVMTargetMachineRef machine, LLVMModuleRef module,
                      const MlcTargetOptions *options, MlcEmit kind, MlcBuf *out, MlcBuf *error,
                      bool *fatal);

// libdevice.c: if a GPU module calls __nv_ functions, links CUDA's library of them into it.
bool mlc_link_libdevice(LLVMModuleRef module, MlcBuf *error);

// cache.c
bool mlc_cache_find_folder(const MlcTargetOptions *options, MlcStr *folder);
void mlc_cache_key(LLVMModuleRef module, const MlcTargetOptions *options, const MlcTargetDesc *desc,
                   MlcStr passes, uint64_t key[2]);
bool mlc_cache_read(MlcStr folder, const uint64_t key[2], MlcBuf *out); // false: not there
void mlc_cache_write(MlcStr folder, const uint64_t key[2], MlcStr object);

// jit.c
MlcJit *mlc_jit_create(const MlcStr *objects, size_t num_objects, MlcBuf *error);
void *mlc_jit_lookup(MlcJit *jit, const char *symbol);
void mlc_jit_destroy(MlcJit *jit);
void mlc_machine_initialize(void); // LLVM's targets, once

#endif
