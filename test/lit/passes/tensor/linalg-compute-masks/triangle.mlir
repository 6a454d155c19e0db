// RUN: mlc-opt %s --linalg-compute-masks | FileCheck %s
// RUN: mlc-opt %s --linalg-compute-masks --linalg-compute-masks | FileCheck %s
// Columns up to the row and 1 are shown: the body compares, and nobody passes the mask any more. Callers with other constants
// of the same triangle agree; dimensions of 1 do not count.
// CHECK-LABEL: func.func private @masked
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<2x3x4xf32>)
// CHECK: %[[ROW:.*]] = linalg.index 1
// CHECK: %[[COLUMN:.*]] = linalg.index 2
// CHECK: %[[LAST:.*]] = arith.addi %[[ROW]], %{{.*}}
// CHECK: %[[SHOWN:.*]] = arith.cmpi sle, %[[COLUMN]], %[[LAST]] : index
// CHECK: %[[MASK:.*]] = arith.select %[[SHOWN]], %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[MASK]]
// CHECK-LABEL: func.func @main
// CHECK: call @masked(%{{.*}}) : (tensor<2x3x4xf32>)
// CHECK: call @masked(%{{.*}}) : (tensor<2x3x4xf32>)
#all = affine_map<(b, m, n) -> (b, m, n)>
#mask = affine_map<(b, m, n) -> (m, n)>
func.func private @masked(%x: tensor<2x3x4xf32>, %m: tensor<1x3x4xf32>) -> tensor<2x3x4xf32> {
  %flat = tensor.collapse_shape %m [[0, 1], [2]] : tensor<1x3x4xf32> into tensor<3x4xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %flat : tensor<2x3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %c = arith.constant dense<[[[0.0, 0.0, -9.0, -9.0], [0.0, 0.0, 0.0, -9.0], [0.0, 0.0, 0.0, 0.0]]]> : tensor<1x3x4xf32>
  %y = call @masked(%x, %c) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  %z = call @masked(%y, %c) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}
