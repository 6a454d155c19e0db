// RUN: mlc-opt %s --coalesce-copies | FileCheck %s
// RUN: mlc-opt %s --coalesce-copies --mlir-print-op-generic > %t.first
// RUN: mlc-opt %s --mlir-print-op-generic | diff - %t.first
// Copies that stay: the file is what it was.

// An element is read after the one of its index was written.
// CHECK-LABEL: func.func @reversed(
// CHECK: memref.copy
func.func @reversed(%x: memref<8xf32> {mlc.result}) {
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 {
      %old = affine.load %x[7 - %i] : memref<8xf32>
      affine.store %old, %t[%i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  return
}

// A later op reads what the first one wrote.
// CHECK-LABEL: func.func @later(
// CHECK: memref.copy
func.func @later(%x: memref<8xf32> {mlc.result}, %s: memref<8xf32> {mlc.result}) {
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 {
      %old = affine.load %x[%i] : memref<8xf32>
      %new = arith.addf %old, %old : f32
      affine.store %new, %t[%i] : memref<8xf32>
    }
    affine.for %i = 0 to 8 {
      %old = affine.load %x[%i] : memref<8xf32>
      affine.store %old, %s[%i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  return
}

// Two arguments may be one buffer.
// CHECK-LABEL: func.func @arguments(
// CHECK: memref.copy
func.func @arguments(%a: memref<8xf32>, %x: memref<8xf32>) {
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 {
      %old = affine.load %a[7 - %i] : memref<8xf32>
      affine.store %old, %t[%i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  return
}

// The buffer is wanted behind the copy; it is from outside the loop; it is written elsewhere too.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: memref.copy
func.func @others(%x: memref<8xf32> {mlc.result}, %s: memref<f32> {mlc.result}) {
  %one = arith.constant 1.0 : f32
  %outside = memref.alloc() : memref<8xf32>
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 {
      affine.store %one, %t[%i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
    %e = affine.load %t[0] : memref<8xf32>
    affine.store %e, %s[] : memref<f32>
  }
  affine.for %n = 0 to 3 {
    affine.store %one, %outside[%n] : memref<8xf32>
    memref.copy %outside, %x : memref<8xf32> to memref<8xf32>
  }
  affine.for %n = 0 to 3 {
    %t = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 {
      affine.store %one, %t[%i] : memref<8xf32>
      affine.store %one, %x[7 - %i] : memref<8xf32>
    }
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  }
  return
}
