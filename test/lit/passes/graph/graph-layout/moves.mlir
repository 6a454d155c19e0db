// RUN: mlc-opt %s --graph-layout | FileCheck %s
// Slices, gathers and reshapes of spatial dimensions are done with the channels last; a sequence of channels that the
// model makes an image and back needs no transpose.
// CHECK-LABEL: func.func @halves
// CHECK: %[[C:.*]] = graph.conv {{.*}} -> tensor<1x8x8x6xf32>
// CHECK: %[[S:.*]] = graph.slice %[[C]] {axes = array<i64: 3, 1>, ends = array<i64: 3, 8>, starts = array<i64: 0, 2>} : (tensor<1x8x8x6xf32>) -> tensor<1x6x8x3xf32>
// CHECK: %[[G:.*]] = graph.gather %[[S]], %{{.*}} {axis = 2 : i64} : (tensor<1x6x8x3xf32>, tensor<4xi64>) -> tensor<1x6x4x3xf32>
// CHECK-NOT: graph.transpose
// CHECK: graph.conv %[[G]]
func.func @halves(%x: tensor<1x3x8x8xf32>) -> tensor<1x1x6x4xf32> {
  %f = graph.constant dense<1.0> : tensor<6x3x1x1xf32>
  %g = graph.constant dense<2.0> : tensor<1x3x1x1xf32>
  %i = graph.constant dense<[0, 2, 4, 7]> : tensor<4xi64>
  %c = graph.conv %x, %f : (tensor<1x3x8x8xf32>, tensor<6x3x1x1xf32>) -> tensor<1x6x8x8xf32>
  %s = graph.slice %c {axes = array<i64: -3, 2>, ends = array<i64: 3, 8>, starts = array<i64: 0, 2>} : (tensor<1x6x8x8xf32>) -> tensor<1x3x6x8xf32>
  %t = graph.gather %s, %i {axis = 3 : i64} : (tensor<1x3x6x8xf32>, tensor<4xi64>) -> tensor<1x3x6x4xf32>
  %r = graph.conv %t, %g : (tensor<1x3x6x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x1x6x4xf32>
  return %r : tensor<1x1x6x4xf32>
}

// CHECK-LABEL: func.func @sequence
// CHECK-NEXT: graph.reshape %arg0 {{.*}} -> tensor<1x4x2x3xf32>
// CHECK-NEXT: graph.constant
// CHECK-NEXT: graph.conv
// CHECK-NEXT: %[[R:.*]] = graph.reshape {{.*}} -> tensor<1x8x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @sequence(%x: tensor<1x8x3xf32>) -> tensor<1x8x3xf32> {
  %f = graph.constant dense<1.0> : tensor<3x3x1x1xf32>
  %0 = graph.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<1x8x3xf32>) -> tensor<1x3x8xf32>
  %1 = graph.reshape %0 {shape = array<i64: 1, 3, 4, 2>} : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %2 = graph.conv %1, %f : (tensor<1x3x4x2xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x2xf32>
  %3 = graph.reshape %2 {shape = array<i64: 1, 3, -1>} : (tensor<1x3x4x2xf32>) -> tensor<1x3x8xf32>
  %4 = graph.transpose %3 {perm = array<i64: 0, 2, 1>} : (tensor<1x3x8xf32>) -> tensor<1x8x3xf32>
  return %4 : tensor<1x8x3xf32>
}

// What only the model transposed is added as it is: the other operand would have to be transposed for it.
// CHECK-LABEL: func.func @not_for_one
// CHECK: graph.transpose
// CHECK-NEXT: graph.add
// CHECK-NOT: graph.transpose
func.func @not_for_one(%x: tensor<1x8x3xf32>, %y: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %0 = graph.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<1x8x3xf32>) -> tensor<1x3x8xf32>
  %1 = graph.add %0, %y : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  return %1 : tensor<1x3x8xf32>
}
