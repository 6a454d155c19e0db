// RUN: mlc-opt %s --remove-dead-values --allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s --remove-dead-values --allow-unregistered-dialect | mlc-opt --remove-dead-values --allow-unregistered-dialect | FileCheck %s

// An argument that only feeds a result nobody uses goes, with the result, at every call.
// CHECK-LABEL: func.func private @callee(%arg0: i32 {test.kept}) -> i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: return %[[SUM]] : i32
func.func private @callee(%a: i32, %b: i32 {test.kept}) -> (i32, i32) {
  %sum = arith.addi %b, %b : i32
  %product = arith.muli %a, %a : i32
  return %sum, %product : i32, i32
}
// CHECK-LABEL: func.func @caller
// CHECK-NEXT: %[[R:.*]] = call @callee(%arg1) : (i32) -> i32
// CHECK-NEXT: return %[[R]]
func.func @caller(%x: i32, %y: i32) -> i32 {
  %r:2 = call @callee(%x, %y) : (i32, i32) -> (i32, i32)
  %dead = arith.addi %x, %y : i32
  %dead_too = arith.addi %dead, %y : i32
  return %r#0 : i32
}

// Of three carried values one is wanted, and it needs the second; the third goes with its operand.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg1, %[[B:.*]] = %arg2) -> (i32, i32) {
// CHECK: %[[NA:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: %[[NB:.*]] = arith.muli %[[B]]
// CHECK: scf.yield %[[NA]], %[[NB]]
func.func @loop(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %x) -> (i32, i32, i32) {
    %na = arith.addi %a, %b : i32
    %nb = arith.muli %b, %x : i32
    %nc = arith.addi %c, %x : i32
    scf.yield %na, %nb, %nc : i32, i32, i32
  }
  %unused = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %na = arith.addi %a, %x : i32
    scf.yield %na : i32
  }
  return %r#0 : i32
}

// What touches memory stays, without its result.
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "test.effect"() : () -> ()
// CHECK-NEXT: }
func.func @effects(%c: i1, %x: i32) {
  %r = scf.if %c -> i32 {
    "test.effect"() : () -> ()
    scf.yield %x : i32
  } else {
    %t = arith.addi %x, %x : i32
    scf.yield %t : i32
  }
  return
}

// The calls of a private function are in its own symbol table.
// CHECK: module {
// CHECK: func.func private @unused_argument(%{{.*}}: i32) -> i32
// CHECK: call @unused_argument(%{{.*}}) : (i32) -> i32
module {
  func.func private @unused_argument(%a: i32, %b: i32) -> i32 {
    return %b : i32
  }
  func.func @caller(%a: i32) -> i32 {
    %0 = call @unused_argument(%a, %a) : (i32, i32) -> i32
    return %0 : i32
  }
}
