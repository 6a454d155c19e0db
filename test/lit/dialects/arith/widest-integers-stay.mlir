// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Products of integers take the square of their words: beyond 65,536 bits they are left.
// CHECK-LABEL: func.func @folded
// CHECK: arith.constant 49 : i65536
// CHECK-NOT: arith.muli
// CHECK-LABEL: func.func @stays
// CHECK: arith.muli
func.func @folded() -> i65536 {
  %c = arith.constant -7 : i65536
  %0 = arith.muli %c, %c : i65536
  return %0 : i65536
}
func.func @stays() -> i65600 {
  %c = arith.constant -7 : i65600
  %0 = arith.muli %c, %c : i65600
  return %0 : i65600
}
