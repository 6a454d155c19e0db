// RUN: mlc-opt %s --kernel-sizes | FileCheck %s
// A buffer of dynamic shape is passed as the address of its first element; the kernel makes it of that and of its
// sizes, by name. One of static shape stays.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [], strides: [] : memref<?x?x4xf32> to memref<f32>
// CHECK: call @kernel_0(%[[A]], %{{.*}}, %{{.*}}, %{{.*}}) : (memref<f32>, memref<4xf32>, index, index) -> ()
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-SAME: %[[X:.*]]: memref<f32>, %{{.*}}: memref<4xf32>, %[[N:.*]]: index, %[[S:.*]]: index) {
// CHECK: %[[STRIDE:.*]] = arith.muli %{{.*}}, %[[S]] : index
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], %[[S]], 4], strides: [%[[STRIDE]], 4, 1] : memref<f32> to memref<?x?x4xf32>
func.func @main(%x: memref<?x?x4xf32>, %w: memref<4xf32>, %n: index, %s: index) {
  call @kernel_0(%x, %w, %n, %s) : (memref<?x?x4xf32>, memref<4xf32>, index, index) -> ()
  return
}
func.func private @kernel_0(%x: memref<?x?x4xf32> {mlc.dims = ["n", "s", ""]}, %w: memref<4xf32>, %n: index {mlc.size = "n"},
                            %s: index {mlc.size = "s"}) {
  return
}
