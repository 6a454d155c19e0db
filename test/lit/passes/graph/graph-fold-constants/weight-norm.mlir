// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 --verify-diagnostics
// RUN: mlc-opt %s --graph-fold-constants=max-bytes=16 2>/dev/null | FileCheck %s
// A filter divided by its norm takes the filter's place. The squares, beyond the budget of bytes, are only read on the way
// to the norm: they are computed with it, and are no constant.
// CHECK-LABEL: func.func @norm
// CHECK-NOT: 9.000000e+00
// CHECK: %[[W:.*]] = graph.constant dense<{{\[}}[6.000000e-01, 6.000000e+00], [8.000000e-01, 8.000000e+00], [0.000000e+00, 0.000000e+00]]>
// CHECK-NEXT: return %[[W]]
func.func @norm() -> tensor<3x2xf32> {
  %v = graph.constant dense<[[3.0, 3.0], [4.0, 4.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %g = graph.constant dense<[[1.0, 10.0]]> : tensor<1x2xf32>
  %squares = graph.mul %v, %v : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %sums = graph.reduce_sum %squares {axes = array<i64: 0>} : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %norms = graph.sqrt %sums : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %unit = graph.div %v, %norms : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %w = graph.mul %unit, %g : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %w : tensor<3x2xf32>
}

// Something else reads the filter, so that the model would have both.
// CHECK-LABEL: func.func @both
// CHECK: call @both_init() {mlc.run_once}
func.func @both(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %v = graph.constant dense<[[3.0, 3.0], [4.0, 4.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %y = graph.add %x, %v : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %n = graph.neg %v : (tensor<3x2xf32>) -> tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %w = graph.mul %n, %n : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y, %w : tensor<3x2xf32>, tensor<3x2xf32>
}

// The norm is computed when loading, and the squares that waited for it with it.
// CHECK-LABEL: func.func @late
// CHECK: %[[I:.*]] = call @late_init() {mlc.run_once}
// CHECK: return %[[I]]
// CHECK-LABEL: func.func private @late_init
// CHECK: graph.mul
// CHECK-NEXT: graph.expand
func.func @late() -> tensor<2x3x2xf32> {
  %v = graph.constant dense<[[3.0, 3.0], [4.0, 4.0], [0.0, 0.0]]> : tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %squares = graph.mul %v, %v : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  // expected-remark @below {{moved to the initialiser: folding it now is beyond the budget}}
  %large = graph.expand %squares {shape = array<i64: 2, 3, 2>} : (tensor<3x2xf32>) -> tensor<2x3x2xf32>
  return %large : tensor<2x3x2xf32>
}
