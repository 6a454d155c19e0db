// RUN: mlc-opt %s --expand-strided-metadata -mlir-print-local-scope | FileCheck %s
// A buffer of its own is dense.
// CHECK-LABEL: func.func @alloc
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[A:.*]] = memref.alloc(%arg0)
// CHECK: %[[BASE:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: []
// CHECK: return %[[BASE]], %[[C0]], %arg0, %arg0, %[[C1]]
func.func @alloc(%n: index) -> (memref<f32>, index, index, index, index) {
  %m = memref.alloc(%n) : memref<4x?xf32>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return %b, %o, %s#1, %t#0, %t#1 : memref<f32>, index, index, index, index
}
// Both sides of a cast know something; the view under it says the rest.
// CHECK-LABEL: func.func @cast
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: return %arg1, %[[C3]], %[[C4]]
func.func @cast(%m: memref<?xf32>, %x: index) -> (index, index, index) {
  %v = memref.reinterpret_cast %m to offset: [%x], sizes: [3, 4], strides: [4, 1] : memref<?xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  %w = memref.cast %v : memref<3x4xf32, strided<[4, 1], offset: ?>> to memref<3x?xf32, strided<[?, 1], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %w : memref<3x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %s#1 : index, index, index
}
// Offsets are kept apart from the pointer, but for memref.view's, which moves it.
// CHECK-LABEL: func.func @pointer
// CHECK: %[[V:.*]] = memref.view
// CHECK: memref.extract_aligned_pointer_as_index %arg0 : memref<8xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[V]]
func.func @pointer(%m: memref<8xf32>, %bytes: memref<64xi8>, %i: index) -> (index, index) {
  %s = memref.subview %m[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  %v = memref.view %bytes[%i][] : memref<64xi8> to memref<4xf32>
  %0 = memref.extract_aligned_pointer_as_index %s : memref<2xf32, strided<[1], offset: ?>> -> index
  %1 = memref.extract_aligned_pointer_as_index %v : memref<4xf32> -> index
  return %0, %1 : index, index
}
