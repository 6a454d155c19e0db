// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// The layout of the model file, without bias: the accumulator starts from zero.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: %[[INIT:.*]] = linalg.fill
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%[[INIT]]
func.func @f(%x: tensor<2x3x6x6xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x4x5xf32> {
  %y = graph.conv %x, %w : (tensor<2x3x6x6xf32>, tensor<4x3x3x2xf32>) -> tensor<2x4x4x5xf32>
  return %y : tensor<2x4x4x5xf32>
}
