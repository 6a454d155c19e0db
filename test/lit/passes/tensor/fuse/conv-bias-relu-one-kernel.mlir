// RUN: mlc-opt %s --fuse | FileCheck %s
// Convolution, residual and relu are one kernel; the weights are its arguments.
// CHECK-LABEL: func.func @block
func.func @block(%x: tensor<1x8x8x16xf32>, %w: tensor<1x1x16x16xf32>, %b: tensor<16xf32>, %residual: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  // CHECK-COUNT-1: graph.kernel
  // CHECK-NOT: graph.kernel
  // CHECK: %[[CONV:.*]] = graph.conv
  // CHECK: %[[SUM:.*]] = graph.add %[[CONV]]
  // CHECK: %[[RELU:.*]] = graph.relu %[[SUM]]
  // CHECK: graph.yield %[[RELU]]
  %conv = graph.conv %x, %w, %b {layout = #graph.layout<nhwc>} : (tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  %sum = graph.add %conv, %residual : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %relu = graph.relu %sum : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %relu : tensor<1x8x8x16xf32>
}
