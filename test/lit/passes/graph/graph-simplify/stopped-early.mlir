// RUN: mlc-opt %s --graph-simplify --mlir-debug-counter=greedy-iteration-count=1 2>&1 | FileCheck %s
// A remark says that the driver was stopped with work left: here by a debug counter, after one sweep of two.
// CHECK: remark: {{.*}}stopped before nothing was left to simplify
// CHECK: graph.reshape
func.func @f(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  %0 = graph.flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}
