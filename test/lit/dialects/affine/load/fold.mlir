// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// Accesses look through casts that forget a shape; a constant global's elements are known.
memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
memref.global "private" @mutable : memref<2xi32> = dense<5>
// CHECK-LABEL: func.func @cast
// CHECK-NEXT: affine.load %arg0[3] : memref<8xf32>
// CHECK-NEXT: affine.store %{{.*}}, %arg0[4] : memref<8xf32>
// CHECK-NEXT: affine.prefetch %arg0[symbol(%arg1)], read, locality<3>, data : memref<8xf32>
func.func @cast(%m: memref<8xf32>, %i: index) {
  %cast = memref.cast %m : memref<8xf32> to memref<?xf32>
  %c3 = arith.constant 3 : index
  %0 = affine.load %cast[%c3] : memref<?xf32>
  affine.store %0, %cast[%c3 + 1] : memref<?xf32>
  affine.prefetch %cast[%i], read, locality<3>, data : memref<?xf32>
  return
}
// CHECK-LABEL: func.func @global
// CHECK: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[READ:.*]] = affine.load
// CHECK: return %[[THREE]], %[[READ]]
func.func @global() -> (i32, i32) {
  %table = memref.get_global @table : memref<2x2xi32>
  %mutable = memref.get_global @mutable : memref<2xi32>
  %0 = affine.load %table[1, 0] : memref<2x2xi32>
  %1 = affine.load %mutable[1] : memref<2xi32>
  return %0, %1 : i32, i32
}
