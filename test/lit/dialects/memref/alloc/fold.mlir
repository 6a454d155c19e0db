// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Sizes that are constants stand in the type; a buffer that nobody reads is not there.
// CHECK-LABEL: func.func @static(%arg0: index)
// CHECK-NEXT: %[[A:.*]] = memref.alloc(%arg0) {alignment = 64 : i64} : memref<6x?xf32>
// CHECK-NEXT: %[[C:.*]] = memref.cast %[[A]] : memref<6x?xf32> to memref<?x?xf32>
// CHECK-NEXT: return %[[C]]
func.func @static(%n: index) -> memref<?x?xf32> {
  %c6 = arith.constant 6 : index
  %m = memref.alloc(%c6, %n) {alignment = 64 : i64} : memref<?x?xf32>
  return %m : memref<?x?xf32>
}
// CHECK-LABEL: func.func @unread
// CHECK-NEXT: return
func.func @unread(%x: f32, %i: index) {
  %m = memref.alloc(%i) : memref<?xf32>
  memref.store %x, %m[%i] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  %s = memref.alloca() : memref<f32>
  memref.store %x, %s[] : memref<f32>
  return
}
// The buffer itself is stored: somebody may read it there.
// CHECK-LABEL: func.func @stored
// CHECK: memref.alloc
func.func @stored(%where: memref<1xmemref<f32>>, %i: index) {
  %m = memref.alloc() : memref<f32>
  memref.store %m, %where[%i] : memref<1xmemref<f32>>
  return
}
