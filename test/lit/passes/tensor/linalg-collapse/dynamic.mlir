// RUN: mlc-opt %s --linalg-collapse --canonicalize | FileCheck %s
// Dimensions of sizes that are not known become one, whose size is their product.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[B:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index)
// CHECK-DAG: %[[N:.*]] = arith.muli %[[B]], %[[S]]
// CHECK-DAG: tensor.collapse_shape {{.*}} : tensor<?x?x8xf32> into tensor<?x8xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: tensor.expand_shape {{.*}} output_shape [%[[B]], %[[S]], 4]
func.func @rows(%x: tensor<?x?x8xf32>, %w: tensor<8x4xf32>, %init: tensor<?x?x4xf32>, %b: index, %s: index) -> tensor<?x?x4xf32> {
  %empty = tensor.empty(%b, %s) : tensor<?x?x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x?x8xf32>, tensor<8x4xf32>) outs(%empty : tensor<?x?x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}
