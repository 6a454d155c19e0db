// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A loop without iterations is its initial values, one with a single iteration its body.
// CHECK-LABEL: func.func @none
// CHECK-NEXT: return %arg0
func.func @none(%init: f32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c1 to %c0 step %c1 iter_args(%acc = %init) -> (f32) {
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @one
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %arg0, %arg1
// CHECK-NEXT: return %[[SUM]]
func.func @one(%init: f32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c3 step %c4 iter_args(%acc = %init) -> (f32) {
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @two
// CHECK: scf.for
func.func @two(%init: f32, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c3 step %c2 iter_args(%acc = %init) -> (f32) {
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}
