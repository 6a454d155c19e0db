// RUN: mlc-opt %s --graph-layout | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-layout --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// What is computed for each channel, of a lower rank than the image, keeps no image in its layout.
// CHECK-LABEL: func.func @f
// CHECK: graph.conv {{.*}}#graph.layout<nhwc>
// CHECK-NOT: graph.transpose
// CHECK: graph.sub {{.*}} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>)
// CHECK-NOT: graph.transpose
// CHECK: graph.reduce_max
// CHECK-NOT: graph.transpose
func.func @f(%x: tensor<1x1x4x4xf32>, %c: tensor<2x1x1xf32>) -> tensor<f32> {
  %w = graph.constant dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %0 = graph.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.sub %0, %c : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = graph.reduce_max %1 {keepdims = false} : (tensor<1x2x4x4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
