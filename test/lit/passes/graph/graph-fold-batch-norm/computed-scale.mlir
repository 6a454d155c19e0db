// RUN: mlc-opt %s --graph-fold-batch-norm --verify-diagnostics
// RUN: mlc-opt %s --graph-fold-batch-norm 2>&1 | FileCheck %s
// CHECK: graph.batch_norm
func.func @f(%x: tensor<1x2x4x4xf32>, %s: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  // expected-remark @below {{not folded: operand 1 is computed at run time}}
  %0 = graph.batch_norm %x, %s, %s, %s, %s : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}
