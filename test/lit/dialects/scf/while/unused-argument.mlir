// RUN: mlc-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s
// A result that nobody uses goes, also where it is passed an argument of the first block, which goes
// with its block.
// CHECK-LABEL: func.func @count(
// CHECK: %[[R:.*]] = scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK: scf.condition(%{{.*}}) %[[I]] : i32
// CHECK: ^bb0(%[[J:.*]]: i32):
// CHECK: %[[NEXT:.*]] = arith.muli %[[J]], %[[J]]
// CHECK: scf.yield %[[NEXT]] : i32
// CHECK: return %[[R]] : i32
func.func @count(%start: i32, %limit: i32, %x: f32) -> i32 {
  %r:2 = scf.while (%i = %start, %y = %x) : (i32, f32) -> (f32, i32) {
    %low = arith.cmpi slt, %i, %limit : i32
    scf.condition(%low) %y, %i : f32, i32
  } do {
  ^bb0(%unused: f32, %j: i32):
    %next = arith.muli %j, %j : i32
    %z = "test.make"() : () -> f32
    scf.yield %next, %z : i32, f32
  }
  return %r#1 : i32
}
