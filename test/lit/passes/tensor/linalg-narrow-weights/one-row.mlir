// RUN: mlc-opt %s --linalg-narrow-weights="least-bytes=0" --split-input-file | FileCheck %s
// One row times a constant matrix that f16 holds: the matrix comes as f16 and is widened in the product.
// CHECK-LABEL: func.func @f16
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, -2.000000e+00], [5.960460e-08, 6.550400e+04]]> : tensor<2x2xf16>
// CHECK: func.func private @kernel(%arg0: tensor<1x2xf32>, %arg1: tensor<2x2xf16>) -> tensor<1x2xf32>
// CHECK: linalg.generic
// CHECK: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f16, %[[SUM:.*]]: f32):
// CHECK: %[[WIDE:.*]] = arith.extf %[[W]] : f16 to f32
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[WIDE]]
// CHECK: arith.addf %[[SUM]], %[[P]]
func.func @f16(%x: tensor<1x2xf32>) -> tensor<1x2xf16> {
  %w = arith.constant dense<[[1.0, -2.0], [5.9604645e-8, 65504.0]]> : tensor<2x2xf32>
  %y = call @kernel(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %n = arith.truncf %y : tensor<1x2xf32> to tensor<1x2xf16>
  return %n : tensor<1x2xf16>
}
func.func private @kernel(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%start : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// -----

// Of two callers' matrices f16 holds one only, bf16 both.
// CHECK-LABEL: func.func @bf16
// CHECK-DAG: arith.constant {{.*}} : tensor<1x2xbf16>
// CHECK-DAG: arith.constant {{.*}} : tensor<1x2xbf16>
// CHECK: func.func private @kernel(%arg0: tensor<1x1xf32>, %arg1: tensor<1x2xbf16>)
func.func @bf16(%x: tensor<1x1xf32>) -> tensor<1x2xbf16> {
  %w = arith.constant dense<[[1.0, -2.0]]> : tensor<1x2xf32>
  %v = arith.constant dense<[[0x71800000, 1.5]]> : tensor<1x2xf32>
  %a = call @kernel(%x, %w) : (tensor<1x1xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %b = call @kernel(%x, %v) : (tensor<1x1xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = arith.addf %a, %b : tensor<1x2xf32>
  %n = arith.truncf %y : tensor<1x2xf32> to tensor<1x2xbf16>
  return %n : tensor<1x2xbf16>
}
func.func private @kernel(%x: tensor<1x1xf32>, %w: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %e = tensor.empty() : tensor<1x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x1xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
