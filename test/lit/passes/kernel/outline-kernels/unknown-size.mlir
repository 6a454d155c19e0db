// RUN: not mlc-opt %s --outline-kernels 2>&1 | FileCheck %s
// CHECK: 'graph.kernel' op is not supported: the size 'n + past' does not follow from the inputs
!x = tensor<?x4xf32, #graph.dims<["n", ""]>>
!y = tensor<?x4xf32, #graph.dims<["n + past", ""]>>
func.func @main(%x: !x) -> !y {
  %0 = graph.kernel ins(%x : !x) -> !y {
  ^bb0(%a: !x):
    %1 = graph.concat %a, %a {axis = 0 : i64} : (!x, !x) -> !y
    graph.yield %1 : !y
  }
  return %0 : !y
}
