// RUN: mlc-opt %s --linalg-vectorize --verify-diagnostics | FileCheck %s
// What never runs stays as it is.
// CHECK-LABEL: func.func @nothing
// CHECK: linalg.exp
func.func @nothing(%x: tensor<0xf32>, %out: tensor<0xf32>) -> tensor<0xf32> {
  // expected-remark @below {{not vectorized: it has no iterations or too many to count, more than one result, or is not on tensors}}
  %0 = linalg.exp ins(%x : tensor<0xf32>) outs(%out : tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
