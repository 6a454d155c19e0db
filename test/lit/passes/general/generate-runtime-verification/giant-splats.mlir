// RUN: mlc-opt %s --generate-runtime-verification | FileCheck %s
// Sizes of a giant splat are asked of its type, not of its elements.
// CHECK-LABEL: func.func @f
func.func @f() -> tensor<4xi32> {
  %0 = arith.constant dense<7> : tensor<9999999999999xi32>
  %s = tensor.extract_slice %0[1] [4] [2] : tensor<9999999999999xi32> to tensor<4xi32>
  return %s : tensor<4xi32>
}
