// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @sizes(%arg0: memref<?xi8>, %arg1: index, %arg2: index)
// CHECK: return %arg2, %arg2, %arg1
func.func @sizes(%bytes: memref<?xi8>, %a: index, %b: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%a, %b) : memref<?x?xf32>
  %0 = memref.dim %m, %c1 : memref<?x?xf32>
  %v = memref.view %bytes[%c0][%b] : memref<?xi8> to memref<4x?xf32>
  %1 = memref.dim %v, %c1 : memref<4x?xf32>
  // The window has lost its first dimension.
  %w = memref.subview %m[0, 0] [1, %a] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1]>>
  %2 = memref.dim %w, %c0 : memref<?xf32, strided<[1]>>
  return %0, %1, %2 : index, index, index
}
// The shape is read where it was used: it may be overwritten after.
// CHECK-LABEL: func.func @reshape(%arg0: memref<*xf32>, %arg1: memref<2xi32>
// CHECK: %[[S:.*]] = memref.load %arg1[%c1]
// CHECK-NEXT: %[[D:.*]] = arith.index_cast %[[S]]
// CHECK-NEXT: memref.store
// CHECK-NEXT: return %[[D]]
func.func @reshape(%m: memref<*xf32>, %shape: memref<2xi32>, %x: i32) -> index {
  %c1 = arith.constant 1 : index
  %r = memref.reshape %m(%shape) : (memref<*xf32>, memref<2xi32>) -> memref<?x?xf32>
  memref.store %x, %shape[%c1] : memref<2xi32>
  %d = memref.dim %r, %c1 : memref<?x?xf32>
  return %d : index
}
