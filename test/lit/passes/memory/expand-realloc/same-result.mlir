// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --expand-realloc --interpret | FileCheck %s
// CHECK: 7 : i32
// CHECK-NEXT: 7 : i32
// CHECK-NEXT: 6 : index
func.func @main() -> (i32, i32, index) {
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<2xi32>
  memref.store %c7, %m[%c1] : memref<2xi32>
  %g = memref.realloc %m(%c6) : memref<2xi32> to memref<?xi32>
  %0 = memref.load %g[%c1] : memref<?xi32>
  %d = memref.dim %g, %c0 : memref<?xi32>
  %s = memref.realloc %g : memref<?xi32> to memref<2xi32>
  %1 = memref.load %s[%c1] : memref<2xi32>
  return %0, %1, %d : i32, i32, index
}
