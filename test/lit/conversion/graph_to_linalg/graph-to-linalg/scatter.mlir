// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input random:1 --input random:2 > %t.meaning
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry main --input random:1 --input random:2 | diff - %t.meaning
// Updates come one after the other, each where its index says; indices are checked before the loops unless they are known.
// CHECK-LABEL: func.func @main
// CHECK-NOT: cf.assert
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK: scf.for %[[J:.*]] = %{{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[OLD:.*]] = tensor.extract %[[T]][%[[I]], %[[AT:.*]]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
// CHECK: tensor.insert %[[NEW]] into %[[T]][%[[I]], %[[AT]]]
func.func @main(%x: tensor<3x6xf32>, %u: tensor<3x4xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) {
  %i = graph.constant dense<[[0, -1, 5, 0], [2, 2, 2, 2], [-6, 1, 0, 3]]> : tensor<3x4xi64>
  %0 = graph.scatter_elements %x, %i, %u {axis = 1 : i64, reduction = #graph.scatter<add>} : (tensor<3x6xf32>, tensor<3x4xi64>, tensor<3x4xf32>) -> tensor<3x6xf32>
  %k = graph.constant dense<[[[0, 1], [2, -1], [0, 1], [1, 0]], [[0, 2], [0, 3], [0, 4], [1, 5]], [[-1, 0], [1, 1], [1, 2], [1, 3]]]> : tensor<3x4x2xi64>
  %1 = graph.scatter_nd %x, %k, %u : (tensor<3x6xf32>, tensor<3x4x2xi64>, tensor<3x4xf32>) -> tensor<3x6xf32>
  %r = graph.constant dense<[[2], [2]]> : tensor<2x1xi64>
  %w = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 2>} : (tensor<3x6xf32>) -> tensor<2x6xf32>
  %2 = graph.scatter_nd %x, %r, %w {reduction = #graph.scatter<max>} : (tensor<3x6xf32>, tensor<2x1xi64>, tensor<2x6xf32>) -> tensor<3x6xf32>
  return %0, %1, %2 : tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK: cf.assert %{{.*}}, "scatter_elements: an index is outside of [-3, 2]"
// CHECK: scf.for
func.func @unknown(%x: tensor<3x6xf32>, %i: tensor<2x6xi64>, %u: tensor<2x6xf32>) -> tensor<3x6xf32> {
  %0 = graph.scatter_elements %x, %i, %u : (tensor<3x6xf32>, tensor<2x6xi64>, tensor<2x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
