// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// A batch of one repeats: its dimension is dropped from the map.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape {{.*}} into tensor<3x5x2xf32>
// CHECK: linalg.generic
func.func @f(%a: tensor<2x3x4x5xf32>, %b: tensor<1x3x5x2xf32>) -> tensor<2x3x4x2xf32> {
  %y = graph.matmul %a, %b : (tensor<2x3x4x5xf32>, tensor<1x3x5x2xf32>) -> tensor<2x3x4x2xf32>
  return %y : tensor<2x3x4x2xf32>
}
