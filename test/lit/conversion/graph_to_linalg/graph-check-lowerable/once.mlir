// RUN: not mlc-opt %s --graph-check-lowerable 2>&1 | FileCheck %s
// A node of the model that became several ops is told once.
// CHECK: loc("to_f8"): error: 'graph.cast' op is not supported: elements of type f6E3M2FN
// CHECK-NOT: error
func.func @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.cast %x : (tensor<4xf32>) -> tensor<4xf6E3M2FN> loc("to_f8")
  %1 = graph.cast %0 : (tensor<4xf6E3M2FN>) -> tensor<4xf32> loc("to_f8")
  return %1 : tensor<4xf32>
}
