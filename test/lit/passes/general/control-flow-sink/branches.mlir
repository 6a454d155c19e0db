// RUN: mlc-opt %s --control-flow-sink --allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s --control-flow-sink --allow-unregistered-dialect | mlc-opt --control-flow-sink --allow-unregistered-dialect | FileCheck %s
// What one branch alone needs goes there, with what it needs itself; what reads memory stays.

// CHECK-LABEL: func.func @sinks
// CHECK-NEXT: arith.constant 0 : index
// CHECK-NEXT: %[[READ:.*]] = memref.load
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg1, %arg2
// CHECK-NEXT: arith.muli %[[SUM]], %arg1
// CHECK: } else {
// CHECK-NEXT: %[[DIFF:.*]] = arith.subi
// CHECK-NEXT: arith.addi %[[DIFF]], %[[READ]]
func.func @sinks(%c: i1, %x: i32, %y: i32, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %sum = arith.addi %x, %y : i32
  %product = arith.muli %sum, %x : i32
  %difference = arith.subi %x, %y : i32
  %read = memref.load %m[%c0] : memref<4xi32>
  %r = scf.if %c -> i32 {
    scf.yield %product : i32
  } else {
    %t = arith.addi %difference, %read : i32
    scf.yield %t : i32
  }
  return %r : i32
}

// Loops run their body more than once; an op that both branches use stays.
// CHECK-LABEL: func.func @stays
// CHECK: arith.muli
// CHECK: scf.for
// CHECK: arith.addi
// CHECK: scf.if
func.func @stays(%c: i1, %x: i32, %n: index) {
  %in_loop = arith.muli %x, %x : i32
  scf.for %i = %n to %n step %n {
    "test.use"(%in_loop) : (i32) -> ()
  }
  %in_both = arith.addi %x, %x : i32
  scf.if %c {
    "test.use"(%in_both) : (i32) -> ()
  } else {
    "test.use"(%in_both) : (i32) -> ()
  }
  return
}
