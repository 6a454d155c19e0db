// RUN: mlc-opt %s --graph-widen-floats | FileCheck %s
// RUN: mlc-opt %s --graph-widen-floats -o %t
// RUN: mlc-opt %t --graph-widen-floats | diff %t -
// What computes gives f32, its constants are f32, and the result is rounded once, where it leaves.
// CHECK-LABEL: func.func @f
// CHECK: %[[X:.*]] = graph.cast %arg0 : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK: %[[W:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 6.10351563E-5], [0x7F800000, -0.000000e+00], [5.96046448E-8, 6.550400e+04]]> : tensor<3x2xf32>
// CHECK: %[[P:.*]] = graph.matmul %[[X]], %[[W]] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
// CHECK: %[[E:.*]] = graph.exp %[[P]] : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK: %[[R:.*]] = graph.cast %[[E]] : (tensor<2x2xf32>) -> tensor<2x2xf16>
// CHECK: return %[[R]]
func.func @f(%x: tensor<2x3xf16>) -> tensor<2x2xf16> {
  %w = graph.constant dense<[[1.0, 6.1035e-5], [0x7C00, -0.0], [0x0001, 65504.0]]> : tensor<3x2xf16>
  %product = graph.matmul %x, %w : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf16>
  %result = graph.exp %product : (tensor<2x2xf16>) -> tensor<2x2xf16>
  return %result : tensor<2x2xf16>
}

// A splat, and bf16.
// CHECK-LABEL: func.func @bf16
// CHECK: %[[X:.*]] = graph.cast %arg0 : (tensor<?xbf16>) -> tensor<?xf32>
// CHECK: %[[C:.*]] = graph.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: %[[S:.*]] = graph.add %[[X]], %[[C]] : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: graph.cast %[[S]] : (tensor<4xf32>) -> tensor<4xbf16>
func.func @bf16(%x: tensor<?xbf16>) -> tensor<4xbf16> {
  %c = graph.constant dense<3.0> : tensor<4xbf16>
  %result = graph.add %x, %c : (tensor<?xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %result : tensor<4xbf16>
}

// Other types are left alone.
// CHECK-LABEL: func.func @f64
// CHECK-NOT: graph.cast
func.func @f64(%x: tensor<4xf64>, %y: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf64>, tensor<4xf32>, tensor<4xi32>) {
  %a = graph.exp %x : (tensor<4xf64>) -> tensor<4xf64>
  %b = graph.exp %y : (tensor<4xf32>) -> tensor<4xf32>
  %c = graph.abs %i : (tensor<4xi32>) -> tensor<4xi32>
  return %a, %b, %c : tensor<4xf64>, tensor<4xf32>, tensor<4xi32>
}
