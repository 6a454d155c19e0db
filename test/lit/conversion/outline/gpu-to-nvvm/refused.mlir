// RUN: not mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' 2>&1 | FileCheck %s
// Workgroup memory of a size that is not known is nobody's.
gpu.module @m {
  // CHECK: it has workgroup or private memory of no size
  gpu.func @f() workgroup(%w: memref<?xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}
