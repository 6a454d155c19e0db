// RUN: mlc-opt %s --interpret --entry formats | FileCheck %s
// Floats are rounded in their own format after each operation. Expected numbers: numpy's float16 and float32, and by hand for
// bf16 (8 bits of precision: 1 + 1/128 is the next number after 1).
func.func @formats() -> (f16, f32, f64, bf16, f32, f32, i1, i1, i32, f16, i32) {
  %h1 = arith.constant 2048.0 : f16
  %h2 = arith.constant 1.0 : f16
  // CHECK: 2.048000e+03 : f16
  %h = arith.addf %h1, %h2 : f16
  %s1 = arith.constant 0.1 : f32
  %s2 = arith.constant 0.2 : f32
  // CHECK-NEXT: 3.000000e-01 : f32
  %s = arith.addf %s1, %s2 : f32
  %d1 = arith.constant 0.1 : f64
  %d2 = arith.constant 0.2 : f64
  // CHECK-NEXT: 0.30000000000000004 : f64
  %d = arith.addf %d1, %d2 : f64
  %b1 = arith.constant 1.0 : bf16
  %b2 = arith.constant 0.00390625 : bf16
  // CHECK-NEXT: 1.000000e+00 : bf16
  %b = arith.addf %b1, %b2 : bf16
  %nan = arith.constant 0x7FC00000 : f32
  // CHECK-NEXT: 0x7FC00000 : f32
  %max = arith.maximumf %nan, %s1 : f32
  // CHECK-NEXT: 1.000000e-01 : f32
  %maxnum = arith.maxnumf %nan, %s1 : f32
  // CHECK-NEXT: false
  %olt = arith.cmpf olt, %nan, %s1 : f32
  // CHECK-NEXT: true
  %une = arith.cmpf une, %nan, %s1 : f32
  %v = arith.constant -3.7 : f32
  // CHECK-NEXT: -3 : i32
  %int = arith.fptosi %v : f32 to i32
  // CHECK-NEXT: 9.997550e-02 : f16
  %trunc = arith.truncf %s1 : f32 to f16
  // CHECK-NEXT: 1036831949 : i32
  %bits = arith.bitcast %s1 : f32 to i32
  return %h, %s, %d, %b, %max, %maxnum, %olt, %une, %int, %trunc, %bits
      : f16, f32, f64, bf16, f32, f32, i1, i1, i32, f16, i32
}
