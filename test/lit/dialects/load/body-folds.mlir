// RUN: mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --canonicalize | FileCheck %s
// RUN: mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --graph-fold-constants | FileCheck %s --check-prefix=GRAPH
// RUN: mlc-opt %s --load-dialect=%S/Inputs/bodies.yaml --interpret --entry numbers | FileCheck %s --check-prefix=VALUES
// An op of a file has no function in C: its body is its meaning, for folding as for the interpreter.

// CHECK-LABEL: func.func @numbers
// CHECK-DAG: %[[SCALAR:.*]] = arith.constant 8.000000e+00 : f32
// CHECK-DAG: %[[ODD:.*]] = arith.constant -27 : i32
// CHECK-DAG: %[[LANES:.*]] = arith.constant dense<[1.000000e+00, 8.000000e+00]> : vector<2xf32>
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<2.750000e+00> : tensor<4x4xf32>
// CHECK-NEXT: return %[[SCALAR]], %[[ODD]], %[[LANES]], %[[SPLAT]]
// VALUES:      8.000000e+00 : f32
// VALUES-NEXT: -27 : i32
// VALUES-NEXT: dense<[1.000000e+00, 8.000000e+00]> : vector<2xf32>
// VALUES-NEXT: dense<2.750000e+00> : tensor<4x4xf32>
func.func @numbers() -> (f32, i32, vector<2xf32>, tensor<4x4xf32>) {
  %two = arith.constant 2.0 : f32
  %minus_three = arith.constant -3 : i32
  %vector = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %tensor = arith.constant dense<3.0> : tensor<4x4xf32>
  %0 = bodies.cube %two : f32
  %1 = bodies.cube %minus_three : i32
  %2 = bodies.cube %vector : vector<2xf32>
  %3 = bodies.above %tensor {bound = 0.25 : f32} : tensor<4x4xf32>
  return %0, %1, %2, %3 : f32, i32, vector<2xf32>, tensor<4x4xf32>
}

// GRAPH-LABEL: func.func @whole_tensor
// GRAPH: %[[Y:.*]] = graph.constant dense<[1.000000e+00, -8.000000e+00, 2.700000e+01]> : tensor<3xf32>
// GRAPH-NEXT: return %[[Y]]
func.func @whole_tensor() -> tensor<3xf32> {
  %x = arith.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %y = bodies.cube %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @wrong_body
// CHECK: bodies.broken
func.func @wrong_body() -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = bodies.broken %two : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @not_pure
// CHECK: bodies.heard
// GRAPH-LABEL: func.func @not_pure
// GRAPH: bodies.heard
func.func @not_pure() -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = bodies.heard %two : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @many_names
// CHECK: %[[SIX:.*]] = arith.constant 6.000000e+00 : f32
// CHECK-NEXT: return %[[SIX]]
func.func @many_names() -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = bodies.named %two : f32
  return %0 : f32
}
