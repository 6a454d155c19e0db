// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s --limit-errors=1 2>&1 | FileCheck %s
// CHECK: error: 'arith.addi' op
// CHECK: too many errors: the rest is not shown (--limit-errors)
// CHECK-NOT: error:
func.func @f(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}
func.func @g(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}
func.func @h(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}
