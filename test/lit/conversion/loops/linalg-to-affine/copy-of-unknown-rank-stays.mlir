// RUN: mlc-opt %s --convert-linalg-to-affine-loops | FileCheck %s
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: affine.
func.func @f(%a: memref<*xf32>, %b: memref<*xf32>, %c: memref<4x4xf32, strided<[8, 1]>>) {
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  memref.copy %c, %b : memref<4x4xf32, strided<[8, 1]>> to memref<*xf32>
  return
}
