// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Everything from axis 2 on, and everything before.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape
func.func @f(%x: tensor<2x3x4x5xf32>) -> tensor<6x20xf32> {
  %y = graph.flatten %x {axis = 2 : i64} : (tensor<2x3x4x5xf32>) -> tensor<6x20xf32>
  return %y : tensor<6x20xf32>
}
