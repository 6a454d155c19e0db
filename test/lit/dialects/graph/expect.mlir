// RUN: not mlc-opt %s --interpret --entry main --input random:1 2>&1 | FileCheck %s
// CHECK: 'graph.expect' op k is 2, not 3
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = graph.constant dense<2> : tensor<i64>
  // CHECK-NOT: unreachable
  %0 = graph.expect %x, %n {expected = 3 : i64, what = "k"} : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
