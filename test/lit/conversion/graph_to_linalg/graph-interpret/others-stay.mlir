// RUN: mlc-opt %s --graph-interpret 2>&1 | FileCheck %s
// What is lowered stays; so does what no run could give a size, for graph-check-lowerable to refuse.
// CHECK-NOT: warning
// CHECK: graph.relu
// CHECK: graph.true_places
// CHECK-NOT: graph.operator
func.func @main(%x: tensor<?xi1>, %z: tensor<4xf32>) -> (tensor<?xi64>, tensor<4xf32>) {
  %a = graph.relu %z : (tensor<4xf32>) -> tensor<4xf32>
  %y = graph.true_places %x : (tensor<?xi1>) -> tensor<?xi64>
  return %y, %a : tensor<?xi64>, tensor<4xf32>
}
