// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @indices(%m: memref<4x4xf32>, %x: f32, %i: index) {
  // expected-error @+1 {{expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4x4xf32>) -> f32
  return
}
// -----
func.func @kind(%m: memref<4xi32>, %x: i32, %i: index) {
  // expected-error @+1 {{with kind 'mulf' expects a floating-point type}}
  %0 = memref.atomic_rmw mulf %x, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @load(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{incorrect number of indices for load, expected 2 but got 1}}
  %0 = memref.load %m[%i] : memref<4x4xf32>
  return
}
// -----
func.func @argument(%m: memref<4xi32>, %i: index) {
  // expected-error @+1 {{expected block argument of the same type result type}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%x: i64):
    %c = arith.constant 1 : i32
    memref.atomic_yield %c : i32
  }
  return
}
