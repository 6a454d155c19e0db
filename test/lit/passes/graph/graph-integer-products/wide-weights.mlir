// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-integer-products --target=x86-64-v4-vnni --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// Weights less their zero point that are no bytes with signs are sums of some that are.
// CHECK-DAG: dense<[{{\[}}127, -10], [-10, -10], [-10, -10], [-10, -10]]> : tensor<4x2xi8>
// CHECK-DAG: dense<[{{\[}}118, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi8>
// CHECK-COUNT-2: graph.matmul
func.func @f(%x: tensor<2x4xui8>) -> tensor<2x2xi32> {
  %w = graph.constant dense<[[255, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xui8>
  %z = graph.constant dense<10> : tensor<i32>
  %a = graph.cast %x : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %b = graph.cast %w : (tensor<4x2xui8>) -> tensor<4x2xi32>
  %c = graph.sub %b, %z : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
  %y = graph.matmul %a, %c : (tensor<2x4xi32>, tensor<4x2xi32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}
