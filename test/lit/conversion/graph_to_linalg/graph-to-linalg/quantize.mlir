// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// What is held between two bounds that i32 has, and so is not NaN, is cut off without asking whether the integer holds it.
// CHECK-LABEL: func.func @held
// CHECK: %[[R:.*]] = math.roundeven
// CHECK: %[[Z:.*]] = arith.addf %[[R]]
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[Z]], %[[LOW:.*]] : f32
// CHECK: %[[LEAST:.*]] = arith.select %[[ABOVE]], %[[Z]], %[[LOW]]
// CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[LEAST]], %[[HIGH:.*]] : f32
// CHECK: %[[HELD:.*]] = arith.select %[[BELOW]], %[[LEAST]], %[[HIGH]]
// CHECK: %[[I:.*]] = arith.fptosi %[[HELD]] : f32 to i32
// CHECK: arith.trunci %[[I]] : i32 to i8
// CHECK-NOT: math.absf
func.func @held(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xui8> {
  %y = graph.quantize %x, %z : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %y : tensor<4xui8>
}
// CHECK-LABEL: func.func @free
// CHECK: math.absf
func.func @free(%x: tensor<4xf32>) -> tensor<4xui8> {
  %y = graph.cast %x : (tensor<4xf32>) -> tensor<4xui8>
  return %y : tensor<4xui8>
}
