// RUN: mlc-opt %s --linalg-specialize-generic-ops | FileCheck %s
// Loops in another order, operands of what commutes, inputs the other way round.
#a = affine_map<(k, m, n) -> (m, k)>
#b = affine_map<(k, m, n) -> (k, n)>
#c = affine_map<(k, m, n) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @matmul(%arg0: tensor<3x4xf32>, %arg1: tensor<4x5xf32>
// CHECK: linalg.matmul ins(%arg0, %arg1
func.func @matmul(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>, %o: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%o : tensor<3x5xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %r, %l fastmath<contract> : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @reversed(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>
// CHECK: linalg.sub ins(%arg1, %arg0
func.func @reversed(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<3x4xf32>, tensor<3x4xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %d = arith.subf %r, %l : f32
    linalg.yield %d : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
