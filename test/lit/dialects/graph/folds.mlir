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
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @whole(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>, %c: tensor<3xi1>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %yes = graph.constant dense<true> : tensor<i1>
  %0 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 9>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = graph.expand %0 {shape = array<i64: 3>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = graph.where %yes, %1, %y : (tensor<i1>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = graph.where %c, %2, %2 : (tensor<3xi1>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1, %2, %3 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
// Backwards, as many elements are others; a condition that holds somewhere chooses both.
// CHECK-LABEL: func.func @not_whole
// CHECK: graph.slice
// CHECK: graph.where
func.func @not_whole(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %some = graph.constant dense<[true, false, true, true]> : tensor<4xi1>
  %0 = graph.slice %x {starts = array<i64: -1>, ends = array<i64: -9>, steps = array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.where %some, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// Bits that come back as what they were.
// CHECK-LABEL: func.func @bits
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xui8>
// CHECK-NEXT: return %[[X]]
func.func @bits(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = graph.bitcast %x : (tensor<4xui8>) -> tensor<4xi8>
  %1 = graph.bitcast %0 : (tensor<4xi8>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}
