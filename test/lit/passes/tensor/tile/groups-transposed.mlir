// RUN: mlc-opt %s --tile --target=x86-64-v4 --verify-diagnostics | FileCheck %s
// A consumer that reads the tiles in another order gets tiles of its own.
#in = affine_map<(a, b, c, d) -> (a, c, d, b)>
#out = affine_map<(a, b, c, d) -> (a, b, c, d)>
// CHECK: %[[Y:.+]] = scf.for
// CHECK: linalg.winograd_output_transform {{.*}} outs(%{{.+}} : tensor<1x4x4x16xf32>)
// CHECK: tensor.extract_slice %[[Y]]
// CHECK: linalg.generic
func.func @f(%m: tensor<6x6x3x2x1x32xf32>) -> tensor<1x32x12x8xf32> {
  %e = tensor.empty() : tensor<1x12x8x32xf32>
  %t = tensor.empty() : tensor<1x32x12x8xf32>
  // expected-remark @below {{not fused: its consumer reads it in another order, which cuts its groups}}
  %y = linalg.winograd_output_transform m(4) r(3) ins(%m : tensor<6x6x3x2x1x32xf32>) outs(%e : tensor<1x12x8x32xf32>) -> tensor<1x12x8x32xf32>
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x12x8x32xf32>) outs(%t : tensor<1x32x12x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<1x32x12x8xf32>
  return %r : tensor<1x32x12x8xf32>
}
