// RUN: mlc-opt %s --fuse 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --fuse --verify-diagnostics -o /dev/null
// Of two branches the later one is computed with the sum. The other one leaves the bytes that it is rounded to, not its sums.
// CHECK-LABEL: func.func @branches
// CHECK: %[[B:.*]] = graph.kernel {{.*}} -> tensor<8x8xui8>
// CHECK: graph.matmul
// CHECK: graph.quantize
// CHECK: graph.kernel
// CHECK: graph.matmul
// CHECK: graph.quantize
// CHECK: graph.add
func.func @branches(%a: tensor<8x8xui8>, %b: tensor<8x8xui8>, %w: tensor<8x8xi8>, %z: tensor<f32>) -> tensor<8x8xf32> {
  %0 = graph.matmul %a, %w : (tensor<8x8xui8>, tensor<8x8xi8>) -> tensor<8x8xi32>
  %1 = graph.matmul %b, %w : (tensor<8x8xui8>, tensor<8x8xi8>) -> tensor<8x8xi32>
  %2 = graph.cast %0 : (tensor<8x8xi32>) -> tensor<8x8xf32>
  %3 = graph.cast %1 : (tensor<8x8xi32>) -> tensor<8x8xf32>
  %4 = graph.quantize %2, %z : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xui8>
  %5 = graph.quantize %3, %z : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xui8>
  // expected-remark @below {{not fused: what other loops gave is rounded to fewer bits where it is made}}
  %6 = graph.cast %4 : (tensor<8x8xui8>) -> tensor<8x8xf32>
  %7 = graph.cast %5 : (tensor<8x8xui8>) -> tensor<8x8xf32>
  %8 = graph.add %6, %7 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %8 : tensor<8x8xf32>
}
// What is rounded twice on one way is done in one kernel.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @twice(%a: tensor<8x8xui8>, %w: tensor<8x8xi8>, %z: tensor<f32>) -> tensor<8x8xui8> {
  %0 = graph.matmul %a, %w : (tensor<8x8xui8>, tensor<8x8xi8>) -> tensor<8x8xi32>
  %1 = graph.cast %0 : (tensor<8x8xi32>) -> tensor<8x8xf32>
  %2 = graph.quantize %1, %z : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xui8>
  %3 = graph.cast %2 : (tensor<8x8xui8>) -> tensor<8x8xf32>
  %4 = graph.quantize %3, %z : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xui8>
  return %4 : tensor<8x8xui8>
}
