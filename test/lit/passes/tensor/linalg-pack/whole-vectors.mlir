// RUN: mlc-opt %s --linalg-pack --target=x86-64-v4-amx | FileCheck %s
// Weights that registers of small matrices read are filled up to whole vectors of channels, also where one panel is all of them.
// CHECK: %[[W:.*]] = arith.constant {{.*}} : tensor<1x1x16x4xi8>
// CHECK: call @kernel(%{{.*}}, %[[W]])
// CHECK: tensor.extract_slice %arg1[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x16x4xi8> to tensor<1x2x4xi8>
#a = affine_map<(m, n, k, q) -> (m, k * 4 + q)>
#b = affine_map<(m, n, k, q) -> (k, n, q)>
#c = affine_map<(m, n, k, q) -> (m, n)>
func.func @main(%x: tensor<4x4xi8>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8]]]> : tensor<1x2x4xi8>
  %y = call @kernel(%x, %w) : (tensor<4x4xi8>, tensor<1x2x4xi8>) -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}
func.func private @kernel(%x: tensor<4x4xi8>, %w: tensor<1x2x4xi8>) -> tensor<4x2xi32> {
  %start = arith.constant dense<0> : tensor<4x2xi32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], mlc.tile_rows = 4 : i64}
      ins(%x, %w : tensor<4x4xi8>, tensor<1x2x4xi8>) outs(%start : tensor<4x2xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}
