// RUN: mlc-opt --canonicalize %s | FileCheck %s
// A choice between zero and one, by a negated condition, by an equality, or with poison.
// CHECK-LABEL: @select(%arg0: i1, %arg1: i32, %arg2: i32)
// CHECK-DAG: %[[A:.*]] = arith.extui %arg0 : i1 to i32
// CHECK-DAG: %[[B:.*]] = arith.select %arg0, %arg2, %arg1 : i32
// CHECK: return %[[A]], %[[B]], %arg2, %arg1
func.func @select(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %poison = ub.poison : i32
  %a = arith.select %c, %one, %zero : i32
  %n = arith.xori %c, %true : i1
  %b = arith.select %n, %x, %y : i32
  %e = arith.cmpi eq, %x, %y : i32
  %d = arith.select %e, %x, %y : i32
  %f = arith.select %c, %x, %poison : i32
  return %a, %b, %d, %f : i32, i32, i32, i32
}

// CHECK-LABEL: @poison(
// CHECK: %[[POISON:.*]] = ub.poison : i32
// CHECK: %[[SHIFT:.*]] = arith.shli %arg0, %[[POISON]]
// CHECK: return %[[POISON]], %[[POISON]], %[[SHIFT]]
func.func @poison(%x: i32) -> (i32, i32, i32) {
  %poison = ub.poison : i32
  %a = arith.addi %poison, %x : i32
  %f = ub.poison : f32
  %b = arith.fptosi %f : f32 to i32
  %c = arith.shli %x, %poison : i32
  return %a, %b, %c : i32, i32, i32
}

// An index is no integer that a truth value can be extended to.
// CHECK-LABEL: @index(%arg0: i1)
// CHECK: arith.index_castui %arg0 : i1 to index
func.func @index(%c: i1) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = arith.select %c, %one, %zero : index
  return %a : index
}
