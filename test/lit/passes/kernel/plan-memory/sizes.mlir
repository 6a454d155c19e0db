// RUN: mlc-opt %s --plan-memory | FileCheck %s
// Sizes known when the model runs, and places of buffers, are read from one more argument; the module tells how they
// are computed.
// CHECK: module attributes {
// CHECK-SAME: mlc.inputs = [{dims = ["n", ""], name = "x", type = tensor<?x4xf32>}]
// CHECK-SAME: mlc.shapes = {buffers = [array<i64: [[BYTES:[0-9]+]], {{[0-9]+}}, {{[0-9]+}}, 0>], checks = [], inputs = [array<i64: 0, -1>]
// CHECK-SAME: outputs = [array<i64: 1, -1>], sizes = ["n", "2*n", "32*n"]
// CHECK-SAME: steps = [array<i64: 1, 0>, array<i64: 0, 2, 1, 0, 2, 2>, array<i64: 0, 32, 1, 0, 2, 2>], symbols = ["n"]
// CHECK: func.func @main(%[[ARENA:.*]]: memref<0xi8>, %{{.*}}: memref<0xi8>, %{{.*}}: memref<0xi8>, %[[SIZES:.*]]: memref<4xi64>,
// CHECK-SAME: %[[X:.*]]: memref<f32>, %[[Y:.*]]: memref<f32>)
// CHECK: %[[LOADED:.*]] = memref.load %[[SIZES]][%{{.*}}] : memref<4xi64>
// CHECK: %[[OFFSET:.*]] = arith.index_cast
// CHECK: memref.view %[[ARENA]][%{{.*}}][%{{.*}}] : memref<0xi8> to memref<?x4xf32>
func.func @main(%x: memref<?x4xf32> {mlc.name = "x", mlc.dims = ["n", ""]},
                %y: memref<?x4xf32> {mlc.name = "y", mlc.dims = ["2*n", ""], mlc.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %nn = arith.addi %n, %n : index
  %b = memref.alloc(%nn) : memref<?x4xf32>
  %p = memref.reinterpret_cast %x to offset: [0], sizes: [], strides: [] : memref<?x4xf32> to memref<f32>
  %q = memref.reinterpret_cast %b to offset: [0], sizes: [], strides: [] : memref<?x4xf32> to memref<f32>
  %r = memref.reinterpret_cast %y to offset: [0], sizes: [], strides: [] : memref<?x4xf32> to memref<f32>
  call @kernel_0(%p, %n, %nn, %q) : (memref<f32>, index, index, memref<f32>) -> ()
  call @kernel_0(%q, %n, %nn, %r) : (memref<f32>, index, index, memref<f32>) -> ()
  return
}
func.func private @kernel_0(%x: memref<f32>, %n: index, %m: index, %y: memref<f32>)
