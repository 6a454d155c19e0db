// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// A constant per channel after a convolution is its bias.
// CHECK-LABEL: func.func @conv
// CHECK: %[[B:.*]] = graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: %[[Y:.*]] = graph.conv %{{.*}}, %{{.*}}, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @conv(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %b = graph.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.add %0, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}
// CHECK-LABEL: func.func @matmul
// CHECK-NEXT: %[[Y:.*]] = graph.gemm
// CHECK-NEXT: return %[[Y]]
func.func @matmul(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = graph.add %b, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
// A transposed matrix is a flag.
// CHECK-LABEL: func.func @transposed
// CHECK-NEXT: %[[Y:.*]] = graph.gemm %{{.*}}, %{{.*}} {trans_b = true}
// CHECK-NEXT: return %[[Y]]
func.func @transposed(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = graph.transpose %w : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = graph.matmul %x, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
// Not where the product has another user.
// CHECK-LABEL: func.func @shared
// CHECK: graph.matmul
func.func @shared(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = graph.add %0, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
