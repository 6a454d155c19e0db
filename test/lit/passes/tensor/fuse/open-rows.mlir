// RUN: mlc-opt --fuse %s | FileCheck %s
// Rows of open sizes are one kernel where the sizes have one name.

// CHECK-LABEL: func.func @norm(
// CHECK: graph.kernel
// CHECK: graph.reduce_mean
// CHECK: graph.sub
// CHECK: graph.reduce_mean
// CHECK: graph.div
// CHECK-NOT: graph.kernel
// CHECK: return
!rows = tensor<?x?x16xf32, #graph.dims<["batch", "seq", ""]>>
!means = tensor<?x?x1xf32, #graph.dims<["batch", "seq", ""]>>
func.func @norm(%x: !rows) -> !rows {
  %0 = graph.reduce_mean %x {axes = array<i64: -1>} : (!rows) -> !means
  %1 = graph.sub %x, %0 : (!rows, !means) -> !rows
  %2 = graph.mul %1, %1 : (!rows, !rows) -> !rows
  %3 = graph.reduce_mean %2 {axes = array<i64: 2>} : (!rows) -> !means
  %4 = graph.sqrt %3 : (!means) -> !means
  %5 = graph.div %1, %4 : (!rows, !means) -> !rows
  return %5 : !rows
}

// Sizes without a name are not known to be equal.
// CHECK-LABEL: func.func @nameless(
// CHECK: graph.kernel
// CHECK: graph.reduce_mean
// CHECK: graph.kernel
// CHECK: graph.sub
// CHECK: return
func.func @nameless(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = graph.reduce_mean %x {axes = array<i64: 1>} : (tensor<?x16xf32>) -> tensor<?x1xf32>
  %1 = graph.sub %x, %0 : (tensor<?x16xf32>, tensor<?x1xf32>) -> tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}

// A window of rows whose number is open is read where it is.
// CHECK-LABEL: func.func @heads(
// CHECK: graph.kernel
// CHECK: graph.slice
// CHECK: graph.transpose
// CHECK-NOT: graph.kernel
// CHECK: return
!all = tensor<?x6x4xf32, #graph.dims<["seq", "", ""]>>
!some = tensor<?x2x4xf32, #graph.dims<["seq", "", ""]>>
!moved = tensor<2x?x4xf32, #graph.dims<["", "seq", ""]>>
func.func @heads(%x: !all) -> !moved {
  %0 = graph.slice %x {starts = array<i64: 2>, ends = array<i64: 4>, axes = array<i64: 1>} : (!all) -> !some
  %1 = graph.transpose %0 {perm = array<i64: 1, 0, 2>} : (!some) -> !moved
  return %1 : !moved
}
