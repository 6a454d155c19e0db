// RUN: mlc-opt %s --canonicalize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry count > %t.before && mlc-opt %s --canonicalize -o %t.mlir && mlc-opt %t.mlir --interpret --entry count | diff %t.before -
// Of five values only the counter is left.
// CHECK-LABEL: func.func @count
// CHECK: %[[R:.*]] = scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK: scf.condition(%{{.*}}) %[[I]] : i32
// CHECK: ^bb0(%[[J:.*]]: i32):
// CHECK: scf.yield %{{.*}} : i32
// CHECK: return %[[R]]
func.func @count() -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %r:4 = scf.while (%i = %c0, %n = %c9, %u = %c0) : (i32, i32, i32) -> (i32, i32, i32, i1) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %n, %i, %i, %more : i32, i32, i32, i1
  } do {
  ^bb0(%m: i32, %j: i32, %k: i32, %yes: i1):
    %step = arith.select %yes, %c1, %c9 : i32
    %next = arith.addi %k, %step : i32
    scf.yield %next, %m, %j : i32, i32, i32
  }
  return %r#2 : i32
}
