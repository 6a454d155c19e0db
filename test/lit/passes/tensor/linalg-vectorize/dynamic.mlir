// RUN: mlc-opt %s --tile --linalg-vectorize | FileCheck %s
// RUN: mlc-opt %s --linalg-vectorize --verify-diagnostics -o /dev/null
// A shape that is not known is tiled first; what is left of it without that goes to plain loops.
// CHECK-LABEL: func.func @sum
func.func @sum(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NOT: linalg.add
  // expected-remark @below {{not vectorized: its result is larger than a vector, as far as is known; tile it first}}
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
