// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry main --input integers:1 --input integers:2 | FileCheck %s --check-prefix=LOWER
// RUN: mlc-opt %s --interpret --entry main --input integers:1 --input integers:2 | FileCheck %s --check-prefix=GRAPH
// Bodies are made by unsigned types, then all are signless; what the caller sees is kept.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<6xi8> {mlc.name = "x", mlc.type = ui8}, %arg1: tensor<6xi8> {mlc.type = ui8})
// CHECK-SAME: (tensor<6xi8> {mlc.name = "y", mlc.type = ui8}, tensor<6xi1>, tensor<6xf32>, tensor<i8> {mlc.type = ui8}, tensor<6xi8> {mlc.type = ui8})
// CHECK: arith.constant dense<[-56, 1, 2, 3, -1, 0]> : tensor<6xi8>
// CHECK: arith.maxui
// CHECK: arith.cmpi ult
// CHECK: arith.uitofp
// CHECK: arith.minui
// CHECK: arith.trunci
// CHECK-NOT: ui8>
// GRAPH: dense<[200, 3, 2, 255, 255, 2]> : tensor<6xui8>
// LOWER: dense<[-56, 3, 2, -1, -1, 2]> : tensor<6xi8>
// GRAPH: dense<[200, 1, 2, 3, 255, 0]> : tensor<6xui8>
// LOWER: dense<[2.000000e+02, 1.000000e+00, 2.000000e+00, 3.000000e+00, 2.550000e+02, 0.000000e+00]>
// LOWER: dense<0> : tensor<i8>
// LOWER: dense<[-56, 1, 2, 3, -1, 0]> : tensor<6xi8>
func.func @main(%x: tensor<6xui8> {mlc.name = "x"}, %y: tensor<6xui8>)
    -> (tensor<6xui8> {mlc.name = "y"}, tensor<6xi1>, tensor<6xf32>, tensor<ui8>, tensor<6xui8>) {
  %c = graph.constant dense<[200, 1, 2, 3, 255, 0]> : tensor<6xui8>
  %max = graph.max %x, %c : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %less = graph.less %y, %c : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xi1>
  %float = graph.cast %c : (tensor<6xui8>) -> tensor<6xf32>
  %least = graph.reduce_min %c {keepdims = false} : (tensor<6xui8>) -> tensor<ui8>
  %back = graph.cast %float : (tensor<6xf32>) -> tensor<6xui8>
  return %max, %less, %float, %least, %back : tensor<6xui8>, tensor<6xi1>, tensor<6xf32>, tensor<ui8>, tensor<6xui8>
}
