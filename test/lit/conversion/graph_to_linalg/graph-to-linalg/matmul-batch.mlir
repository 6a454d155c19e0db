// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// Equal batches are linalg.batch_matmul.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: linalg.batch_matmul
func.func @f(%a: tensor<3x4x5xf32>, %b: tensor<3x5x2xf32>) -> tensor<3x4x2xf32> {
  %y = graph.matmul %a, %b : (tensor<3x4x5xf32>, tensor<3x5x2xf32>) -> tensor<3x4x2xf32>
  return %y : tensor<3x4x2xf32>
}
