// RUN: mlc-opt %s --convert-elementwise-to-linalg | FileCheck %s
// Numbers and vectors are no tensors; a reshape is not element by element.
// CHECK-NOT: linalg.generic
// CHECK: arith.addf %arg0, %arg0 : f32
// CHECK: arith.addf %arg1, %arg1 : vector<4xf32>
// CHECK: tensor.collapse_shape
// CHECK-NOT: linalg.generic
func.func @f(%x: f32, %v: vector<4xf32>, %t: tensor<2x2xf32>) -> (f32, vector<4xf32>, tensor<4xf32>) {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %v, %v : vector<4xf32>
  %2 = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  return %0, %1, %2 : f32, vector<4xf32>, tensor<4xf32>
}
