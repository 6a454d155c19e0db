// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input integers:1 --input integers:2 > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input integers:1 --input integers:2 > %t.after
// RUN: diff %t.before %t.after
// A minimum starts from the largest integer, which a double does not hold; truth values are 0 and 1.
// CHECK-LABEL: func.func @f
// CHECK: arith.constant 9223372036854775807 : i64
// CHECK: arith.minsi
// CHECK: arith.maxui {{.*}} : i1
// CHECK: arith.minui {{.*}} : i1
func.func @f(%x: tensor<3x5xi64>, %b: tensor<3x5xi1>) -> (tensor<3xi64>, tensor<3xi1>, tensor<3xi1>) {
  %0 = graph.reduce_min %x {axes = array<i64: 1>, keepdims = false} : (tensor<3x5xi64>) -> tensor<3xi64>
  %1 = graph.reduce_max %b {axes = array<i64: 1>, keepdims = false} : (tensor<3x5xi1>) -> tensor<3xi1>
  %2 = graph.reduce_min %b {axes = array<i64: 1>, keepdims = false} : (tensor<3x5xi1>) -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi64>, tensor<3xi1>, tensor<3xi1>
}
