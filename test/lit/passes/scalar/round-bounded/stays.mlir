// RUN: mlc-opt %s --round-bounded | FileCheck %s
// Bounds that are no integers, or too large for the addition, and f64 stay.
// CHECK-LABEL: func.func @fraction
// CHECK: arith.fptosi
func.func @fraction(%x: f32) -> i32 {
  %low = arith.constant 0.5 : f32
  %high = arith.constant 255.0 : f32
  %1 = math.roundeven %x : f32
  %2 = arith.cmpf ogt, %1, %low : f32
  %3 = arith.select %2, %1, %low : f32
  %4 = arith.cmpf olt, %3, %high : f32
  %5 = arith.select %4, %3, %high : f32
  %6 = arith.fptosi %5 : f32 to i32
  return %6 : i32
}
// CHECK-LABEL: func.func @large
// CHECK: arith.fptosi
func.func @large(%x: f32) -> i32 {
  %low = arith.constant 0.0 : f32
  %high = arith.constant 4194304.0 : f32
  %1 = math.roundeven %x : f32
  %2 = arith.cmpf ogt, %1, %low : f32
  %3 = arith.select %2, %1, %low : f32
  %4 = arith.cmpf olt, %3, %high : f32
  %5 = arith.select %4, %3, %high : f32
  %6 = arith.fptosi %5 : f32 to i32
  return %6 : i32
}
// CHECK-LABEL: func.func @double
// CHECK: arith.fptosi
func.func @double(%x: f64) -> i32 {
  %low = arith.constant 0.0 : f64
  %high = arith.constant 255.0 : f64
  %1 = math.roundeven %x : f64
  %2 = arith.cmpf ogt, %1, %low : f64
  %3 = arith.select %2, %1, %low : f64
  %4 = arith.cmpf olt, %3, %high : f64
  %5 = arith.select %4, %3, %high : f64
  %6 = arith.fptosi %5 : f64 to i32
  return %6 : i32
}
