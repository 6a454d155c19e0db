// RUN: not mlc-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' 2>&1 | FileCheck %s
// Barriers of global memory have no lowering.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<global>>
gpu.module @m {
  gpu.func @f(%b: !bar, %i: index) kernel {
    // CHECK: its barriers are not in workgroup memory
    %t = nvgpu.mbarrier.arrive %b[%i] : !bar -> !nvgpu.mbarrier.token
    gpu.return
  }
}
