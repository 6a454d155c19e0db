// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input random:1 | FileCheck %s --check-prefix=MEANS
// RUN: mlc-opt %s --interpret --entry main --input random:1 > %t.meaning
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry main --input random:1 | diff - %t.meaning
// The first k are always put in order; what comes later only if it is better than the last of them.
// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: scf.while
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.while
// NaN is larger than every number, and of equal elements the first comes first.
// MEANS: dense<{{\[\[}}1, 3, 5{{\]\]}}> : tensor<1x3xi64>
// MEANS: dense<{{\[\[}}2, 0, 4{{\]\]}}> : tensor<1x3xi64>
// MEANS: dense<[1, 0]> : tensor<2xi64>
func.func @main(%x: tensor<7x5x6xf32>) -> (tensor<1x3xi64>, tensor<1x3xi64>, tensor<2xi64>, tensor<4x5x6xi64>, tensor<7x5x6xi64>) {
  %c = graph.constant dense<[[1.0, 0x7FC00000, -2.0, 7.0, 1.0, 7.0]]> : tensor<1x6xf32>
  %0 = graph.top_k %c {k = 3 : i64} : (tensor<1x6xf32>) -> tensor<1x3xi64>
  %1 = graph.top_k %c {k = 3 : i64, largest = false} : (tensor<1x6xf32>) -> tensor<1x3xi64>
  %d = graph.constant dense<[7, 255, 7]> : tensor<3xui8>
  %2 = graph.top_k %d {k = 2 : i64} : (tensor<3xui8>) -> tensor<2xi64>
  %3 = graph.top_k %x {k = 4 : i64, axis = 0 : i64} : (tensor<7x5x6xf32>) -> tensor<4x5x6xi64>
  %4 = graph.top_k %x {k = 6 : i64, largest = false} : (tensor<7x5x6xf32>) -> tensor<7x5x6xi64>
  return %0, %1, %2, %3, %4 : tensor<1x3xi64>, tensor<1x3xi64>, tensor<2xi64>, tensor<4x5x6xi64>, tensor<7x5x6xi64>
}
