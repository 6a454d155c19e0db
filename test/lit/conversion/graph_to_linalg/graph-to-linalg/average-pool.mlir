// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Windows that lie inside all count the same: one factor.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.pooling_nchw_sum
// CHECK: arith.constant 2.500000e-01 : f32
func.func @f(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
  %y = graph.average_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}
