// RUN: mlc-opt %s --canonicalize | FileCheck %s
// There and back is the buffer itself, a cast of it, or a copy where the layout might differ.
// CHECK-LABEL: func.func @same(%arg0: memref<4xf32>)
// CHECK-NEXT: return %arg0
func.func @same(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32>
  %n = bufferization.to_memref %t : memref<4xf32>
  return %n : memref<4xf32>
}
// CHECK-LABEL: func.func @forget(%arg0: memref<4xf32>)
// CHECK-NEXT: memref.cast %arg0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
func.func @forget(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %t = bufferization.to_tensor %m : memref<4xf32>
  %n = bufferization.to_memref %t : memref<4xf32, strided<[?], offset: ?>>
  return %n : memref<4xf32, strided<[?], offset: ?>>
}
// CHECK-LABEL: func.func @promise(%arg0: memref<?xf32, strided<[?], offset: ?>>)
// CHECK: %[[D:.*]] = memref.dim %arg0, %c0
// CHECK-NEXT: %[[A:.*]] = memref.alloc(%[[D]]) : memref<?xf32>
// CHECK-NEXT: memref.copy %arg0, %[[A]]
// CHECK-NEXT: return %[[A]]
func.func @promise(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
  %t = bufferization.to_tensor %m : memref<?xf32, strided<[?], offset: ?>>
  %n = bufferization.to_memref %t : memref<?xf32>
  return %n : memref<?xf32>
}
// CHECK-LABEL: func.func @load(%arg0: tensor<4xf32>
// CHECK-NEXT: tensor.extract %arg0
func.func @load(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_memref %t : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
