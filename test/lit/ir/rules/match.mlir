// RUN: mlc-opt --load-rules=%S/Inputs/match.rules --canonicalize %s | FileCheck %s
// What a pattern can ask, and what a result can be made of.
// CHECK-LABEL: @either_order(%arg0: i8, %arg1: i8)
// CHECK: arith.ori %arg0, %arg1
func.func @either_order(%x: i8, %y: i8) -> i8 {
  %a = arith.andi %x, %y : i8
  %b = arith.xori %y, %x : i8
  %c = arith.addi %a, %b : i8
  return %c : i8
}

// CHECK-LABEL: @shared(
// CHECK: %[[LESS:.*]] = arith.subi %arg0, %c1_i8
// CHECK: arith.muli %[[LESS]], %arg1
func.func @shared(%x: i8, %y: i8) -> i8 {
  %m = arith.muli %x, %y : i8
  %d = arith.subi %m, %y : i8
  return %d : i8
}

// CHECK-LABEL: @used_twice(
// CHECK: arith.muli %arg0, %arg1
func.func @used_twice(%x: i8, %y: i8) -> (i8, i8) {
  %m = arith.muli %x, %y : i8
  %d = arith.subi %m, %y : i8
  return %d, %m : i8, i8
}

// CHECK-LABEL: @constants(
// CHECK: %[[C:.*]] = arith.constant dense<[6, 15]>
// CHECK: arith.divui %arg0, %[[C]] : vector<2xi8>
func.func @constants(%x: vector<2xi8>) -> vector<2xi8> {
  %a = arith.constant dense<3> : vector<2xi8>
  %b = arith.constant dense<[2, 5]> : vector<2xi8>
  %c = arith.divui %x, %a : vector<2xi8>
  %d = arith.divui %c, %b : vector<2xi8>
  return %d : vector<2xi8>
}

// One lane is too big for the guard.
// CHECK-LABEL: @guard(
// CHECK-COUNT-2: arith.divui
func.func @guard(%x: vector<2xi8>) -> vector<2xi8> {
  %a = arith.constant dense<3> : vector<2xi8>
  %b = arith.constant dense<[2, 50]> : vector<2xi8>
  %c = arith.divui %x, %a : vector<2xi8>
  %d = arith.divui %c, %b : vector<2xi8>
  return %d : vector<2xi8>
}

// CHECK-LABEL: @predicate(
// CHECK: arith.cmpi sle, %arg0, %c0_i8
func.func @predicate(%x: i8) -> i1 {
  %one = arith.constant 1 : i8
  %c = arith.cmpi slt, %x, %one : i8
  return %c : i1
}

// CHECK-LABEL: @flags(
// CHECK: arith.shli %arg0, %c2_i8 overflow<nuw> : i8
func.func @flags(%x: i8) -> i8 {
  %one = arith.constant 1 : i8
  %a = arith.shli %x, %one overflow<nsw, nuw> : i8
  %b = arith.shli %a, %one overflow<nuw> : i8
  return %b : i8
}

// CHECK-LABEL: @types(
// CHECK: arith.extui %arg0 : i8 to i32
func.func @types(%x: i8) -> i32 {
  %a = arith.extui %x : i8 to i16
  %b = arith.extsi %a : i16 to i32
  return %b : i32
}

// CHECK-LABEL: @benefit(
// CHECK: %[[LATE:.*]] = arith.subi %arg1, %{{.*}} : i16
// CHECK: return %arg0, %[[LATE]]
func.func @benefit(%x: i8, %y: i16) -> (i8, i16) {
  %least = arith.constant -128 : i8
  %a = arith.remsi %x, %least : i8
  %least16 = arith.constant -32768 : i16
  %b = arith.remsi %y, %least16 : i16
  return %a, %b : i8, i16
}

// CHECK-LABEL: @two_results(
// CHECK: %[[SUM:.*]] = arith.subi %arg0, %c1_i8
// CHECK: %[[CARRY:.*]] = arith.cmpi ne, %arg0, %c0_i8
// CHECK: return %[[SUM]], %[[CARRY]]
func.func @two_results(%x: i8) -> (i8, i1) {
  %ones = arith.constant -1 : i8
  %a, %b = arith.addui_extended %x, %ones : i8, i1
  return %a, %b : i8, i1
}
