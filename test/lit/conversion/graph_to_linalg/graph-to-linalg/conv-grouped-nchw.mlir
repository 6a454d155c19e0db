// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// Two groups of three channels: a generic op with the group as a loop.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.fill {{.*}} -> tensor<1x2x2x3x3xf32>
// CHECK-COUNT-2: tensor.expand_shape
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: tensor.collapse_shape
func.func @f(%x: tensor<1x6x5x5xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %y = graph.conv %x, %w {group = 2 : i64, layout = #graph.layout<nchw>} : (tensor<1x6x5x5xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %y : tensor<1x4x3x3xf32>
}
