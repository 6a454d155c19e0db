// RUN: not mlc-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' 2>&1 | FileCheck %s
// Workgroup memory of a size that is not known is nobody's.
gpu.module @m {
  // CHECK: it has workgroup or private memory of no size
  gpu.func @f() workgroup(%w: memref<?xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // CHECK: it is in no kernel
  func.func @f() -> memref<?xi8, #gpu.address_space<workgroup>> {
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    return %d : memref<?xi8, #gpu.address_space<workgroup>>
  }
}
