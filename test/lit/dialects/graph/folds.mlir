// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What changes nothing goes; x + 0.0 stays, since it turns -0.0 into 0.0.
// CHECK-LABEL: func.func @gone
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @gone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %minus_zero = graph.constant dense<-0.0> : tensor<f32>
  %0 = graph.identity %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %0, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %1, %minus_zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.cast %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.reshape %3 {shape = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
// CHECK-LABEL: func.func @stays
// CHECK: graph.add
// CHECK: graph.mul
func.func @stays(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %ones = graph.constant dense<1.0> : tensor<4x1xf32>
  %0 = graph.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %x, %ones : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4x4xf32>
}
