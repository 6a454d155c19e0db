// RUN: mlc-opt %s --interpret --entry f --input random:1 > %t.before
// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products --interpret --entry f --input random:1 > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --target=x86-64-v4 --graph-split-products --mlir-print-op-generic | FileCheck %s
// The parts add up to the whole: ones and halves are exact in any order.
// CHECK-COUNT-2: "graph.add"
func.func @f(%x: tensor<2x2xf32>) -> tensor<1x1xf32> {
  %ones = graph.constant dense<1.0> : tensor<1x129x3072xf32>
  %w = graph.constant dense<0.5> : tensor<3072x3xf32>
  %0 = graph.matmul %ones, %w : (tensor<1x129x3072xf32>, tensor<3072x3xf32>) -> tensor<1x129x3xf32>
  %1 = graph.reduce_max %0 {keepdims = true} : (tensor<1x129x3xf32>) -> tensor<1x1x1xf32>
  %2 = graph.reshape %1 {shape = array<i64: 1, 1>} : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}
