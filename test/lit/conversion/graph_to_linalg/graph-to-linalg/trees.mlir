// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry deep > %t.want
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry deep | diff - %t.want
// A node is four words: threshold, column, right and left child. Leaf 0 is above the depth of 2: it
// is node 2, and leads to itself. The next node's address has the comparison in it.
// CHECK-LABEL: func.func @deep
// CHECK: arith.constant dense<{{\[}}[1065353216, 0, 1, 2], [1056964608, 1, 4, 3], [0, 0, 2, 2]]> : tensor<3x4xi32>
// CHECK: scf.for
// CHECK: %[[IS:.*]] = arith.cmpf ole
// CHECK: %[[SIDE:.*]] = arith.index_castui %[[IS]] : i1 to index
// CHECK: %[[WORD:.*]] = arith.addi %[[SIDE]], %{{.*}} : index
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[WORD]]]
func.func @deep() -> tensor<3x1xf64> {
  %x = graph.constant dense<[[1.0, 9.0], [2.0, 0.5], [2.0, 0.75]]> : tensor<3x2xf32>
  %0 = graph.tree_ensemble %x {
    thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>,
    left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>,
    roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>,
    weights = dense<[[-3.0], [-2.0], [40.0]]> : tensor<3x1xf32>, num_targets = 1 : i64
  } : (tensor<3x2xf32>) -> tensor<3x1xf64>
  return %0 : tensor<3x1xf64>
}
