// RUN: mlc-opt %s --kernel-sizes | FileCheck %s
// A dimension of size 0 has the stride that it has in the type: none, and the dimensions before it
// are laid out as if it were not there.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}, 3, 0], strides: [3, 1, 0] : memref<f32> to memref<?x3x0xf32>
func.func @main(%x: memref<?x3x0xf32>, %n: index) {
  call @kernel_0(%x, %n) : (memref<?x3x0xf32>, index) -> ()
  return
}
func.func private @kernel_0(%x: memref<?x3x0xf32> {mlc.dims = ["n", "", ""]}, %n: index {mlc.size = "n"}) {
  return
}
