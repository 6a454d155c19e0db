// RUN: mlc-opt %s --fuse --verify-diagnostics | FileCheck %s
// What is broadcast is computed once, not for each element of the larger result.
// CHECK-COUNT-2: graph.kernel
func.func @f(%x: tensor<4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = graph.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{not fused: producer has another shape than the result}}
  %1 = graph.add %0, %y : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
