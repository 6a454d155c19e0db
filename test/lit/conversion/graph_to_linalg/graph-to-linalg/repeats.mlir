// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input iota > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry f --input iota > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --check-prefix=VALUES < %t.after
// Expand, tile and trilu are one loop nest each.
// VALUES: dense<{{\[\[\[}}0, 1, 2]], {{\[\[}}0, 1, 2]]]> : tensor<2x1x3xi32>
// VALUES-NEXT: dense<{{\[\[}}0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2]]> : tensor<2x6xi32>
// VALUES-NEXT: dense<{{\[\[}}0, 0, 2]]> : tensor<1x3xi32>
// CHECK-LABEL: func.func @f
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
func.func @f(%x: tensor<1x3xi32>) -> (tensor<2x1x3xi32>, tensor<2x6xi32>, tensor<1x3xi32>) {
  %0 = graph.expand %x {shape = array<i64: 2, 1, 1>} : (tensor<1x3xi32>) -> tensor<2x1x3xi32>
  %1 = graph.tile %x {repeats = array<i64: 2, 2>} : (tensor<1x3xi32>) -> tensor<2x6xi32>
  %2 = graph.trilu %x {k = 2 : i64} : (tensor<1x3xi32>) -> tensor<1x3xi32>
  return %0, %1, %2 : tensor<2x1x3xi32>, tensor<2x6xi32>, tensor<1x3xi32>
}
