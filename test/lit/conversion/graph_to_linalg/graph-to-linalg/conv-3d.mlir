// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// Three spatial dimensions.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.generic
func.func @f(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x2x2x2xf32>) -> tensor<1x3x2x3x3xf32> {
  %y = graph.conv %x, %w {dilations = array<i64: 2, 1, 1>} : (tensor<1x2x4x4x4xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x2x3x3xf32>
  return %y : tensor<1x3x2x3x3xf32>
}
