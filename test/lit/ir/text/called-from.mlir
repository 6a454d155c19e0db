// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// CHECK: x.py:1:2: error: 'arith.addi' op
// CHECK: y.py:3:4: note: called from
// CHECK: z.py:5:6: note: called from
func.func @f(%a: i32, %b: i64) {
  %0 = "arith.addi"(%a, %b) : (i32, i64) -> i32 loc(callsite("x.py":1:2 at callsite("y.py":3:4 at "z.py":5:6)))
  return
}
