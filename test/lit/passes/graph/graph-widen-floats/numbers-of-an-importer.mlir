// RUN: mlc-opt %s --graph-widen-floats | FileCheck %s
// A cast that need not round: what computes takes the number itself, so an epsilon of 1e-12 is none of 0.
// CHECK-LABEL: func.func @f
// CHECK: %[[EPSILON:.*]] = graph.constant dense<9.99999996E-13> : tensor<f32>
// CHECK: graph.add %{{.*}}, %[[EPSILON]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %number = graph.constant dense<1.0e-12> : tensor<f32>
  %epsilon = graph.cast %number {rounds = false} : (tensor<f32>) -> tensor<f16>
  %y = graph.add %x, %epsilon : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
