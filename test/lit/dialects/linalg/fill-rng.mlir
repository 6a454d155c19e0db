// RUN: mlc-opt %s --mlir-print-op-generic | FileCheck %s
// The body: two steps of a generator from the seed and the place, scaled.

// CHECK: %[[ROW:.*]] = "linalg.index"() <{dim = 0 : i64}>
// CHECK: %[[I:.*]] = "arith.index_cast"(%[[ROW]]) : (index) -> i32
// CHECK: "arith.addi"(%[[I]], %{{.*}})
// CHECK-COUNT-2: "arith.muli"
// CHECK: "arith.truncf"(%{{.*}}) : (f64) -> f32
func.func @random(%min: f64, %max: f64, %seed: i32, %t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
