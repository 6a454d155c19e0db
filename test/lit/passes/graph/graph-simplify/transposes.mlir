// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// CHECK-LABEL: func.func @merged
// CHECK: graph.transpose %{{.*}} {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NOT: graph.transpose
func.func @merged(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = graph.transpose %x {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = graph.transpose %0 {perm = array<i64: 2, 0, 1>} : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}
// CHECK-LABEL: func.func @inverse
// CHECK-NEXT: return
func.func @inverse(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = graph.transpose %x {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = graph.transpose %0 {perm = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
// Only a size of 1 moves.
// CHECK-LABEL: func.func @ones
// CHECK: graph.reshape
// CHECK-NOT: graph.transpose
func.func @ones(%x: tensor<2x1x4xf32>) -> tensor<1x2x4xf32> {
  %0 = graph.transpose %x {perm = array<i64: 1, 0, 2>} : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
