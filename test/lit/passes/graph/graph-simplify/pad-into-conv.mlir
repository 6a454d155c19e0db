// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// Zeros around the image are the window's padding; other values are not.
// CHECK-LABEL: func.func @zeros
// CHECK-NOT: graph.pad
// CHECK: graph.conv {{.*}}pads = array<i64: 1, 2, 1, 2>
func.func @zeros(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x4x6xf32> {
  %0 = graph.pad %x {pads = array<i64: 0, 0, 1, 2, 0, 0, 1, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x8xf32>
  %1 = graph.conv %0, %w : (tensor<1x1x6x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x6xf32>
  return %1 : tensor<1x1x4x6xf32>
}
// CHECK-LABEL: func.func @ones
// CHECK: graph.pad
func.func @ones(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x4x6xf32> {
  %0 = graph.pad %x {pads = array<i64: 0, 0, 1, 2, 0, 0, 1, 2>, value = 1.0 : f32} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x8xf32>
  %1 = graph.conv %0, %w : (tensor<1x1x6x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x6xf32>
  return %1 : tensor<1x1x4x6xf32>
}
