// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 > %t.after
// RUN: diff %t.before %t.after
// Bodies of records become arith; relu is one compare and one select.
// CHECK-LABEL: func.func @f
// CHECK-NOT: graph.
// CHECK: arith.cmpf olt
// CHECK-NEXT: arith.select
func.func @f(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = graph.relu %x : (tensor<32xf32>) -> tensor<32xf32>
  %1 = graph.clip %0 {high = 6.0 : f32, low = 1.0 : f32} : (tensor<32xf32>) -> tensor<32xf32>
  %2 = graph.leaky_relu %1 {alpha = 0.25 : f32} : (tensor<32xf32>) -> tensor<32xf32>
  %3 = graph.sub %2, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %4 = graph.abs %3 : (tensor<32xf32>) -> tensor<32xf32>
  return %4 : tensor<32xf32>
}
