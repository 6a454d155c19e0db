// RUN: mlc-opt %s --canonicalize --cse --threads=1 > %t.1
// RUN: mlc-opt %s --canonicalize --cse --threads=2 | diff %t.1 -
// RUN: mlc-opt %s --canonicalize --cse --threads=3 | diff %t.1 -
// RUN: mlc-opt %s "--pass-pipeline=builtin.module(any(canonicalize,cse))" --threads=1 | diff %t.1 -
// RUN: mlc-opt %s --log-actions-to=%t.log --canonicalize --cse | diff %t.1 -
// RUN: FileCheck %s < %t.1
// RUN: FileCheck %s --check-prefix=ONCE < %t.log
// On a module the passes work on isolated ops one by one: each has its own constants and table, and the result is the
// same in any number of threads, and where actions are watched: then the module is swept as a whole.

// CHECK-LABEL: func.func @first
// CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %{{.*}}, %[[FIVE]]
// CHECK-NEXT: return %[[SUM]], %[[SUM]]
func.func @first(%x: i32) -> (i32, i32) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %five = arith.addi %two, %three : i32
  %a = arith.addi %x, %five : i32
  %b = arith.addi %five, %x : i32
  return %a, %b : i32, i32
}

// CHECK-LABEL: module @inner
module @inner {
  // CHECK: func.func @second
  // CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5 : i32
  // CHECK-NEXT: return %[[FIVE]]
  func.func @second() -> i32 {
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %five = arith.addi %two, %three : i32
    return %five : i32
  }
  // CHECK: func.func @third
  // CHECK-NEXT: return
  func.func @third() {
    %unused = arith.constant 2 : i32
    return
  }
}

// ONCE-COUNT-2: begins `greedy-iteration`
// ONCE-NOT: begins `greedy-iteration`
