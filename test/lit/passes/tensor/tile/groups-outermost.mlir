// RUN: mlc-opt %s --tile --target=x86-64-v3 | FileCheck %s
// The weights of one group of four stay in the second cache, those of all four do not: groups come before the pixels that share them.
// CHECK-LABEL: func.func @grouped
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c4{{.*}} step %c1{{ |_}}
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c96{{.*}} step %c6{{ |_}}
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c192{{.*}} step %c16{{ |_}}
// CHECK: linalg.generic
func.func @grouped(%x: tensor<96x4x192xf32>, %w: tensor<192x4x192xf32>, %init: tensor<96x4x192xf32>) -> tensor<96x4x192xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(w, g, f, c) -> (w, g, c)>, affine_map<(w, g, f, c) -> (c, g, f)>, affine_map<(w, g, f, c) -> (w, g, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<96x4x192xf32>, tensor<192x4x192xf32>) outs(%init : tensor<96x4x192xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %out, %m : f32
    linalg.yield %n : f32
  } -> tensor<96x4x192xf32>
  return %sum : tensor<96x4x192xf32>
}
