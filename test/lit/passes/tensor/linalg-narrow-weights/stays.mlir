// RUN: mlc-opt %s --linalg-narrow-weights="least-bytes=0" --split-input-file | FileCheck %s
// RUN: mlc-opt %S/one-row.mlir --linalg-narrow-weights --split-input-file | FileCheck %s --check-prefix=SMALL
// Numbers that neither f16 nor bf16 holds; rows enough to hide what memory takes; a model without f16 and bf16; what a cache holds.
// SMALL-NOT: tensor<2x2xf16>
// CHECK-LABEL: func.func private @inexact
// CHECK-SAME: tensor<2x2xf32>
func.func private @inexact(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %e = tensor.empty() : tensor<1x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
func.func @main(%x: tensor<1x2xf32>, %n: tensor<f16>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, 0.1], [1.0, 1.0]]> : tensor<2x2xf32>
  %y = call @inexact(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: func.func private @rows
// CHECK-SAME: tensor<2x2xf32>
func.func private @rows(%x: tensor<8x2xf32>, %w: tensor<2x2xf32>) -> tensor<8x2xf32> {
  %e = tensor.empty() : tensor<8x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x2xf32>, tensor<2x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}
func.func @main(%x: tensor<8x2xf32>, %n: tensor<f16>) -> tensor<8x2xf32> {
  %w = arith.constant dense<1.0> : tensor<2x2xf32>
  %y = call @rows(%x, %w) : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}

// -----

// CHECK-LABEL: func.func private @f32
// CHECK-SAME: tensor<2x2xf32>
func.func private @f32(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %e = tensor.empty() : tensor<1x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<1.0> : tensor<2x2xf32>
  %y = call @f32(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
