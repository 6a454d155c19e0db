// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// Dilated by more than the image, the outer taps meet padding at every position of the result: only the middle one is left.
// CHECK-LABEL: func.func @middle
// CHECK: %[[W:.*]] = graph.slice %arg1 {axes = array<i64: 2, 3>, ends = array<i64: 2, 3>, starts = array<i64: 1, 0>} : (tensor<2x3x3x3xf32>) -> tensor<2x3x1x3xf32>
// CHECK: graph.conv %arg0, %[[W]] {dilations = array<i64: 4, 2>, pads = array<i64: 0, 2, 0, 2>}
func.func @middle(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %0 = graph.conv %x, %w {dilations = array<i64: 4, 2>, pads = array<i64: 4, 2, 4, 2>} : (tensor<1x3x4x4xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// The first tap meets the image at the last position only.
// CHECK-LABEL: func.func @touches
// CHECK-NOT: graph.slice
// CHECK: return
func.func @touches(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %0 = graph.conv %x, %w {dilations = array<i64: 3, 3>, pads = array<i64: 3, 3, 3, 3>} : (tensor<1x3x4x4xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// Without the first tap the window would begin inside the image, which padding cannot say.
// CHECK-LABEL: func.func @would_crop
// CHECK-NOT: graph.slice
// CHECK: return
func.func @would_crop(%x: tensor<1x1x2x2xf32>, %w: tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32> {
  %0 = graph.conv %x, %w {dilations = array<i64: 3, 3>, pads = array<i64: 2, 2, 0, 0>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}
