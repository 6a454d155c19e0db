// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// One filter per channel is a named op.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x3x1x4xf32> into tensor<3x3x4xf32>
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @f(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x1x4xf32>, %b: tensor<4xf32>) -> tensor<1x6x6x4xf32> {
  %y = graph.conv %x, %w, %b {group = 4 : i64, layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x6x6x4xf32>, tensor<3x3x1x4xf32>, tensor<4xf32>) -> tensor<1x6x6x4xf32>
  return %y : tensor<1x6x6x4xf32>
}
