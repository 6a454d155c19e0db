// RUN: mlc-opt --canonicalize %s | FileCheck %s
// Parts that are put together again, inverses, and numbers that change nothing.
// CHECK-LABEL: @parts(%arg0: complex<f32>, %arg1: f32, %arg2: f32)
// CHECK-NEXT: return %arg0, %arg1, %arg2
func.func @parts(%z: complex<f32>, %x: f32, %y: f32) -> (complex<f32>, f32, f32) {
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %0 = complex.create %re, %im : complex<f32>
  %c = complex.create %x, %y : complex<f32>
  %1 = complex.re %c : complex<f32>
  %2 = complex.im %c : complex<f32>
  return %0, %1, %2 : complex<f32>, f32, f32
}

// CHECK-LABEL: @constants(
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: return %arg0, %arg0, %[[TWO]]
func.func @constants(%z: complex<f32>) -> (complex<f32>, complex<f32>, f32) {
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %other = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = complex.mul %z, %one : complex<f32>
  %1 = complex.div %z, %one : complex<f32>
  %2 = complex.im %other : complex<f32>
  return %0, %1, %2 : complex<f32>, complex<f32>, f32
}

// CHECK-LABEL: @inverses(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0
func.func @inverses(%z: complex<f32>, %w: complex<f32>)
    -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %a = complex.sub %z, %w : complex<f32>
  %0 = complex.add %a, %w : complex<f32>
  %b = complex.neg %z : complex<f32>
  %1 = complex.neg %b : complex<f32>
  %c = complex.log %z : complex<f32>
  %2 = complex.exp %c : complex<f32>
  %d = complex.bitcast %z : complex<f32> to i64
  %3 = complex.bitcast %d : i64 to complex<f32>
  return %0, %1, %2, %3 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
