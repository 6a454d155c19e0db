// RUN: mlc-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --verify-roundtrip
// The variables of a loop or body have locations of their own.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: affine.for %arg1 loc("variable") = 0 to 8 {
  affine.for %i loc("variable") = 0 to 8 {
  }
  // CHECK: (%in: f32 loc("element")) {
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%in: f32 loc("element")) {
    linalg.yield %in : f32
  }
  return %0 : tensor<4xf32>
}
