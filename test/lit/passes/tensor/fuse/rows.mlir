// RUN: mlc-opt --fuse %s | FileCheck %s
// Ops that work row by row are one kernel, however many reductions they have.

// A norm: both means, and all that is between.
// CHECK-LABEL: func.func @norm(
// CHECK: graph.kernel
// CHECK: graph.reduce_mean
// CHECK: graph.sub
// CHECK: graph.reduce_mean
// CHECK: graph.div
// CHECK-NOT: graph.kernel
// CHECK: return
func.func @norm(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = graph.reduce_mean %x {axes = array<i64: -1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %1 = graph.sub %x, %0 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %2 = graph.mul %1, %1 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = graph.reduce_mean %2 {axes = array<i64: 1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %4 = graph.sqrt %3 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %5 = graph.div %1, %4 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %5 : tensor<4x16xf32>
}

// Attention: both products, since neither matrix is a constant.
// CHECK-LABEL: func.func @attention(
// CHECK: graph.kernel
// CHECK: graph.matmul
// CHECK: graph.softmax
// CHECK: graph.matmul
// CHECK-NOT: graph.kernel
// CHECK: return
func.func @attention(%q: tensor<2x8x16xf32>, %k: tensor<2x16x8xf32>, %v: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %0 = graph.matmul %q, %k : (tensor<2x8x16xf32>, tensor<2x16x8xf32>) -> tensor<2x8x8xf32>
  %1 = graph.softmax %0 : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %2 = graph.matmul %1, %v : (tensor<2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %2 : tensor<2x8x16xf32>
}

// What follows the product with a constant matrix is done in its registers, not in the norm's rows.
// CHECK-LABEL: func.func @dense_then_norm(
// CHECK: graph.kernel
// CHECK: graph.matmul
// CHECK: graph.add
// CHECK: graph.kernel
// CHECK: graph.reduce_mean
// CHECK: graph.sub
// CHECK: return
func.func @dense_then_norm(%x: tensor<4x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %w = graph.constant dense<1.0> : tensor<16x16xf32>
  %0 = graph.matmul %x, %w : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %1 = graph.add %0, %b : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = graph.reduce_mean %1 {axes = array<i64: 1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %3 = graph.sub %1, %2 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// Not along the last dimension: these are no rows.
// CHECK-LABEL: func.func @columns(
// CHECK: graph.kernel
// CHECK: graph.reduce_max
// CHECK: graph.kernel
// CHECK: graph.sub
// CHECK: return
func.func @columns(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = graph.reduce_max %x {axes = array<i64: 0>} : (tensor<4x16xf32>) -> tensor<1x16xf32>
  %1 = graph.sub %x, %0 : (tensor<4x16xf32>, tensor<1x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// A value that is wanted outside too ends its kernel.
// CHECK-LABEL: func.func @wanted_outside(
// CHECK: %[[MEAN:.*]] = graph.kernel
// CHECK: graph.kernel
// CHECK: graph.sub
func.func @wanted_outside(%x: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x1xf32>) {
  %0 = graph.reduce_mean %x {axes = array<i64: 1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %1 = graph.sub %x, %0 : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %1, %0 : tensor<4x16xf32>, tensor<4x1xf32>
}
