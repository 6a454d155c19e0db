// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main > %t.want
// RUN: mlc-opt %s --graph-to-linalg --interpret --entry main | diff - %t.want
// Where the number of rows is unknown the last block has fewer.
// CHECK-LABEL: func.func private @walk
// CHECK: %[[COUNT:.*]] = tensor.dim
// CHECK: arith.addi %[[COUNT]]
func.func private @walk(%x: tensor<?x2xf32>) -> tensor<?x1xf64> {
  %0 = graph.tree_ensemble %x {
    thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>,
    left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>,
    roots = dense<0> : tensor<1xi32>, targets = dense<0> : tensor<1xi32>,
    weights = dense<[[-3.0], [-2.0], [40.0]]> : tensor<3x1xf32>, num_targets = 1 : i64
  } : (tensor<?x2xf32>) -> tensor<?x1xf64>
  return %0 : tensor<?x1xf64>
}
func.func @main() -> tensor<?x1xf64> {
  %n = arith.constant 150 : index
  %x = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %j : index
    %c7 = arith.constant 7 : index
    %r = arith.remui %k, %c7 : index
    %q = arith.index_cast %r : index to i32
    %f = arith.sitofp %q : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x2xf32>
  %0 = call @walk(%x) : (tensor<?x2xf32>) -> tensor<?x1xf64>
  return %0 : tensor<?x1xf64>
}
