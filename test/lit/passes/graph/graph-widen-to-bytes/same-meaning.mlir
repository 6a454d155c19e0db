// RUN: mlc-opt %s --graph-widen-to-bytes -o %t
// RUN: mlc-opt %t --interpret --entry floats | FileCheck %s
// RUN: mlc-opt %s --interpret --entry floats | FileCheck %s
// Casts mean on bytes what they meant: rounded once, held within the largest number.
// CHECK: dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 6.000000e+00, -0.000000e+00, -1.500000e+00, -6.000000e+00, 2.000000e+00]>
// CHECK: dense<[5.87747175E-39, 1.000000e+00, 2.000000e+00, 0x7FC00000]>
// CHECK: dense<[7.500000e+00, -2.500000e-01, 1.250000e-01]>
// CHECK: dense<[-7.000000e+00, 7.000000e+00, -8.000000e+00]>
func.func @floats() -> (tensor<8xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = graph.constant dense<[0.25, 0.251, 1.25, 99.0, -0.1, -1.5, -5.1, 1.7500000000000002]> : tensor<8xf64>
  %4 = graph.cast %x : (tensor<8xf64>) -> tensor<8xf4E2M1FN>
  %four = graph.cast %4 : (tensor<8xf4E2M1FN>) -> tensor<8xf32>
  %p = graph.constant dense<[0.0, 1.4999999, 1.5, 0x7F800000]> : tensor<4xf32>
  %8 = graph.cast %p : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  %powers = graph.cast %8 : (tensor<4xf8E8M0FNU>) -> tensor<4xf32>
  %q = graph.constant dense<[1.0e9, -0.3, 0.1]> : tensor<3xf16>
  %6 = graph.cast %q : (tensor<3xf16>) -> tensor<3xf6E2M3FN>
  %six = graph.cast %6 : (tensor<3xf6E2M3FN>) -> tensor<3xf32>
  %n = graph.constant dense<[9, 7, -8]> : tensor<3xi32>
  %i = graph.cast %n : (tensor<3xi32>) -> tensor<3xi4>
  %integers = graph.cast %i : (tensor<3xi4>) -> tensor<3xf32>
  return %four, %powers, %six, %integers : tensor<8xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>
}
