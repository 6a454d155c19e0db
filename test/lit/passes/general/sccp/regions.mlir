// RUN: mlc-opt %s --sccp | FileCheck %s
// Control flow between regions is followed as that between blocks is.

// CHECK-LABEL: func.func @if_known
// CHECK: %[[C:.*]] = arith.constant 10 : i32
// CHECK: return %[[C]], %arg0
func.func @if_known(%x: i32) -> (i32, i32) {
  %no = arith.constant false
  %five = arith.constant 5 : i32
  %r:2 = scf.if %no -> (i32, i32) {
    scf.yield %x, %five : i32, i32
  } else {
    %ten = arith.addi %five, %five : i32
    scf.yield %ten, %x : i32, i32
  }
  return %r#0, %x : i32, i32
}

// CHECK-LABEL: func.func @loop_carried
// CHECK: %[[C:.*]] = arith.constant 5 : i32
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: return %[[C]], %[[R]]#1
func.func @loop_carried(%n: index) -> (i32, i32) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %r:2 = scf.for %i = %zero to %n step %step iter_args(%same = %five, %grows = %five) -> (i32, i32) {
    %one = arith.constant 1 : i32
    %more = arith.addi %grows, %one : i32
    %again = arith.muli %same, %one : i32
    scf.yield %again, %more : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// The body never runs.
// CHECK-LABEL: func.func @while_false
// CHECK: %[[C:.*]] = arith.constant 5 : i32
// CHECK: return %[[C]]
func.func @while_false() -> i32 {
  %no = arith.constant false
  %five = arith.constant 5 : i32
  %r = scf.while (%a = %five) : (i32) -> i32 {
    scf.condition(%no) %a : i32
  } do {
  ^bb0(%b: i32):
    %c = arith.addi %b, %five : i32
    scf.yield %c : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @switch_known
// CHECK: %[[C:.*]] = arith.constant 7 : i32
// CHECK: return %[[C]]
func.func @switch_known(%x: i32) -> i32 {
  %two = arith.constant 2 : index
  %r = scf.index_switch %two -> i32
  case 2 {
    %seven = arith.constant 7 : i32
    scf.yield %seven : i32
  }
  default {
    scf.yield %x : i32
  }
  return %r : i32
}

// One iteration: the values of the second are never seen.
// CHECK-LABEL: func.func @affine_once
// CHECK: %[[C:.*]] = arith.constant 1 : index
// CHECK: return %[[C]]
func.func @affine_once() -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = affine.for %i = 0 to 1 iter_args(%a = %zero, %b = %one) -> (index, index) {
    affine.yield %b, %a : index, index
  }
  return %r#0 : index
}
