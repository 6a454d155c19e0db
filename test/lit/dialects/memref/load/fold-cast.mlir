// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Accesses do not need to know less than there is to know.
// CHECK-LABEL: func.func @accesses(%arg0: memref<4xf32>
// CHECK-NOT: memref.cast
// CHECK: memref.load %arg0
// CHECK: memref.store %{{.*}}, %arg0
// CHECK: memref.atomic_rmw addf %{{.*}}, %arg0
// CHECK: memref.dealloc %arg0
func.func @accesses(%m: memref<4xf32>, %i: index) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  %x = memref.load %c[%i] : memref<?xf32, strided<[?], offset: ?>>
  memref.store %x, %c[%i] : memref<?xf32, strided<[?], offset: ?>>
  %y = memref.atomic_rmw addf %x, %c[%i] : (f32, memref<?xf32, strided<[?], offset: ?>>) -> f32
  memref.dealloc %c : memref<?xf32, strided<[?], offset: ?>>
  return
}
