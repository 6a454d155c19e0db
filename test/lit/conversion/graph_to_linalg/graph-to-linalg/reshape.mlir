// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// A reshape is a collapse to common runs and an expansion.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape {{.*}} into tensor<6x20xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<6x2x10xf32>
func.func @f(%x: tensor<2x3x4x5xf32>) -> tensor<6x2x10xf32> {
  %y = graph.reshape %x {shape = array<i64: 6, 2, -1>} : (tensor<2x3x4x5xf32>) -> tensor<6x2x10xf32>
  return %y : tensor<6x2x10xf32>
}
