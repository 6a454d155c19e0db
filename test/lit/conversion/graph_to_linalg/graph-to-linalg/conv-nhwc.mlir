// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// The accumulator starts from the bias; padding is an op of its own.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[INIT:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}strides = dense<2>{{.*}} ins(%[[PADDED]], %{{.*}}) outs(%[[INIT]] : tensor<1x4x5x8xf32>)
func.func @f(%x: tensor<1x7x9x3xf32>, %w: tensor<3x3x3x8xf32>, %b: tensor<8xf32>) -> tensor<1x4x5x8xf32> {
  %y = graph.conv %x, %w, %b {layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x7x9x3xf32>, tensor<3x3x3x8xf32>, tensor<8xf32>) -> tensor<1x4x5x8xf32>
  return %y : tensor<1x4x5x8xf32>
}
