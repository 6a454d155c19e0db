// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Constants stand on the right; the predicate turns round.
// CHECK-LABEL: func.func @compare
// CHECK: arith.cmpi sgt, %arg0, %c3_i32 : i32
// CHECK: arith.cmpi uge, %arg0, %c3_i32 : i32
// CHECK: arith.cmpi eq, %arg0, %c3_i32 : i32
func.func @compare(%x: i32) -> (i1, i1, i1) {
  %c3 = arith.constant 3 : i32
  %a = arith.cmpi slt, %c3, %x : i32
  %b = arith.cmpi ule, %c3, %x : i32
  %c = arith.cmpi eq, %c3, %x : i32
  return %a, %b, %c : i1, i1, i1
}
