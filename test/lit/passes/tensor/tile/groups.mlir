// RUN: mlc-opt %s --tile --target=x86-64-v4 --canonicalize | FileCheck %s
// RUN: not mlc-opt %s --tile=tile-sizes=0,2,4,8 -o /dev/null 2>&1 | FileCheck %s --check-prefix=CUT
// Winograd's transforms are computed a tile at a time, with what follows them.
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
// CHECK-LABEL: func.func @output
// CHECK: scf.for %[[H:.+]] = %c0 to %c12 step %c4
// CHECK: scf.for %[[W:.+]] = %c0 to %c8 step %c4
// CHECK: scf.for %[[C:.+]] = %c0 to %c32 step %c16
// CHECK: %[[TH:.+]] = affine.apply #{{.+}}(%[[H]])
// CHECK: %[[TW:.+]] = affine.apply #{{.+}}(%[[W]])
// CHECK: tensor.extract_slice %{{.+}}[0, 0, %[[TH]], %[[TW]], 0, %[[C]]] [6, 6, 1, 1, 1, 16]
// CHECK: %[[Y:.+]] = linalg.winograd_output_transform {{.*}} outs(%{{.+}} : tensor<1x4x4x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]]
// CUT: error: {{.*}}is computed in groups of 4 along dimension 1 of its result, which tiles of 2 would cut
func.func @output(%m: tensor<6x6x3x2x1x32xf32>) -> tensor<1x12x8x32xf32> {
  %e = tensor.empty() : tensor<1x12x8x32xf32>
  %y = linalg.winograd_output_transform m(4) r(3) ins(%m : tensor<6x6x3x2x1x32xf32>) outs(%e : tensor<1x12x8x32xf32>) -> tensor<1x12x8x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x12x8x32xf32>) outs(%e : tensor<1x12x8x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<1x12x8x32xf32>
  return %r : tensor<1x12x8x32xf32>
}
