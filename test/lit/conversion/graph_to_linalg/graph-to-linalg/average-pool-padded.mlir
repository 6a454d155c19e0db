// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Padding does not count: factors differ at the border (4, 2 and 1 elements).
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: arith.constant dense<{{.*}}1.000000e+00, 5.000000e-01, 1.000000e+00{{.*}}> : tensor<3x3xf32>
func.func @f(%x: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %y = graph.average_pool %x {kernel_shape = array<i64: 2, 2>, layout = #graph.layout<nhwc>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}
