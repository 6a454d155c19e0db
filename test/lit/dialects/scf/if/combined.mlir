// RUN: mlc-opt %s --canonicalize | FileCheck %s
func.func private @a(i32)
func.func private @b() -> i32
// Neighbours on the same condition, or on its opposite, become one; inside, the condition and what the first yielded are known.
// CHECK-LABEL: func.func @neighbours
// CHECK: %[[R:.*]] = scf.if %arg0 -> (i32) {
// CHECK-NEXT: %[[V:.*]] = func.call @b()
// CHECK-NEXT: func.call @a(%[[V]])
// CHECK-NEXT: scf.yield %[[V]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg1
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
func.func @neighbours(%c: i1, %x: i32) -> i32 {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %r = scf.if %c -> i32 {
    %v = func.call @b() : () -> i32
    scf.yield %v : i32
  } else {
    scf.yield %x : i32
  }
  scf.if %not {
  } else {
    scf.if %c {
      func.call @a(%r) : (i32) -> ()
    }
  }
  return %r : i32
}
// Something stands between: they stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: scf.if
func.func @apart(%c: i1, %x: i32) {
  scf.if %c {
    func.call @a(%x) : (i32) -> ()
  }
  call @a(%x) : (i32) -> ()
  scf.if %c {
    func.call @a(%x) : (i32) -> ()
  }
  return
}
