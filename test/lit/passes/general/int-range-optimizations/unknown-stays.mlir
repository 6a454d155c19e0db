// RUN: mlc-opt %s --int-range-optimizations | FileCheck %s
// What may be several numbers is computed.
// CHECK: %[[S:.*]] = arith.addi %arg0, %arg0
// CHECK: %[[C:.*]] = arith.cmpi slt, %[[S]], %arg0
// CHECK: arith.remui %[[S]], %arg0
// CHECK-NOT: arith.constant
func.func @f(%x: i32) -> (i32, i1, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.cmpi slt, %0, %x : i32
  %2 = arith.remui %0, %x : i32
  return %0, %1, %2 : i32, i1, i32
}
