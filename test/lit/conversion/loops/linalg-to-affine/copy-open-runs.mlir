// RUN: mlc-opt %s --convert-linalg-to-affine-loops --split-input-file | FileCheck %s
// Of an open number of rows each is one run; a row of open size has none.
// CHECK-LABEL: func.func @rows
// CHECK: affine.for %[[I:.*]] = 0 to
// CHECK-NOT: affine.for
// CHECK: %[[FROM:.*]] = memref.subview %arg0[%[[I]], 0] [1, 32] [1, 1]
// CHECK: %[[TO:.*]] = memref.subview %arg1[%[[I]], 0] [1, 32] [1, 1]
// CHECK: memref.copy %[[FROM]], %[[TO]]
func.func @rows(%a: memref<?x32xf32>, %b: memref<?x32xf32, strided<[64, 1]>>) {
  memref.copy %a, %b : memref<?x32xf32> to memref<?x32xf32, strided<[64, 1]>>
  return
}

// -----

// CHECK-LABEL: func.func @open_rows
// CHECK-NOT: memref.copy
// CHECK: affine.load
func.func @open_rows(%a: memref<4x?xf32>, %b: memref<4x?xf32>) {
  memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>
  return
}
