// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 --verify-diagnostics | FileCheck %s
// Two lanes read one element: neither one element for all lanes nor neighbours.
// CHECK-LABEL: func.func @enlarged(
// CHECK-NOT: vector.
// CHECK: linalg.generic
func.func @enlarged(%x: tensor<8xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  // expected-remark @below {{not vectorized: an operand does not go on evenly along the result's last dimension}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
