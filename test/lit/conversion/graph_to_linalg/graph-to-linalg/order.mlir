// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input random:1 --input random:2 --input random:3 | FileCheck %s --check-prefix=MEANS
// RUN: mlc-opt %s --interpret --entry main --input random:1 --input random:2 --input random:3 > %t.meaning
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry main --input random:1 --input random:2 --input random:3 | diff - %t.meaning
// Sorting, choosing and suppressing are loops that carry one tensor.
// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: scf.while
// NaN is larger than every number, and of equal elements the first comes first.
// MEANS: dense<{{\[\[}}2, 0, 4, 3, 5, 1]]> : tensor<1x6xi64>
// MEANS: dense<{{\[\[}}1, 3, 5, 0, 4, 2]]> : tensor<1x6xi64>
// MEANS: dense<[0, 2, 1]> : tensor<3xi64>
// MEANS: dense<[1, 3, -1, -1]> : tensor<4xi64>
// MEANS: dense<{{\[\[}}1, 3, 6]]> : tensor<1x3xi8>
// The second box overlaps the first; the third has no area.
// MEANS: dense<{{\[\[}}0, 0, 0], [0, 0, 2], [-1, -1, -1]]> : tensor<3x3xi64>
// MEANS: dense<-1> : tensor<3x3xi64>
func.func @main(%x: tensor<5x31xf32>, %r: tensor<2x20x4xf32>, %t: tensor<2x3x20xf32>) -> (tensor<1x6xi64>, tensor<1x6xi64>, tensor<3xi64>, tensor<4xi64>, tensor<1x3xi8>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<5x31xi64>, tensor<5x31xi64>, tensor<42x3xi64>, tensor<42x3xi64>) {
  %c = graph.constant dense<[[1.0, 0x7FC00000, -2.0, 7.0, 1.0, 7.0]]> : tensor<1x6xf32>
  %0 = graph.argsort %c : (tensor<1x6xf32>) -> tensor<1x6xi64>
  %1 = graph.argsort %c {descending = true} : (tensor<1x6xf32>) -> tensor<1x6xi64>
  %d = graph.constant dense<[[7, 255, 7]]> : tensor<1x3xui8>
  %2 = graph.argsort %d : (tensor<1x3xui8>) -> tensor<1x3xi64>
  %3 = graph.reshape %2 {shape = array<i64: 3>} : (tensor<1x3xi64>) -> tensor<3xi64>
  %e = graph.constant dense<[false, true, false, true]> : tensor<4xi1>
  %4 = graph.true_places %e : (tensor<4xi1>) -> tensor<4xi64>
  %f = graph.constant dense<[[1, 2, 3]]> : tensor<1x3xi8>
  %5 = graph.running_sum %f : (tensor<1x3xi8>) -> tensor<1x3xi8>
  %b = graph.constant dense<[[[0.0, 0.0, 2.0, 2.0], [2.0, 2.25, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]]]> : tensor<1x3x4xf32>
  %s = graph.constant dense<[[[0.75, 0.5, 0.25]]]> : tensor<1x1x3xf32>
  %n = graph.constant dense<3> : tensor<i64>
  %m = graph.constant dense<-3> : tensor<1xi64>
  %o = graph.constant dense<0.5> : tensor<f32>
  %l = graph.constant dense<0.0> : tensor<1xf32>
  %6 = graph.non_max_suppression %b, %s, %n, %o, %l {most = 3 : i64} : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<i64>, tensor<f32>, tensor<1xf32>) -> tensor<3x3xi64>
  %7 = graph.non_max_suppression %b, %s, %m, %o, %l {most = 3 : i64} : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<f32>, tensor<1xf32>) -> tensor<3x3xi64>
  %8 = graph.argsort %x : (tensor<5x31xf32>) -> tensor<5x31xi64>
  %9 = graph.argsort %x {descending = true} : (tensor<5x31xf32>) -> tensor<5x31xi64>
  %k = graph.constant dense<7> : tensor<i64>
  %10 = graph.non_max_suppression %r, %t, %k, %l, %l {most = 7 : i64} : (tensor<2x20x4xf32>, tensor<2x3x20xf32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>) -> tensor<42x3xi64>
  %11 = graph.non_max_suppression %r, %t, %k, %l, %l {most = 7 : i64, is_centered = true, has_threshold = false} : (tensor<2x20x4xf32>, tensor<2x3x20xf32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>) -> tensor<42x3xi64>
  return %0, %1, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<1x6xi64>, tensor<1x6xi64>, tensor<3xi64>, tensor<4xi64>, tensor<1x3xi8>, tensor<3x3xi64>, tensor<3x3xi64>, tensor<5x31xi64>, tensor<5x31xi64>, tensor<42x3xi64>, tensor<42x3xi64>
}

// 2^62 and more elements take 63 passes.
// CHECK-LABEL: func.func @most
// CHECK: arith.constant 63 : index
func.func @most(%x: tensor<1x9223372036854775807xf32>) -> tensor<1x9223372036854775807xi64> {
  %0 = graph.argsort %x {descending = false} : (tensor<1x9223372036854775807xf32>) -> tensor<1x9223372036854775807xi64>
  return %0 : tensor<1x9223372036854775807xi64>
}
