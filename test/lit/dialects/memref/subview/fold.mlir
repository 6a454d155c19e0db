// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Constants stand in the lists and the type, dropped dimensions stay dropped.
// CHECK-LABEL: func.func @constants(%arg0: memref<8x16x4xf32>, %arg1: index)
// CHECK-NEXT: %[[W:.*]] = memref.subview %arg0[0, %arg1, 2] [1, 4, 1] [1, 1, 1] : memref<8x16x4xf32> to memref<4xf32, strided<[4], offset: ?>>
// CHECK-NEXT: %[[C:.*]] = memref.cast %[[W]]
// CHECK-NEXT: return %[[C]] : memref<?xf32, strided<[?], offset: ?>>
func.func @constants(%m: memref<8x16x4xf32>, %i: index) -> memref<?xf32, strided<[?], offset: ?>> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %w = memref.subview %m[0, %i, 2] [1, %c4, 1] [1, %c1, 1] : memref<8x16x4xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %w : memref<?xf32, strided<[?], offset: ?>>
}
// CHECK-LABEL: func.func @all(%arg0: memref<8x16xf32>)
// CHECK-NEXT: memref.cast %arg0 : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1]>>
func.func @all(%m: memref<8x16xf32>) -> memref<8x16xf32, strided<[16, 1]>> {
  %w = memref.subview %m[0, 0] [8, 16] [1, 1] : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1]>>
  return %w : memref<8x16xf32, strided<[16, 1]>>
}
// CHECK-LABEL: func.func @of_cast(%arg0: memref<8x16xf32>, %arg1: index)
// CHECK-NEXT: memref.subview %arg0[%arg1, 0] [%arg1, 4] [1, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[16, 1], offset: ?>>
func.func @of_cast(%m: memref<8x16xf32>, %i: index) -> memref<?x4xf32, strided<[?, 1], offset: ?>> {
  %c = memref.cast %m : memref<8x16xf32> to memref<?x?xf32>
  %w = memref.subview %c[%i, 0] [%i, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %w : memref<?x4xf32, strided<[?, 1], offset: ?>>
}
