// RUN: mlc-opt %s --arith-unsigned-when-equivalent | FileCheck %s
// CHECK-LABEL: func.func @known
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: arith.cmpi ult
// CHECK: arith.maxui
// CHECK: arith.divui
// CHECK: arith.ceildivui
// CHECK: arith.extui
func.func @known(%i: i32) -> (i32, i32, i1, i32, i32, i32, i64) {
  %c15 = arith.constant 15 : i32
  %c3 = arith.constant 3 : i32
  %a = arith.andi %i, %c15 : i32
  %0 = arith.divsi %a, %c3 : i32
  %1 = arith.remsi %a, %c3 : i32
  %2 = arith.cmpi slt, %a, %c3 : i32
  %3 = arith.maxsi %a, %c3 : i32
  %4 = arith.floordivsi %a, %c3 : i32
  %5 = arith.ceildivsi %a, %c3 : i32
  %6 = arith.extsi %a : i32 to i64
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i1, i32, i32, i32, i64
}
// CHECK-LABEL: func.func @unknown
// CHECK: arith.divsi
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi eq
func.func @unknown(%i: i32) -> (i32, i1, i1) {
  %c15 = arith.constant 15 : i32
  %0 = arith.divsi %i, %c15 : i32
  %1 = arith.cmpi sge, %i, %c15 : i32
  %2 = arith.cmpi eq, %c15, %c15 : i32
  return %0, %1, %2 : i32, i1, i1
}
