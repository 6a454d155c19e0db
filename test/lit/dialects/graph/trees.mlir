// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// RUN: mlc-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// Two trees: column 0 at most 1, then column 1 at most 0.5; and a leaf. NaN goes right.
// CHECK-LABEL: func.func @trees
// CHECK: graph.tree_ensemble %{{.*}} {features = dense<[0, 1]> : tensor<2xi32>, left = dense<[2, 3]> : tensor<2xi32>
// CHECK-SAME: num_targets = 1 : i64, right = dense<[1, 4]> : tensor<2xi32>, roots = dense<[0, 4]> : tensor<2xi32>
// FOLD-LABEL: func.func @trees
// FOLD: graph.constant dense<{{\[}}[3.700000e+01], [3.800000e+01], [8.000000e+01], [8.000000e+01]]> : tensor<4x1xf64>
func.func @trees() -> tensor<4x1xf64> {
  %x = graph.constant dense<[[1.0, 9.0], [2.0, 0.5], [2.0, 0.75], [0x7FC00000, 0x7FC00000]]> : tensor<4x2xf32>
  %0 = graph.tree_ensemble %x {
    thresholds = dense<[1.0, 0.5]> : tensor<2xf32>, features = dense<[0, 1]> : tensor<2xi32>,
    left = dense<[2, 3]> : tensor<2xi32>, right = dense<[1, 4]> : tensor<2xi32>,
    roots = dense<[0, 4]> : tensor<2xi32>, targets = dense<0> : tensor<2xi32>,
    weights = dense<[[-3.0], [-2.0], [40.0]]> : tensor<3x1xf32>, num_targets = 1 : i64
  } : (tensor<4x2xf32>) -> tensor<4x1xf64>
  return %0 : tensor<4x1xf64>
}
