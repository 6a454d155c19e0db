// RUN: mlc-opt %s --tile=tile-sizes=4,8 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --tile=tile-sizes=4,8 --verify-diagnostics -o /dev/null
// The square root of each row's sum is read by every tile of the row: it may be computed there again, the sum may not.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @norm(
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: scf.for
// CHECK:   scf.for
// CHECK-NOT: "reduction"
// CHECK:     math.sqrt
// CHECK:     arith.divf
func.func @norm(%x: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %ee = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{not fused: each tile would compute it again}}
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %root = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %root : tensor<64x64xf32>, tensor<64xf32>) outs(%ee : tensor<64x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
