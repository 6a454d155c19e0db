// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A known condition leaves one branch; branches that only yield are a select.
// CHECK-LABEL: func.func @known
// CHECK-NEXT: %[[P:.*]] = arith.mulf %arg0, %arg0
// CHECK-NEXT: return %[[P]]
func.func @known(%x: f32) -> f32 {
  %true = arith.constant true
  %r = scf.if %true -> (f32) {
    %p = arith.mulf %x, %x : f32
    scf.yield %p : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @choice
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg1, %arg2 : f32
// CHECK-NEXT: return %[[S]], %arg1
func.func @choice(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %r:2 = scf.if %c -> (f32, f32) {
    scf.yield %x, %x : f32, f32
  } else {
    scf.yield %y, %x : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: func.func @effect
// CHECK: scf.if
func.func @effect(%c: i1, %m: memref<f32>, %x: f32) {
  scf.if %c {
    memref.store %x, %m[] : memref<f32>
  }
  return
}
