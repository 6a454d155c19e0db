// RUN: mlc-opt %s --graph-fold-constants | FileCheck %s
// Elements are computed 256 at a time: blocks begin within rows, the last is not full; operands are stretched along rows and along columns.
// CHECK-LABEL: func.func @blocks
// CHECK-DAG: graph.constant dense<[3.000000e+02, 6.000000e+02, 9.000000e+02]> : tensor<3xf32>
// CHECK-DAG: graph.constant dense<[4.500000e+02, 6.000000e+02, 7.500000e+02]> : tensor<3xf32>
// CHECK-DAG: graph.constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<3xf32>
// CHECK-NOT: graph.mul
// CHECK: return
func.func @blocks() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %tall = graph.constant dense<2.0> : tensor<150x3xf32>
  %wide = graph.constant dense<2.0> : tensor<3x150xf32>
  %row = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %column = graph.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %0 = graph.mul %tall, %row : (tensor<150x3xf32>, tensor<3xf32>) -> tensor<150x3xf32>
  %1 = graph.add %column, %wide : (tensor<3x1xf32>, tensor<3x150xf32>) -> tensor<3x150xf32>
  %2 = graph.reduce_sum %0 {axes = array<i64: 0>, keepdims = false} : (tensor<150x3xf32>) -> tensor<3xf32>
  %3 = graph.reduce_sum %1 {axes = array<i64: 1>, keepdims = false} : (tensor<3x150xf32>) -> tensor<3xf32>
  %4 = graph.reduce_max %0 {axes = array<i64: 0>, keepdims = false} : (tensor<150x3xf32>) -> tensor<3xf32>
  return %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
