// RUN: mlc-opt %s --canonicalize | FileCheck %s
func.func private @use(i1, i32)
// Both ways lead to a block with no other way to it: its arguments are selects.
// CHECK-LABEL: func.func @same_block
// CHECK-NEXT: %[[R:.*]] = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT: return %[[R]]
func.func @same_block(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^b(%x : i32), ^b(%y : i32)
^b(%r: i32):
  return %r : i32
}
// What the condition is, is known where only one way leads, and for a branch there that asks again.
// CHECK-LABEL: func.func @known
// CHECK-DAG: %[[NO:.*]] = arith.constant false
// CHECK-DAG: %[[YES:.*]] = arith.constant true
// CHECK: cf.cond_br %arg0, ^[[T:.*]], ^[[F:.*]]
// CHECK: ^[[T]]:
// CHECK-NEXT: call @use(%[[YES]], %arg1)
// CHECK-NEXT: return
// CHECK: ^[[F]]:
// CHECK-NEXT: call @use(%[[NO]], %arg1)
// CHECK-NEXT: return
func.func @known(%c: i1, %x: i32) {
  cf.cond_br %c, ^t, ^f
^t:
  call @use(%c, %x) : (i1, i32) -> ()
  cf.cond_br %c, ^end, ^f2
^f:
  call @use(%c, %x) : (i1, i32) -> ()
  cf.br ^f2
^f2:
  return
^end:
  return
}
// Another way leads to the block: nothing is known.
// CHECK-LABEL: func.func @unknown
// CHECK: ^[[T:.*]]:
// CHECK-NEXT: call @use(%arg0, %arg1)
func.func @unknown(%c: i1, %x: i32) {
  cf.cond_br %c, ^t, ^f
^t:
  call @use(%c, %x) : (i1, i32) -> ()
  return
^f:
  call @use(%c, %x) : (i1, i32) -> ()
  cf.br ^t
}
