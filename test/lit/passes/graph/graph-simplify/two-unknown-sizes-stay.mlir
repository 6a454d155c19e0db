// RUN: mlc-opt %s --graph-simplify --threads=1 --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// A reshape can leave one size to be found, so a flatten of two that nobody knows is no reshape, and does not merge with one.
// CHECK-LABEL: func.func @flatten
// CHECK-NEXT: graph.flatten %arg0
// CHECK-NEXT: %[[R:.*]] = graph.reshape %arg0
// CHECK-NEXT: graph.reshape %[[R]]
// LOG: `flatten-to-reshape` on 'graph.flatten': more than one size is unknown
// LOG: `merge-reshapes` on 'graph.reshape': more than one size is unknown
func.func @flatten(%x: tensor<?x?x2xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = graph.flatten %x : (tensor<?x?x2xf32>) -> tensor<?x?xf32>
  %1 = graph.reshape %x {shape = array<i64: 0, 2, -1>} : (tensor<?x?x2xf32>) -> tensor<?x2x?xf32>
  %2 = graph.reshape %1 {shape = array<i64: 0, -1>} : (tensor<?x2x?xf32>) -> tensor<?x?xf32>
  return %0, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
