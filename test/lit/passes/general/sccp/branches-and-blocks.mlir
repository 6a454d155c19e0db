// RUN: mlc-opt %s --sccp | FileCheck %s
// RUN: mlc-opt %s --sccp | mlc-opt --sccp | FileCheck %s
// A block argument is constant if all live edges bring the same constant; dead edges do not count.

// CHECK-LABEL: func.func @same_from_both
// CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK: return %[[C]]
func.func @same_from_both(%cond: i1) -> i32 {
  %one = arith.constant 1 : i32
  cf.cond_br %cond, ^left(%one : i32), ^join(%one : i32)
^left(%passed: i32):
  cf.br ^join(%passed : i32)
^join(%result: i32):
  return %result : i32
}

// CHECK-LABEL: func.func @dead_edge
// CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK: return %[[C]]
func.func @dead_edge(%unknown: i32) -> i32 {
  %taken = arith.constant true
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %taken, ^join(%one : i32), ^other
^other:
  cf.br ^join(%unknown : i32)
^join(%value: i32):
  %sum = arith.addi %value, %two : i32
  return %sum : i32
}

// A value that a loop carries around unchanged is constant; a counter is not.
// CHECK-LABEL: func.func @loop
// CHECK: %[[C:.*]] = arith.constant 7 : i32
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: i32)
// CHECK: arith.cmpi slt, %[[I]]
// CHECK: return %[[C]], %[[I]]
func.func @loop(%n: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  cf.br ^head(%zero, %seven : i32, i32)
^head(%i: i32, %k: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %one : i32
  %same = arith.muli %k, %one : i32
  cf.br ^head(%next, %same : i32, i32)
^exit:
  return %k, %i : i32, i32
}
