// RUN: mlc-opt %s --graph-layout | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-layout --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// A flattened map enters a Gemm without a transpose: the matrix takes its rows in the other order.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.transpose
// CHECK: graph.gemm
func.func @f(%x: tensor<1x1x2x3xf32>) -> tensor<1x2xf32> {
  %w = graph.constant dense<[[[[1.0]]], [[[10.0]]]]> : tensor<2x1x1x1xf32>
  %m = graph.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]]> : tensor<2x12xf32>
  %0 = graph.conv %x, %w : (tensor<1x1x2x3xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x3xf32>
  %1 = graph.flatten %0 : (tensor<1x2x2x3xf32>) -> tensor<1x12xf32>
  %2 = graph.gemm %1, %m {trans_b = true} : (tensor<1x12xf32>, tensor<2x12xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
