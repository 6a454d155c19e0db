// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 --input integers:3 > %t.after
// RUN: diff %t.before %t.after
// alpha and beta; a bias of one column.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.matmul
// CHECK: linalg.generic
func.func @f(%a: tensor<5x2xf32>, %b: tensor<5x4xf32>, %c: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %y = graph.gemm %a, %b, %c {alpha = 0.5 : f32, beta = 2.0 : f32, trans_a = true} : (tensor<5x2xf32>, tensor<5x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
