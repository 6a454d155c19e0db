// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input "dense<[2.0, -3.0, 0.5]> : tensor<3xf32>" > %t.before
// RUN: mlc-opt %s --graph-simplify --interpret --entry f --input "dense<[2.0, -3.0, 0.5]> : tensor<3xf32>" > %t.after
// RUN: diff %t.before %t.after
// Small powers are products; a root is none of -0.0 and -inf, whose powers of 0.5 are 0.0 and inf.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
// CHECK: %[[SQUARE:.*]] = graph.mul %[[X]], %[[X]]
// CHECK: %[[AGAIN:.*]] = graph.mul %[[X]], %[[X]]
// CHECK: %[[CUBE:.*]] = graph.mul %[[AGAIN]], %[[X]]
// CHECK-NOT: graph.pow
// CHECK: return %[[SQUARE]], %[[CUBE]]
func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %two = graph.constant dense<2.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<1xf32>
  %0 = graph.pow %x, %two : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = graph.pow %x, %three : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: graph.pow
func.func @stays(%x: tensor<3xf32>, %s: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %several = graph.constant dense<2.0> : tensor<3xf32>
  %0 = graph.pow %x, %half : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = graph.pow %s, %several : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = graph.pow %x, %s : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
