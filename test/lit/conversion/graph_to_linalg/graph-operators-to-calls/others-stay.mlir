// RUN: mlc-opt %s --graph-operators-to-calls | FileCheck %s
// Without an operator nothing changes.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NEXT: graph.relu
// CHECK-NOT: operator
func.func private @kernel_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
