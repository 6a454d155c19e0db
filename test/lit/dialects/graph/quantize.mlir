// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Halves go to even before the zero point is added, what is too large is held, and NaN is the lower bound.
// CHECK-LABEL: func.func @folds
func.func @folds() -> (tensor<8xui8>, tensor<8xi8>) {
  %x = graph.constant dense<[0.5, 1.5, 2.5, -0.5, 3.0e9, -3.0e9, 0x7FC00000, 300.0]> : tensor<8xf32>
  %z = graph.constant dense<3.0> : tensor<f32>
  // CHECK: graph.constant dense<[3, 5, 5, 3, 255, 0, 0, 255]> : tensor<8xui8>
  %0 = graph.quantize %x, %z : (tensor<8xf32>, tensor<f32>) -> tensor<8xui8>
  // CHECK: graph.constant dense<[3, 5, 5, 3, 127, -128, -128, 127]> : tensor<8xi8>
  %1 = graph.quantize %x, %z {low = -128.0 : f32, high = 127.0 : f32} : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
  return %0, %1 : tensor<8xui8>, tensor<8xi8>
}
