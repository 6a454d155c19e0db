// RUN: mlc-opt %s --loop-invariant-code-motion --allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s --loop-invariant-code-motion --allow-unregistered-dialect | mlc-opt --loop-invariant-code-motion --allow-unregistered-dialect | FileCheck %s

// What does not depend on a loop leaves it, through all loops that it does not depend on.
// CHECK-LABEL: func.func @nest
// CHECK: %[[A:.*]] = arith.addf
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store %[[B]], %{{.*}}[%[[NEXT]]]
func.func @nest(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = arith.addf %x, %x : f32
      %b = arith.mulf %a, %a : f32
      %next = arith.addi %i, %c1 : index
      memref.store %b, %m[%next] : memref<?xf32>
    }
  }
  return
}

// A division may trap where the loop does not run at all; one by a constant that is not 0 or -1 cannot.
// CHECK-LABEL: func.func @division
// CHECK: %[[SAFE:.*]] = arith.divsi %{{.*}}, %c7_i32
// CHECK: scf.for
// CHECK: %[[RISKY:.*]] = arith.divsi
// CHECK: %[[MINUS:.*]] = arith.divsi %{{.*}}, %c-1_i32
// CHECK: "test.use"(%[[SAFE]], %[[RISKY]], %[[MINUS]])
func.func @division(%n: index, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %minus = arith.constant -1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %safe = arith.divsi %x, %c7 : i32
    %risky = arith.divsi %x, %y : i32
    %wraps = arith.divsi %x, %minus : i32
    "test.use"(%safe, %risky, %wraps) : (i32, i32, i32) -> ()
  }
  return
}

// Ops with regions move whole; a loop only if it is sure to end, and an op only if it says that its regions alone decide.
// CHECK-LABEL: func.func @regions
// CHECK: affine.if
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK: scf.while
// CHECK: scf.if
// CHECK: memref.load
// CHECK: scf.for {{.*}} step %c3 iter_args
func.func @regions(%n: index, %x: f32, %cond: i1, %m: memref<8xf32>, %go: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
      %a = arith.addf %x, %x : f32
      affine.yield %a : f32
    } else {
      affine.yield %x : f32
    }
    %stays = scf.if %cond -> f32 {
      scf.yield %r : f32
    } else {
      scf.yield %x : f32
    }
    %ends = scf.for %j = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
      %t = arith.addf %s, %r : f32
      scf.yield %t : f32
    }
    %read = memref.load %m[%c0] : memref<8xf32>
    %may_wrap = scf.for %j = %c0 to %n step %c3 iter_args(%s = %x) -> f32 {
      %t = arith.addf %s, %r : f32
      scf.yield %t : f32
    }
    "test.use"(%stays, %ends, %read, %may_wrap) : (f32, f32, f32, f32) -> ()
    scf.yield
  }
  return
}
