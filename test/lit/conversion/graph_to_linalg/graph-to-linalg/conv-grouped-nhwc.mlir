// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// Two groups of three channels: a generic op with the group as a loop.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK-COUNT-2: tensor.expand_shape
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: tensor.collapse_shape
func.func @f(%x: tensor<1x5x5x6xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %y = graph.conv %x, %w {group = 2 : i64, layout = #graph.layout<nhwc>} : (tensor<1x5x5x6xf32>, tensor<3x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %y : tensor<1x3x3x4xf32>
}
