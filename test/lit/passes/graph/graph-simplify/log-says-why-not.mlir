// RUN: mlc-opt %s --graph-simplify --threads=1 --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// What no pattern simplifies stays, and the log of actions says of each pattern why it did not match.
// CHECK-LABEL: func.func @reshape_and_transpose
// CHECK: graph.reshape %arg0
// CHECK: graph.transpose %arg1
// CHECK: graph.transpose %arg2
// LOG-DAG: `merge-reshapes` on 'graph.reshape': its input is no reshape
// LOG-DAG: `reshape-of-slice` on 'graph.reshape': its input is no slice
// LOG-DAG: `merge-transposes` on 'graph.transpose': its input is no transpose
// LOG-DAG: `transpose-to-reshape` on 'graph.transpose': it moves elements
// LOG-DAG: `transpose-to-reshape` on 'graph.transpose': a size is unknown
func.func @reshape_and_transpose(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<?x1xf32>) -> (tensor<6xf32>, tensor<3x2xf32>, tensor<1x?xf32>) {
  %0 = graph.reshape %x {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = graph.transpose %y {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = graph.transpose %z {perm = array<i64: 1, 0>} : (tensor<?x1xf32>) -> tensor<1x?xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<3x2xf32>, tensor<1x?xf32>
}
// CHECK-LABEL: func.func @powers
// CHECK: graph.pow %arg0, %arg1
// CHECK: graph.pow %arg0, %{{.*}}
// LOG-DAG: `pow-of-small` on 'graph.pow': its exponent is no single known number
// LOG-DAG: `pow-of-small` on 'graph.pow': its exponent is not 2 or 3
func.func @powers(%x: tensor<3xf32>, %e: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.pow %x, %e : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = graph.pow %x, %half : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
// CHECK-LABEL: func.func @gathers
// CHECK: graph.gather
// CHECK: graph.gather
// LOG-DAG: `gather-of-neighbours` on 'graph.gather': its indices or shapes are not known
// LOG-DAG: `gather-of-neighbours` on 'graph.gather': its indices are no neighbours
func.func @gathers(%x: tensor<3x4xi32>, %i: tensor<2xi64>) -> (tensor<2x4xi32>, tensor<2x4xi32>) {
  %backwards = graph.constant dense<[1, 0]> : tensor<2xi64>
  %0 = graph.gather %x, %i : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  %1 = graph.gather %x, %backwards : (tensor<3x4xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  return %0, %1 : tensor<2x4xi32>, tensor<2x4xi32>
}
