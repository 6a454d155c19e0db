// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Padding never wins: it is minus infinity. ceil_mode lets the last window hang over.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 2, 2, 0]
// CHECK: linalg.pooling_nhwc_max
func.func @f(%x: tensor<1x6x6x2xf32>) -> tensor<1x4x4x2xf32> {
  %y = graph.max_pool %x {ceil_mode = true, kernel_shape = array<i64: 3, 3>, layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x6x6x2xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}
