// RUN: mlc-opt %s --outline-kernels | FileCheck %s
// Sizes known when the model runs are arguments behind the tensors, each once; the model finds them from its inputs.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32, #graph.dims<["n", ""]>>, %[[Y:.*]]: tensor<?x4xf32,
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[Y]], %{{.*}}
// CHECK-DAG: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: call @kernel_0(%[[X]], %[[Y]], %{{.*}}, %{{.*}}, %[[SUM]])
// CHECK-LABEL: func.func private @kernel_0
// CHECK-SAME: %{{.*}}: index {mlc.size = "n"}, %{{.*}}: index {mlc.size = "m"}, %{{.*}}: index {mlc.size = "m + n"}) ->
!x = tensor<?x4xf32, #graph.dims<["n", ""]>>
!y = tensor<?x4xf32, #graph.dims<["m", ""]>>
!sum = tensor<?x4xf32, #graph.dims<["m + n", ""]>>
func.func @main(%x: !x, %y: !y) -> !sum {
  %0 = graph.kernel ins(%x, %y : !x, !y) -> !sum {
  ^bb0(%a: !x, %b: !y):
    %1 = graph.concat %a, %b {axis = 0 : i64} : (!x, !y) -> !sum
    graph.yield %1 : !sum
  }
  return %0 : !sum
}
