// RUN: mlc-opt %s --canonicalize | FileCheck %s
// The clone is freed where the source is not: the source will do.
// CHECK-LABEL: func.func @freed(%arg0: memref<4xf32>
// CHECK-NEXT: memref.load %arg0
// CHECK-NEXT: return
func.func @freed(%m: memref<4xf32>, %i: index) -> f32 {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %x = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %x : f32
}
// Both are freed in one block: which lives longer is not asked.
// CHECK-LABEL: func.func @both
// CHECK: bufferization.clone
func.func @both(%i: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}
