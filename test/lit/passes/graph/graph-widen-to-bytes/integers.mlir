// RUN: mlc-opt %s --graph-widen-to-bytes | FileCheck %s
// RUN: mlc-opt %s --graph-widen-to-bytes -o %t
// RUN: mlc-opt %t --graph-widen-to-bytes | diff %t -
// A byte holds an integer with its sign; a cast to it keeps the low bits. The caller's type stands beside the name.
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: tensor<2x3xi8> {mlc.name = "x", mlc.type = i4}
// CHECK-SAME: -> (tensor<3x2xi8> {mlc.name = "t", mlc.type = i4}, tensor<2x3xui8> {mlc.type = ui2}, tensor<2x3xf32>, tensor<3xi8> {mlc.type = i4})
// CHECK: %[[C:.*]] = graph.constant dense<[-8, -1, 7]> : tensor<3xi8>
// CHECK: %[[T:.*]] = graph.transpose %[[X]] {{.*}} -> tensor<3x2xi8>
// CHECK: %[[B:.*]] = graph.cast %[[X]] : (tensor<2x3xi8>) -> tensor<2x3xui8>
// CHECK: %[[U:.*]] = graph.bitwise_and %[[B]], %{{.*}} : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
// CHECK: %[[F:.*]] = graph.cast %[[X]] : (tensor<2x3xi8>) -> tensor<2x3xf32>
// CHECK: return %[[T]], %[[U]], %[[F]], %[[C]]
func.func @f(%x: tensor<2x3xi4> {mlc.name = "x"})
    -> (tensor<3x2xi4> {mlc.name = "t"}, tensor<2x3xui2>, tensor<2x3xf32>, tensor<3xi4>) {
  %c = graph.constant dense<[-8, -1, 7]> : tensor<3xi4>
  %t = graph.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xi4>) -> tensor<3x2xi4>
  %u = graph.cast %x : (tensor<2x3xi4>) -> tensor<2x3xui2>
  %f = graph.cast %x : (tensor<2x3xi4>) -> tensor<2x3xf32>
  return %t, %u, %f, %c : tensor<3x2xi4>, tensor<2x3xui2>, tensor<2x3xf32>, tensor<3xi4>
}

// The sign of a wrapped number: (low bits ^ 8) - 8.
// CHECK-LABEL: func.func @wraps
// CHECK: %[[B:.*]] = graph.cast %{{.*}} : (tensor<5xf32>) -> tensor<5xi8>
// CHECK: %[[L:.*]] = graph.bitwise_and %[[B]]
// CHECK: %[[S:.*]] = graph.bitwise_xor %[[L]]
// CHECK: graph.sub %[[S]]
func.func @wraps(%x: tensor<5xf32>) -> tensor<5xi4> {
  %y = graph.cast %x : (tensor<5xf32>) -> tensor<5xi4>
  return %y : tensor<5xi4>
}
