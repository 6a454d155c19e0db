// RUN: mlc-opt %s --tile --linalg-vectorize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry sums | FileCheck %s --check-prefix=SUMS
// There is nothing to tile where a loop has no iterations: what is there, stays.
// CHECK-LABEL: func.func @sums
// CHECK: linalg.generic
// CHECK-SAME: tensor<4x0xf32>
// SUMS: dense<0.000000e+00> : tensor<4xf32>
#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
func.func @sums() -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %x = arith.constant dense<> : tensor<4x0xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
