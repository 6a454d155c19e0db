// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))' | FileCheck %s
// Functions of the host launch kernels and are lowered elsewhere.
// CHECK: func.func @host
// CHECK: gpu.launch_func
// CHECK-NOT: nvvm.read
module attributes {gpu.container_module} {
  func.func @host(%n: index) {
    gpu.launch_func @kernels::@nothing blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @kernels {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
}
