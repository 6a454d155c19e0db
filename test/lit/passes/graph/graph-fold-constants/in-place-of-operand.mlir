// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 --verify-diagnostics
// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 2>/dev/null | FileCheck %s
// A result that replaces a constant of its size makes the model no larger, so it is folded whatever the budget; not if
// something else reads the constant, nor if it grows out of a splat. Parts of it are folded if all its readers together make no more of it.
// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[A:.*]] = graph.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
// CHECK-DAG: %[[I:.*]]:2 = call @f_init() {mlc.run_once}
// CHECK: return %[[A]], %[[I]]#0, %{{.*}}, %[[I]]#1
func.func @f() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x3xf32>) {
  %alone = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %shared = graph.constant dense<[[1.0, 1.0, -1.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %splat = graph.constant dense<2.0> : tensor<1x3xf32>
  %0 = graph.transpose %alone {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %1 = graph.transpose %shared {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %2 = graph.expand %splat {shape = array<i64: 3, 3>} : (tensor<1x3xf32>) -> tensor<3x3xf32>
  return %0, %1, %shared, %2 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x3xf32>
}
// CHECK-LABEL: func.func @parts
// CHECK-DAG: graph.constant dense<{{\[}}[1.000000e+00, 2.000000e+00], [4.000000e+00, 5.000000e+00]]>
// CHECK-DAG: graph.constant dense<{{\[}}[3.000000e+00], [6.000000e+00]]>
// CHECK-NOT: graph.slice
// CHECK: return
func.func @parts() -> (tensor<2x2xf64>, tensor<2x1xf64>) {
  %whole = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %0 = graph.slice %whole {starts = array<i64: 0>, ends = array<i64: 2>, axes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2x3xf64>) -> tensor<2x2xf64>
  %1 = graph.slice %whole {starts = array<i64: 2>, ends = array<i64: 3>, axes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2x3xf64>) -> tensor<2x1xf64>
  return %0, %1 : tensor<2x2xf64>, tensor<2x1xf64>
}
// CHECK-LABEL: func.func @overlapping
// CHECK: call @overlapping_init
func.func @overlapping() -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %whole = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %0 = graph.slice %whole {starts = array<i64: 0>, ends = array<i64: 2>, axes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2x3xf64>) -> tensor<2x2xf64>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %1 = graph.slice %whole {starts = array<i64: 1>, ends = array<i64: 3>, axes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2x3xf64>) -> tensor<2x2xf64>
  return %0, %1 : tensor<2x2xf64>, tensor<2x2xf64>
}
// A part of it in another shape is only read on the way to the parts of that.
// CHECK-LABEL: func.func @parts_of_shapes
// CHECK-DAG: graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-DAG: graph.constant dense<[4.000000e+00, 5.000000e+00, 6.000000e+00]>
// CHECK-NOT: graph.slice
// CHECK: return
func.func @parts_of_shapes() -> (tensor<3xf64>, tensor<3xf64>) {
  %whole = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %a = graph.reshape %whole {shape = array<i64: 6>} : (tensor<2x3xf64>) -> tensor<6xf64>
  %b = graph.reshape %whole {shape = array<i64: 6>} : (tensor<2x3xf64>) -> tensor<6xf64>
  %0 = graph.slice %a {starts = array<i64: 0>, ends = array<i64: 3>, axes = array<i64: 0>, steps = array<i64: 1>} : (tensor<6xf64>) -> tensor<3xf64>
  %1 = graph.slice %b {starts = array<i64: 3>, ends = array<i64: 6>, axes = array<i64: 0>, steps = array<i64: 1>} : (tensor<6xf64>) -> tensor<3xf64>
  return %0, %1 : tensor<3xf64>, tensor<3xf64>
}
