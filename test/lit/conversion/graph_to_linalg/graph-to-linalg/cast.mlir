// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// To integers rounding is towards zero; to i1 it asks for not zero.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: arith.fptosi
// CHECK: arith.cmpi ne
// CHECK: arith.uitofp
func.func @f(%x: tensor<8xf32>) -> (tensor<8xi32>, tensor<8xi1>, tensor<8xf64>) {
  %0 = graph.cast %x : (tensor<8xf32>) -> tensor<8xi32>
  %1 = graph.cast %0 : (tensor<8xi32>) -> tensor<8xi1>
  %2 = graph.cast %1 : (tensor<8xi1>) -> tensor<8xf64>
  return %0, %1, %2 : tensor<8xi32>, tensor<8xi1>, tensor<8xf64>
}
