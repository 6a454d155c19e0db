// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// The body is made before the op is verified.
// CHECK: error: 'linalg.fill_rng_2d' op expected a range of f64 and a seed of i32
func.func @f(%min: tuple<>, %max: f64, %seed: i32, %t: tensor<4x4xf32>) {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : tuple<>, f64, i32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
