// RUN: mlc-opt %s --fuse | FileCheck %s
// add then relu: one generic, the add's operands read directly.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8xf32>)
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  // CHECK-COUNT-1: linalg.generic
  // CHECK-NOT: linalg.generic
  // CHECK: %[[SUM:.*]] = arith.addf
  // CHECK: %[[MAX:.*]] = arith.maximumf %[[SUM]]
  // CHECK: linalg.yield %[[MAX]]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %max = arith.maximumf %x, %zero : f32
    linalg.yield %max : f32
  } -> tensor<4x8xf32>
  return %relu : tensor<4x8xf32>
}
