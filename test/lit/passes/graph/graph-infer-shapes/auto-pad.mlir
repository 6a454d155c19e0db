// RUN: mlc-opt %s --graph-infer-shapes | FileCheck %s
// Padding given as a rule becomes numbers; the odd element goes to the end, or to the beginning.
// CHECK-NOT: auto_pad
func.func @f(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK: graph.conv {{.*}}pads = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x1x4x4xf32>
  %0 = graph.conv %x, %w {auto_pad = "same_upper", strides = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<*xf32>
  // CHECK: graph.conv {{.*}}pads = array<i64: 1, 1, 0, 0>{{.*}} -> tensor<1x1x4x4xf32>
  %1 = graph.conv %x, %w {auto_pad = "same_lower", strides = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
