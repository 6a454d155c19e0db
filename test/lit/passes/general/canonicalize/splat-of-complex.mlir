// RUN: mlc-opt %s --canonicalize | FileCheck %s
// The size of a splat of complex numbers is asked before it is read.
// CHECK-LABEL: func.func @f
// CHECK: tensor.cast
func.func @f() -> tensor<*xcomplex<f32>> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %1 = tensor.cast %0 : tensor<4xcomplex<f32>> to tensor<*xcomplex<f32>>
  return %1 : tensor<*xcomplex<f32>>
}
