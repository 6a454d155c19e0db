// RUN: mlc-opt %s --load-dialect=%root/test/lit/dialects/load/Inputs/flow.yaml --lower-semantics -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mlc-opt %t.mlir --load-dialect=%root/test/lit/dialects/load/Inputs/flow.yaml --lower-semantics | diff %t.mlir -
// Each op becomes the one of scf or func that means the same. What ends a region of an op that stays is left alone.
// CHECK-LABEL: func.func private @f(%arg0: i32 {my.note = 1 : i32}) -> i32 {
// CHECK-NEXT: return %arg0 : i32
flow.def private @f(%x: i32 {my.note = 1 : i32}) -> i32 {
  flow.give %x : i32
}
// CHECK: func.func private @g(i32) -> i32
flow.def private @g(%x: i32) -> i32
// CHECK-LABEL: func.func @loops
// CHECK: %[[C0:.*]] = arith.constant 0 : i64
// CHECK: %[[C1:.*]] = arith.constant 1 : i64
// CHECK: scf.for %{{.*}} = %[[C0]] to %arg0 step %[[C1]] iter_args(%[[V:.*]] = %arg1) -> (i32)  : i64 {
// CHECK-NEXT: call @g(%[[V]])
// CHECK: scf.yield
// CHECK: scf.for %[[I:.*]] = %arg2 to %arg2 step %arg2 {
// CHECK-NEXT: index.add %[[I]], %arg2
func.func @loops(%n: i64, %x: i32, %i: index) -> i32 {
  %r = flow.repeat %n with %x : i32 -> i32 of i64 {
  ^bb0(%v: i32):
    %w = flow.call @g(%v) : (i32) -> i32
    flow.give %w : i32
  }
  "flow.for"(%i, %i, %i) ({
  ^bb0(%k: index):
    %s = index.add %k, %i
    flow.give
  }) : (index, index, index) -> ()
  return %r : i32
}
// CHECK-LABEL: func.func @conditions
// CHECK: scf.if %arg0 {
// CHECK-NOT: else
// CHECK: flow.hold {
// CHECK-NEXT: flow.give
// CHECK: scf.if %arg0 {
// CHECK: } else {
func.func @conditions(%c: i1) {
  flow.when %c {
    flow.hold {
      flow.give
    }
    flow.give
  }
  flow.if %c of i1 {
    func.call @loops2() : () -> ()
    flow.give
  } else {
    func.call @loops2() : () -> ()
    flow.give
  }
  return
}
func.func private @loops2()
