// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// Digits are read as a double first, as MLIR 19 does; what they cannot say is printed as bits, so that nothing is lost.
// CHECK-LABEL: @wide
func.func @wide() {
  // CHECK: arith.constant 2.500000e+00 : f80
  %0 = arith.constant 2.5 : f80
  // CHECK: arith.constant 1.000000e-01 : f64
  %1 = arith.constant 1.000000e-01 : f64
  // A subnormal, far below what a double holds.
  // CHECK: arith.constant 0x7FC00000 : f80
  %2 = arith.constant 0x7FC00000 : f80
  // CHECK: arith.constant dense<0x7FC00000> : vector<4xf80>
  %3 = arith.constant dense<0x7FC00000> : vector<4xf80>
  // One more bit than a double has.
  // CHECK: arith.constant 0x3FFF8000000000000001 : f80
  %4 = arith.constant 0x3FFF8000000000000001 : f80
  // CHECK: arith.constant dense<[1.000000e+00, 0x3FFF0000000000000000000000000001]> : tensor<2xf128>
  %5 = arith.constant dense<[1.0, 0x3FFF0000000000000000000000000001]> : tensor<2xf128>
  return
}
