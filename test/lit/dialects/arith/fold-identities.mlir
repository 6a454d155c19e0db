// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Identities that hold for every value; x + 0.0 is not one of them (-0.0 + 0.0 is 0.0).
// CHECK-LABEL: func.func @integers(%arg0: i32, %arg1: i32)
// CHECK: %c0_i32 = arith.constant 0 : i32
// CHECK: return %arg0, %arg0, %c0_i32, %arg0, %arg1, %c0_i32, %arg0 : i32
func.func @integers(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.muli %c1, %x : i32
  %2 = arith.subi %x, %x : i32
  %3 = arith.andi %x, %m1 : i32
  %s = arith.addi %x, %y : i32
  %4 = arith.subi %s, %x : i32
  %5 = arith.remsi %x, %c1 : i32
  %6 = arith.maxsi %x, %x : i32
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @floats(%arg0: f32)
// CHECK: %0 = arith.addf %arg0, %cst : f32
// CHECK: return %0, %arg0, %arg0 : f32, f32, f32
func.func @floats(%x: f32) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.addf %x, %zero : f32
  %1 = arith.addf %x, %minus_zero : f32
  %2 = arith.mulf %x, %one : f32
  return %0, %1, %2 : f32, f32, f32
}
