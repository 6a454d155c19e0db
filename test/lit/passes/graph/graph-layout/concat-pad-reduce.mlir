// RUN: mlc-opt %s --graph-layout | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-layout --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Axes and pads move with the layout; a mean over the image needs no transpose back.
// CHECK-LABEL: func.func @f
// CHECK: graph.concat {{.*}} {axis = 3 : i64}
// CHECK: graph.pad {{.*}}pads = array<i64: 0, 0, 4, 0, 0, 4, 0, 0>
// CHECK: graph.reduce_mean {{.*}}axes = array<i64: 1, 2>
// CHECK-NOT: graph.transpose
func.func @f(%x: tensor<1x1x4x4xf32>) -> tensor<1x2xf32> {
  %w = graph.constant dense<[[[[2.0]]]]> : tensor<1x1x1x1xf32>
  %0 = graph.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = graph.abs %0 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %2 = graph.concat %0, %1 {axis = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = graph.pad %2 {pads = array<i64: 0, 0, 0, 4, 0, 0, 4, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32>
  %4 = graph.reduce_mean %3 {axes = array<i64: 2, 3>, keepdims = false} : (tensor<1x2x8x8xf32>) -> tensor<1x2xf32>
  return %4 : tensor<1x2xf32>
}
