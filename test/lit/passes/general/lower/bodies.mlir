// Regions that rules write, look into, and put in the place of a value.
// RUN: mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/bodies.rules %s --lower=by=bodies --split-input-file | FileCheck %s
// CHECK-LABEL: @counted(%arg0: index, %arg1: i64)
// CHECK-NEXT: scf.execute_region -> i64 {
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %c0 to %arg0 step %c1 iter_args(%[[V:.*]] = %arg1) -> (i64) {
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %arg0
// CHECK-NEXT: %[[NEXT:.*]] = scf.if %[[LESS]] -> (i64) {
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[V]], %arg1
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[V]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: scf.yield %[[LOOP]]
func.func @counted(%n: index, %x: !loopy.money) -> !loopy.money {
  %0 = "loopy.counted"(%n, %x) ({
  ^bb0(%v: !loopy.money):
    %1 = "loopy.add"(%v, %x) : (!loopy.money, !loopy.money) -> !loopy.money
    "loopy.yield"(%1) : (!loopy.money) -> ()
  }) : (index, !loopy.money) -> !loopy.money
  return %0 : !loopy.money
}

// -----

// CHECK-LABEL: @when(%arg0: i1, %arg1: i64)
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg1, %arg1 : i64
// CHECK-NEXT: call @multiply(%[[SUM]], %arg1) : (i64, i64) -> i64
// CHECK-NEXT: return %[[SUM]], %arg1
// CHECK: func.func private @multiply(i64, i64) -> i64
func.func @when(%c: i1, %x: !loopy.money) -> (!loopy.money, !loopy.money) {
  %0:2 = "loopy.when"(%c) ({
    %1 = "loopy.add"(%x, %x) : (!loopy.money, !loopy.money) -> !loopy.money
    "loopy.yield"(%1, %x) : (!loopy.money, !loopy.money) -> ()
  }, {
    "loopy.yield"(%x, %x) : (!loopy.money, !loopy.money) -> ()
  }) : (i1) -> (!loopy.money, !loopy.money)
  "loopy.when"(%c) ({
    %1 = "loopy.product"(%0#0, %x) : (!loopy.money, !loopy.money) -> !loopy.money
    "loopy.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return %0#0, %0#1 : !loopy.money, !loopy.money
}

// -----

// CHECK-LABEL: @each(%arg0: i64)
// CHECK-NEXT: %[[C:.*]] = arith.constant 7
// CHECK-NEXT: %[[FIRST:.*]] = arith.addi %[[C]], %arg0
// CHECK-NEXT: %[[SQUARE:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: %[[OTHER:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg0, %[[OTHER]]
// CHECK-NEXT: return %[[FIRST]], %[[SQUARE]], %[[SUM]], %arg0
func.func @each(%x: i64) -> (i64, i64, i64, i64) {
  %0 = "loopy.each"(%x) ({
  ^bb0(%a: i64):
    %c = arith.constant 7 : i64
    %1 = "loopy.add"(%c, %a) : (i64, i64) -> i64
    "loopy.yield"(%1) : (i64) -> ()
  }) : (i64) -> i64
  %2 = "loopy.each"(%x) ({
  ^bb0(%a: i64):
    %1 = "loopy.add"(%a, %a) : (i64, i64) -> i64
    %3 = arith.muli %1, %1 : i64
    "loopy.yield"(%3) : (i64) -> ()
  }) : (i64) -> i64
  %4 = "loopy.each"(%x) ({
  ^bb0(%a: i64):
    %1 = arith.muli %a, %a : i64
    %3 = "loopy.add"(%a, %1) : (i64, i64) -> i64
    "loopy.yield"(%3) : (i64) -> ()
  }) : (i64) -> i64
  %5 = "loopy.each"(%x) ({
  ^bb0(%a: i64):
    %6 = "loopy.each"(%a) ({
    ^bb0(%b: i64):
      "loopy.yield"(%b) : (i64) -> ()
    }) : (i64) -> i64
    "loopy.yield"(%6) : (i64) -> ()
  }) : (i64) -> i64
  return %0, %2, %4, %5 : i64, i64, i64, i64
}
