// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%m: memref<?xf32>, %e: memref<0x4xf32>, %f: memref<0x4xf32>) {
  memref.copy %m, %m : memref<?xf32> to memref<?xf32>
  memref.copy %e, %f : memref<0x4xf32> to memref<0x4xf32>
  return
}
// CHECK-LABEL: func.func @transposed_back(%arg0: memref<3x4xf32>)
// CHECK-NEXT: return %arg0
func.func @transposed_back(%m: memref<3x4xf32>) -> memref<3x4xf32> {
  %0 = memref.memory_space_cast %m : memref<3x4xf32> to memref<3x4xf32, 1>
  %1 = memref.memory_space_cast %0 : memref<3x4xf32, 1> to memref<3x4xf32>
  return %1 : memref<3x4xf32>
}
// CHECK-LABEL: func.func @transposes(%arg0: memref<3x4x5xf32>)
// CHECK-NEXT: memref.transpose %arg0 (d0, d1, d2) -> (d1, d2, d0)
// CHECK-NEXT: return
func.func @transposes(%m: memref<3x4x5xf32>) -> memref<4x5x3xf32, strided<[5, 1, 20]>> {
  %0 = memref.transpose %m (i, j, k) -> (k, i, j) : memref<3x4x5xf32> to memref<5x3x4xf32, strided<[1, 20, 5]>>
  %1 = memref.transpose %0 (i, j, k) -> (k, i, j) : memref<5x3x4xf32, strided<[1, 20, 5]>> to memref<4x5x3xf32, strided<[5, 1, 20]>>
  return %1 : memref<4x5x3xf32, strided<[5, 1, 20]>>
}
