// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A select inside a select of the same condition has been decided.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg1, %arg3 : i32
// CHECK-NEXT: return %[[S]]
func.func @nested(%c: i1, %x: i32, %y: i32, %z: i32) -> i32 {
  %inner = arith.select %c, %x, %y : i32
  %other = arith.select %c, %y, %z : i32
  %r = arith.select %c, %inner, %other : i32
  return %r : i32
}
