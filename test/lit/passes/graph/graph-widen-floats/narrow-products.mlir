// RUN: mlc-opt %s --graph-widen-floats=narrow-products | FileCheck %s
// Factors of products stay as they are, or are rounded to what they were; sums, and what is added to them, are f32.
// CHECK-LABEL: func.func @matmul
// CHECK: %[[P:.*]] = graph.matmul %arg0, %arg1 : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf32>
// CHECK: %[[E:.*]] = graph.exp %[[P]] : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK: %[[N:.*]] = graph.cast %[[E]] : (tensor<2x2xf32>) -> tensor<2x2xf16>
// CHECK: %[[Q:.*]] = graph.matmul %[[N]], %arg0 : (tensor<2x2xf16>, tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK: graph.cast %[[Q]] : (tensor<2x3xf32>) -> tensor<2x3xf16>
func.func @matmul(%x: tensor<2x3xf16>, %w: tensor<3x2xf16>) -> tensor<2x3xf16> {
  %product = graph.matmul %x, %w : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf16>
  %between = graph.exp %product : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %result = graph.matmul %between, %x : (tensor<2x2xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  return %result : tensor<2x3xf16>
}
// CHECK-LABEL: func.func @gemm
// CHECK: %[[C:.*]] = graph.cast %arg2 : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: graph.gemm %arg0, %arg1, %[[C]] : (tensor<2x3xbf16>, tensor<3x2xbf16>, tensor<2xf32>) -> tensor<2x2xf32>
func.func @gemm(%x: tensor<2x3xbf16>, %w: tensor<3x2xbf16>, %c: tensor<2xbf16>) -> tensor<2x2xbf16> {
  %result = graph.gemm %x, %w, %c : (tensor<2x3xbf16>, tensor<3x2xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  return %result : tensor<2x2xbf16>
}
// CHECK-LABEL: func.func @conv
// CHECK: graph.conv %arg0, %arg1 : (tensor<1x3x4x4xf16>, tensor<5x3x1x1xf16>) -> tensor<1x5x4x4xf32>
func.func @conv(%x: tensor<1x3x4x4xf16>, %w: tensor<5x3x1x1xf16>) -> tensor<1x5x4x4xf16> {
  %result = graph.conv %x, %w : (tensor<1x3x4x4xf16>, tensor<5x3x1x1xf16>) -> tensor<1x5x4x4xf16>
  return %result : tensor<1x5x4x4xf16>
}
