// RUN: mlc-opt %s --finalizing-bufferize | FileCheck %s
// From a buffer to a tensor and back is the buffer, or a cast of it.
// CHECK-LABEL: @pair
// CHECK-NEXT: return %arg0 : memref<4xf32>
func.func @pair(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32>
  %0 = bufferization.to_memref %t : memref<4xf32>
  return %0 : memref<4xf32>
}
// CHECK-LABEL: @of_another_type
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %arg0 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: return %[[CAST]]
func.func @of_another_type(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %t = bufferization.to_tensor %m : memref<4xf32>
  %0 = bufferization.to_memref %t : memref<4xf32, strided<[?], offset: ?>>
  return %0 : memref<4xf32, strided<[?], offset: ?>>
}
// CHECK-LABEL: @nothing_to_do
// CHECK-NEXT: return %arg0
func.func @nothing_to_do(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
