// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// What a diagnostic quotes of an op names values as in its function alone: those before it are the business of other
// threads.
// CHECK: error: 'arith.addi' op requires the same type for all operands and results
// CHECK: note: see current operation: %0 = "arith.addi"(%arg0, %arg0)
func.func @before(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %b : i32
  return %1 : i32
}

func.func @here(%a: i32) -> i64 {
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  return %0 : i64
}
