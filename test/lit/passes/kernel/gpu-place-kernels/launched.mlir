// RUN: mlc-opt %s --gpu-place-kernels | FileCheck %s
// What a schedule has launched already stays on the device, as what is beside it.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: mlc.place
// CHECK: gpu.launch
// CHECK: gpu.launch
func.func private @kernel_0(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %u, %v) in (%bx = %c1, %by = %c1, %bz = %c1) {
    memref.store %x, %a[%c0] : memref<8xf32>
    gpu.terminator
  }
  memref.store %x, %b[%c0] : memref<8xf32>
  return
}
func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
  call @kernel_0(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
