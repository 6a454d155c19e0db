// RUN: mlc-opt %s --int-range-optimizations | FileCheck %s
// A remainder of what is below the divisor is that.

// CHECK-LABEL: func.func @below
// CHECK: %[[LOW:.*]] = arith.andi
// CHECK-NEXT: return %[[LOW]], %[[LOW]]
func.func @below(%x: i8) -> (i8, i8) {
  %c63 = arith.constant 63 : i8
  %c64 = arith.constant 64 : i8
  %low = arith.andi %x, %c63 : i8
  %signed = arith.remsi %low, %c64 : i8
  %unsigned = arith.remui %low, %c64 : i8
  return %signed, %unsigned : i8, i8
}

// CHECK-LABEL: func.func @may_reach
// CHECK: arith.remui
// CHECK: arith.remsi
func.func @may_reach(%x: i8, %y: i8) -> (i8, i8) {
  %c63 = arith.constant 63 : i8
  %c-64 = arith.constant -64 : i8
  %low = arith.andi %x, %c63 : i8
  %reaches = arith.remui %low, %c63 : i8
  %negative = arith.remsi %low, %c-64 : i8
  return %reaches, %negative : i8, i8
}

// CHECK-LABEL: func.func @divisor_is_no_constant
// CHECK: arith.remui
func.func @divisor_is_no_constant(%x: i8, %y: i8) -> i8 {
  %c3 = arith.constant 3 : i8
  %c64 = arith.constant 64 : i8
  %low = arith.andi %x, %c3 : i8
  %high = arith.ori %y, %c64 : i8
  %r = arith.remui %low, %high : i8
  return %r : i8
}
