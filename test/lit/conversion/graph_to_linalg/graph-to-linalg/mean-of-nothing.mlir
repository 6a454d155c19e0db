// RUN: mlc-opt %s --interpret > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.after
// CHECK: dense<0x{{7F|FF}}C00000> : tensor<2xf32>
// CHECK-NEXT: dense<0> : tensor<2x1xi32>
// CHECK-NEXT: dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: dense<0.000000e+00> : tensor<2x3xf32>
func.func @main() -> (tensor<2xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2x3xf32>) {
  %x = graph.constant dense<> : tensor<2x0xf32>
  %n = graph.constant dense<> : tensor<2x0xi32>
  %w = graph.constant dense<> : tensor<0x3xf32>
  %0 = graph.reduce_mean %x {axes = array<i64: 1>, keepdims = false} : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce_mean %n {axes = array<i64: 1>} : (tensor<2x0xi32>) -> tensor<2x1xi32>
  %2 = graph.reduce_max %x {axes = array<i64: 1>, keepdims = false} : (tensor<2x0xf32>) -> tensor<2xf32>
  %3 = graph.matmul %x, %w : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2x3xf32>
}
