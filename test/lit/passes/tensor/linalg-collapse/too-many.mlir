// RUN: mlc-opt %s --linalg-collapse | FileCheck %s
// What has more elements than fit 64 bits has no one dimension.
// CHECK-LABEL: func.func @f
// CHECK-NOT: collapse_shape
// CHECK: iterator_types = ["parallel", "parallel"]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32> {
  %e = tensor.empty() : tensor<4611686018427387904x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4611686018427387904x4xf32>) outs(%e : tensor<4611686018427387904x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4611686018427387904x4xf32>
  return %r : tensor<4611686018427387904x4xf32>
}
