// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 | FileCheck %s
// Rows of the weights are contiguous along the reduction: lanes run along that, and are added up at the end.
// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<32xf32>, %w: tensor<2x32xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
  // CHECK-COUNT-2: vector.fma
  // CHECK-COUNT-2: vector.reduction <add>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<32xf32>, tensor<2x32xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
