// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v4 --verify-diagnostics -o /dev/null
func.func @relu(%x: tensor<100x64xf32>, %y: tensor<100x64xf32>) -> tensor<100x64xf32> {
  // expected-remark @below {{not vectorized: its tile needs more than 64 vectors; tile it first}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<100x64xf32>) outs(%y : tensor<100x64xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}
func.func @beyond(%x: tensor<4x9223372036854775807x2xf32>, %y: tensor<4x9223372036854775807x2xf32>) -> tensor<4x9223372036854775807x2xf32> {
  // expected-remark @below {{not vectorized: it has no iterations or too many to count, more than one result, or is not on tensors}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x9223372036854775807x2xf32>) outs(%y : tensor<4x9223372036854775807x2xf32>) {
  ^bb0(%e: f32, %out: f32):
    linalg.yield %e : f32
  } -> tensor<4x9223372036854775807x2xf32>
  return %0 : tensor<4x9223372036854775807x2xf32>
}
