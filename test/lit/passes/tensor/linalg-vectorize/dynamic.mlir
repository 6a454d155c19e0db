// RUN: mlc-opt %s --tile --linalg-vectorize 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --linalg-vectorize --verify-diagnostics -o /dev/null
// A shape that is not known is left to the plain lowering to loops.
// CHECK-LABEL: func.func @sum
func.func @sum(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: linalg.add
  // expected-remark @below {{not vectorized: it has dynamic shapes, no iterations, more than one result, or is not on tensors}}
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
