// RUN: mlc-opt %s --linalg-specialize-generic-ops | FileCheck %s
// Transposed results, broadcast inputs, other bodies, and what keeps the output stay generic.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
#one = affine_map<(i, j) -> ()>
// CHECK-NOT: linalg.{{copy|fill|add|exp|mul}}
// CHECK-COUNT-6: linalg.generic
func.func @f(%x: tensor<4x4xf32>, %r: tensor<4xf32>, %s: tensor<f32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %r : tensor<4x4xf32>, tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.addf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %y = math.exp %a : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32
  } -> tensor<4x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %out : f32
  } -> tensor<4x4xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %y = arith.mulf %a, %a : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  %5 = linalg.generic {indexing_maps = [#one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<f32>) outs(%4 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}
