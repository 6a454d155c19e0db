// RUN: mlc-opt %s --interpret > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret > %t.after
// RUN: diff %t.before %t.after
// RUN: mlc-opt %s --graph-to-linalg --tile=tile-sizes=2 --canonicalize --interpret | FileCheck %s
// RUN: FileCheck %s < %t.after
// Elements named by indices, negative ones from the end; the body reads the data itself, in tiles too.
// CHECK: dense<{{\[\[}}7, 8, 9], [1, 2, 3]]> : tensor<2x3xi32>
// CHECK-NEXT: dense<{{\[\[}}1, 2], [6, 5], [8, 7]]> : tensor<3x2xi32>
// CHECK-NEXT: dense<[6, 1]> : tensor<2xi32>
func.func @main() -> (tensor<2x3xi32>, tensor<3x2xi32>, tensor<2xi32>) {
  %data = graph.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %rows = graph.constant dense<[-1, 0]> : tensor<2xi64>
  %places = graph.constant dense<[[0, 1], [2, -2], [1, 0]]> : tensor<3x2xi64>
  %tuples = graph.constant dense<[[1, 2], [0, -3]]> : tensor<2x2xi64>
  %0 = graph.gather %data, %rows : (tensor<3x3xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  %1 = graph.gather_elements %data, %places {axis = 1 : i64} : (tensor<3x3xi32>, tensor<3x2xi64>) -> tensor<3x2xi32>
  %2 = graph.gather_nd %data, %tuples : (tensor<3x3xi32>, tensor<2x2xi64>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<3x2xi32>, tensor<2xi32>
}
