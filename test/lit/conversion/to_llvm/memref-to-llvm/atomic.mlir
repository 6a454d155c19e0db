// RUN: mlc-opt %s --convert-to-llvm --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm=bare-pointers --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=BARE
// An element that is read, combined and written at once.
// CHECK-LABEL: llvm.func @rmw
// CHECK: %[[AT:.*]] = llvm.getelementptr
// CHECK: llvm.atomicrmw _or %[[AT]], %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK: llvm.atomicrmw add
// CHECK: llvm.atomicrmw xchg
// CHECK: llvm.atomicrmw fmax
// BARE-LABEL: llvm.func @rmw
// BARE: llvm.atomicrmw _or
func.func @rmw(%m: memref<4xi32>, %x: i32, %i: index, %f: memref<f32>, %y: f32) -> i32 {
  %before = memref.atomic_rmw ori %x, %m[%i] : (i32, memref<4xi32>) -> i32
  %1 = memref.atomic_rmw addi %x, %m[%i] : (i32, memref<4xi32>) -> i32
  %2 = memref.atomic_rmw assign %x, %m[%i] : (i32, memref<4xi32>) -> i32
  %3 = memref.atomic_rmw maximumf %y, %f[] : (f32, memref<f32>) -> f32
  return %before : i32
}

// -----

func.func @product(%m: memref<4xf32>, %x: f32, %i: index) {
  // expected-error @+2 {{memref.atomic_rmw}}
  // expected-note @+1 {{pattern 'memref.atomic_rmw': llvm has no such atomic op}}
  %before = memref.atomic_rmw mulf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
