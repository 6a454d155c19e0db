// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Kept dimensions come back as ones; the mean is the sum times a factor.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.generic
func.func @f(%x: tensor<2x4x8xf32>) -> (tensor<2x1x8xf32>, tensor<4xf32>, tensor<f32>) {
  %0 = graph.reduce_mean %x {axes = array<i64: 1>} : (tensor<2x4x8xf32>) -> tensor<2x1x8xf32>
  %1 = graph.reduce_sum %x {axes = array<i64: 0, -1>, keepdims = false} : (tensor<2x4x8xf32>) -> tensor<4xf32>
  %2 = graph.reduce_max %x {keepdims = false} : (tensor<2x4x8xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x1x8xf32>, tensor<4xf32>, tensor<f32>
}
