// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// A vector on the left gives no rows, one on the right no columns.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
func.func @f(%a: tensor<5xf32>, %b: tensor<2x5x3xf32>, %v: tensor<3xf32>) -> tensor<2xf32> {
  %rows = graph.matmul %a, %b : (tensor<5xf32>, tensor<2x5x3xf32>) -> tensor<2x3xf32>
  %y = graph.matmul %rows, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
