// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-extremes | FileCheck %s
// RUN: mlc-opt %s --target=x86-64-v4 --interpret --entry small --input random:1 > %t.before
// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-extremes --interpret --entry small --input random:1 > %t.after
// RUN: diff %t.before %t.after
// Parts for threads, rows, and 8 vectors of 16 side by side; what is left of them is one row.
// CHECK-LABEL: func.func @image
// CHECK: %[[C:.*]] = graph.reshape %arg0 {shape = array<i64: 16, 588, 128>}
// CHECK-NEXT: %[[P:.*]] = graph.reduce_max %[[C]] {axes = array<i64: 1>, keepdims = false} : (tensor<16x588x128xf32>) -> tensor<16x128xf32>
// CHECK-NEXT: %[[L:.*]] = graph.reshape %[[P]]
// CHECK-NEXT: %[[M:.*]] = graph.reduce_max %[[L]] {axes = array<i64: 0>, keepdims = false} : (tensor<2048xf32>) -> tensor<f32>
// CHECK-NEXT: return %[[M]]
func.func @image(%x: tensor<1x112x112x96xf32>) -> tensor<f32> {
  %0 = graph.reduce_max %x {keepdims = false} : (tensor<1x112x112x96xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// Too few for two threads; 7840 numbers are rows of 112.
// CHECK-LABEL: func.func @small
// CHECK: graph.reshape %arg0 {shape = array<i64: 1, 70, 112>}
// CHECK: graph.reduce_min
func.func @small(%x: tensor<7x7x160xf32>) -> tensor<f32> {
  %0 = graph.reduce_min %x {axes = array<i64: 0, 1, 2>, keepdims = false} : (tensor<7x7x160xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// Numbers that make no rows of vectors, few of them, what is not reduced to one, and sums, whose order counts, stay.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: graph.reshape
func.func @stays(%a: tensor<10007xf32>, %b: tensor<128xf32>, %c: tensor<64x640xf32>) -> (tensor<f32>, tensor<f32>, tensor<640xf32>, tensor<f32>) {
  %0 = graph.reduce_max %a {keepdims = false} : (tensor<10007xf32>) -> tensor<f32>
  %1 = graph.reduce_max %b {keepdims = false} : (tensor<128xf32>) -> tensor<f32>
  %2 = graph.reduce_max %c {axes = array<i64: 0>, keepdims = false} : (tensor<64x640xf32>) -> tensor<640xf32>
  %3 = graph.reduce_sum %c {keepdims = false} : (tensor<64x640xf32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<640xf32>, tensor<f32>
}
