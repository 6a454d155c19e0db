// RUN: mlc-opt --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s --lower=by=wide | FileCheck %s
// An op may become itself with other types; those that have them already stay.
// CHECK-LABEL: func.func @f(%arg0: i64, %arg1: i64, %arg2: i1, %arg3: i8) -> (i64, i8)
// CHECK: %[[S:.*]] = arith.select %arg2, %arg0, %arg1 : i64
// CHECK: %[[C1:.*]] = arith.constant 1 : i64
// CHECK: %[[D:.*]] = arith.subi %[[S]], %[[C1]] : i64
// CHECK: %[[A:.*]] = arith.addi %arg0, %[[D]] : i64
// CHECK: %[[B:.*]] = arith.addi %arg3, %arg3 : i8
// CHECK: return %[[A]], %[[B]] : i64, i8
func.func @f(%x: i32, %y: i32, %c: i1, %z: i8) -> (i32, i8) {
  %s = arith.select %c, %x, %y : i32
  %d = arith.subi %s, %x : i32
  %b = arith.addi %z, %z : i8
  return %d, %b : i32, i8
}
