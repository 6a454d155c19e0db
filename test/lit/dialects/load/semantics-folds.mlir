// RUN: mlc-opt %s --load-dialect=%S/Inputs/flow.yaml --canonicalize | FileCheck %s
// Loops of no or one round, values that stay, and conditions that are known fold away.
// CHECK-LABEL: func.func @rounds
// CHECK-NEXT: %[[ONCE:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: %[[TOO:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: return %arg0, %[[ONCE]], %[[TOO]], %arg0
func.func @rounds(%x: i32) -> (i32, i32, i32, i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %i1 = arith.constant 1 : index
  %a = flow.repeat %zero with %x : i32 -> i32 of index {
  ^bb0(%v: i32):
    %w = arith.muli %v, %v : i32
    flow.give %w : i32
  }
  %b = flow.repeat %one with %x : i32 -> i32 of i64 {
  ^bb0(%v: i32):
    %w = arith.muli %v, %v : i32
    flow.give %w : i32
  }
  %c = "flow.for"(%zero, %i1, %i1, %x) ({
  ^bb0(%i: index, %v: i32):
    %w = arith.muli %v, %v : i32
    flow.give %w : i32
  }) : (index, index, index, i32) -> i32
  %d = "flow.for"(%i1, %zero, %i1, %x) ({
  ^bb0(%i: index, %v: i32):
    %w = arith.muli %v, %v : i32
    flow.give %w : i32
  }) : (index, index, index, i32) -> i32
  return %a, %b, %c, %d : i32, i32, i32, i32
}

// CHECK-LABEL: func.func @stays
// CHECK: %[[R:.*]] = flow.repeat %arg1 with %arg0 : i32 -> i32 of index {
// CHECK-NEXT: ^bb0(%[[V:.*]]: i32):
// CHECK-NEXT: arith.addi %[[V]], %arg0
// CHECK: return %arg0, %[[R]]
func.func @stays(%x: i32, %n: index) -> (i32, i32) {
  %a:2 = flow.repeat %n with %x, %x : i32, i32 -> i32, i32 of index {
  ^bb0(%v: i32, %w: i32):
    %s = arith.addi %w, %v : i32
    flow.give %v, %s : i32, i32
  }
  return %a#0, %a#1 : i32, i32
}

// CHECK-LABEL: func.func @known
// CHECK-NEXT: call @effect
// CHECK-NEXT: return %arg0
func.func private @effect()
func.func @known(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  %false = arith.constant false
  flow.when %true {
    func.call @effect() : () -> ()
    flow.give
  }
  flow.when %false {
    func.call @effect() : () -> ()
    flow.give
  }
  %r = flow.if %true of i1 {
    flow.give %x : i32
  } else {
    flow.give %y : i32
  }
  return %r : i32
}
