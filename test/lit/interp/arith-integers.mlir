// RUN: mlc-opt %s --interpret --entry widths | FileCheck %s
// Integers of any width wrap, divide and shift as two's complement says. Expected numbers: Python, modulo 2^width.
func.func @widths() -> (i8, i8, i8, i8, i8, i8, i7, i7, i128, i128, i1, i16, i16) {
  %a = arith.constant 100 : i8
  %b = arith.constant 77 : i8
  %m7 = arith.constant -7 : i8
  %c2 = arith.constant 2 : i8
  // CHECK: -79 : i8
  %add = arith.addi %a, %b : i8
  // CHECK-NEXT: 20 : i8
  %mul = arith.muli %a, %b : i8
  // CHECK-NEXT: -3 : i8
  %div = arith.divsi %m7, %c2 : i8
  // CHECK-NEXT: -4 : i8
  %floor = arith.floordivsi %m7, %c2 : i8
  // CHECK-NEXT: 124 : i8
  %divu = arith.divui %m7, %c2 : i8
  // CHECK-NEXT: -2 : i8
  %shr = arith.shrsi %m7, %c2 : i8
  %x = arith.constant 63 : i7
  %y = arith.constant 2 : i7
  // CHECK-NEXT: -63 : i7
  %wrap = arith.addi %x, %y : i7
  // CHECK-NEXT: 63 : i7
  %max = arith.maxsi %x, %wrap : i7
  %big = arith.constant 170141183460469231731687303715884105727 : i128
  %three = arith.constant 3 : i128
  // CHECK-NEXT: 56713727820156410577229101238628035242 : i128
  %third = arith.divsi %big, %three : i128
  // CHECK-NEXT: 170141183460469231731687303715884105725 : i128
  %product = arith.muli %big, %three : i128
  // CHECK-NEXT: true
  %less = arith.cmpi ult, %a, %m7 : i8
  // CHECK-NEXT: 249 : i16
  %zext = arith.extui %m7 : i8 to i16
  // CHECK-NEXT: -7 : i16
  %sext = arith.extsi %m7 : i8 to i16
  return %add, %mul, %div, %floor, %divu, %shr, %wrap, %max, %third, %product, %less, %zext, %sext
      : i8, i8, i8, i8, i8, i8, i7, i7, i128, i128, i1, i16, i16
}
