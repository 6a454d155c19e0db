// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// Dimensions of size 1 may leave the type; where several are 1, their strides tell which.
// CHECK-LABEL: func.func @dropped
func.func @dropped(%m: memref<4x1x8xf32>, %i: index) {
  // CHECK: to memref<8xf32, strided<[1], offset: ?>>
  %a = memref.subview %m[%i, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  // CHECK: to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %b = memref.subview %m[%i, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  return
}
// A layout that is a map with symbols has strides, too.
// CHECK-LABEL: func.func @symbols
func.func @symbols(%m: memref<?x?xf32, affine_map<(i, j)[s, t] -> (i * t + s + j)>>, %n: index) {
  // CHECK: memref<?x4xf32, strided<[?, 1], offset: ?>>
  %a = memref.subview %m[0, %n] [%n, 4] [1, 1]
      : memref<?x?xf32, affine_map<(i, j)[s, t] -> (i * t + s + j)>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return
}
