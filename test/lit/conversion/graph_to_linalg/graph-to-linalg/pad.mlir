// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Constant elements around the input.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.pad %{{.*}} low[0, 1] high[1, 2]
func.func @f(%x: tensor<2x3xf32>) -> tensor<3x6xf32> {
  %y = graph.pad %x {pads = array<i64: 0, 1, 1, 2>, value = 7.0 : f32} : (tensor<2x3xf32>) -> tensor<3x6xf32>
  return %y : tensor<3x6xf32>
}
