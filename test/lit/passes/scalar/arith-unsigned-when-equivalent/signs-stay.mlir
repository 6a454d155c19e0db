// RUN: mlc-opt %s --arith-unsigned-when-equivalent | FileCheck %s
// An operand that may be negative keeps the signed op.
// CHECK: arith.divsi
// CHECK: arith.cmpi slt
// CHECK: arith.extsi
// CHECK-NOT: arith.{{.*}}u
func.func @f(%x: i32, %y: i32) -> (i32, i1, i64) {
  %0 = arith.divsi %x, %y : i32
  %1 = arith.cmpi slt, %x, %y : i32
  %2 = arith.extsi %x : i32 to i64
  return %0, %1, %2 : i32, i1, i64
}
