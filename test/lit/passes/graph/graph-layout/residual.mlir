// RUN: mlc-opt %s --graph-layout | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-layout --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// A residual block: one transpose in, one out, none between; filters are transposed when compiling.
// CHECK-LABEL: func.func @f
// CHECK: %[[X:.*]] = graph.transpose %{{.*}} {perm = array<i64: 0, 2, 3, 1>}
// CHECK: graph.constant dense<{{.*}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]{{.*}}> : tensor<1x1x2x2xf32>
// CHECK-NOT: graph.transpose
// CHECK: graph.conv %[[X]], {{.*}}#graph.layout<nhwc>
// CHECK: graph.add {{.*}} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>)
// CHECK: graph.max_pool
// CHECK: graph.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>}
// CHECK-NOT: graph.transpose
func.func @f(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {
  %w = graph.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>
  %b = graph.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.add %0, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = graph.add %1, %x : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = graph.relu %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = graph.max_pool %3 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  return %4 : tensor<1x2x2x2xf32>
}
