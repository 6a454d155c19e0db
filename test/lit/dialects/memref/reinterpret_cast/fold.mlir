// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What the type knows of a buffer's metadata is constant; put together again it is the buffer.
// CHECK-LABEL: func.func @together(%arg0: memref<4x?xf32, strided<[?, 1], offset: 7>>)
// CHECK-NEXT: %[[C:.*]] = memref.cast %arg0
// CHECK-NEXT: return %[[C]]
func.func @together(%m: memref<4x?xf32, strided<[?, 1], offset: 7>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
      : memref<4x?xf32, strided<[?, 1], offset: 7>> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#0, %s#1], strides: [%t#0, %t#1]
      : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %r : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
// CHECK-LABEL: func.func @metadata
// CHECK: return %c7, %c4
func.func @metadata(%m: memref<4x?xf32, strided<[?, 1], offset: 7>>) -> (index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
      : memref<4x?xf32, strided<[?, 1], offset: 7>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0 : index, index
}
// CHECK-LABEL: func.func @twice(%arg0: memref<?xf32>
// CHECK-NEXT: memref.reinterpret_cast %arg0 to offset: [%arg1]
func.func @twice(%m: memref<?xf32>, %o: index) -> memref<4xf32, strided<[1], offset: ?>> {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [%o], strides: [2] : memref<?xf32> to memref<?xf32, strided<[2]>>
  %1 = memref.reinterpret_cast %0 to offset: [%o], sizes: [4], strides: [1] : memref<?xf32, strided<[2]>> to memref<4xf32, strided<[1], offset: ?>>
  return %1 : memref<4xf32, strided<[1], offset: ?>>
}
