// RUN: mlc-opt %s --graph-simplify | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-simplify --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// Indices that count up by one name a window.
// CHECK-LABEL: func.func @f
// CHECK: %[[ONE:.*]] = graph.slice %{{.*}} {axes = array<i64: 0>, ends = array<i64: 3>, starts = array<i64: 2>}
// CHECK: graph.reshape %[[ONE]] {{.*}} -> tensor<4xi32>
// CHECK: graph.slice %{{.*}} {axes = array<i64: 1>, ends = array<i64: 3>, starts = array<i64: 1>} {{.*}} -> tensor<3x2xi32>
func.func @f(%x: tensor<3x4xi32>) -> (tensor<4xi32>, tensor<3x2xi32>) {
  %last = graph.constant dense<-1> : tensor<i64>
  %middle = graph.constant dense<[1, 2]> : tensor<2xi64>
  %0 = graph.gather %x, %last : (tensor<3x4xi32>, tensor<i64>) -> tensor<4xi32>
  %1 = graph.gather %x, %middle {axis = 1 : i64} : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  return %0, %1 : tensor<4xi32>, tensor<3x2xi32>
}
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: graph.gather
func.func @stays(%x: tensor<3x4xi32>, %i: tensor<2xi64>) -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) {
  %backwards = graph.constant dense<[1, 0]> : tensor<2xi64>
  %outside = graph.constant dense<[2, 3]> : tensor<2xi64>
  %0 = graph.gather %x, %backwards : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  %1 = graph.gather %x, %outside : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  %2 = graph.gather %x, %i : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  return %0, %1, %2 : tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>
}
