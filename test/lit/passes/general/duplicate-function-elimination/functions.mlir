// RUN: mlc-opt %s --duplicate-function-elimination --split-input-file | FileCheck %s
// Loops in the graph of blocks compare like straight code; references of any kind follow.
// CHECK: func.func private @first
// CHECK-NOT: @second
// CHECK: func.func private @other
// CHECK: call @first
// CHECK: call @first
// CHECK: call @other
// CHECK: constant @first
func.func private @first(%n: index) -> index {
  %c1 = arith.constant 1 : index
  cf.br ^loop(%n : index)
^loop(%i: index):
  %next = arith.addi %i, %c1 : index
  %again = arith.cmpi slt, %next, %n : index
  cf.cond_br %again, ^loop(%next : index), ^end
^end:
  return %next : index
}
func.func private @second(%n: index) -> index {
  %c1 = arith.constant 1 : index
  cf.br ^loop(%n : index)
^loop(%i: index):
  %next = arith.addi %i, %c1 : index
  %again = arith.cmpi slt, %next, %n : index
  cf.cond_br %again, ^loop(%next : index), ^end
^end:
  return %next : index
}
func.func private @other(%n: index) -> index {
  %c1 = arith.constant 1 : index
  cf.br ^loop(%n : index)
^loop(%i: index):
  %next = arith.addi %i, %c1 : index
  %again = arith.cmpi slt, %next, %n : index
  cf.cond_br %again, ^end, ^loop(%next : index)
^end:
  return %next : index
}
func.func @use(%n: index) -> index {
  %0 = call @second(%n) : (index) -> index
  %1 = call @first(%0) : (index) -> index
  %2 = call @other(%1) : (index) -> index
  %f = func.constant @second : (index) -> index
  %3 = call_indirect %f(%2) : (index) -> index
  return %3 : index
}

// -----

// Declarations, attributes and visibility count.
// CHECK-COUNT-5: func.func
func.func private @a(i32)
func.func private @b(i32, i32)
func.func private @c(%x: i32) { return }
func.func private @d(%x: i32) attributes {llvm.emit_c_interface} { return }
func.func @e(%x: i32) { return }

// -----

// Callers that are equal once what they call is one function, whichever comes first.
// CHECK: func.func private @caller_a
// CHECK-NOT: @caller_b
// CHECK: func.func private @leaf_a
// CHECK-NOT: @leaf_b
// CHECK: call @caller_a
// CHECK: call @caller_a
func.func private @caller_a(%x: i32) -> i32 {
  %0 = call @leaf_a(%x) : (i32) -> i32
  return %0 : i32
}
func.func private @caller_b(%x: i32) -> i32 {
  %0 = call @leaf_b(%x) : (i32) -> i32
  return %0 : i32
}
func.func private @leaf_a(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func private @leaf_b(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @main(%x: i32) -> i32 {
  %0 = call @caller_a(%x) : (i32) -> i32
  %1 = call @caller_b(%0) : (i32) -> i32
  return %1 : i32
}
