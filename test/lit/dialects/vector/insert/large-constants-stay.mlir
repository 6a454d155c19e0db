// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A constant that is no splat is stored in full: 64 KiB are folded, more are not.
// CHECK-LABEL: func.func @folded
// CHECK-NOT: vector.insert
// CHECK-LABEL: func.func @stays
// CHECK: vector.insert
func.func @folded() -> vector<4xi32> {
  %0 = arith.constant dense<7> : vector<4xi32>
  %c = arith.constant 3 : i32
  %1 = vector.insert %c, %0 [2] : i32 into vector<4xi32>
  return %1 : vector<4xi32>
}
func.func @stays() -> vector<1000000000xi32> {
  %0 = arith.constant dense<7> : vector<1000000000xi32>
  %c = arith.constant 3 : i32
  %1 = vector.insert %c, %0 [2] : i32 into vector<1000000000xi32>
  return %1 : vector<1000000000xi32>
}
