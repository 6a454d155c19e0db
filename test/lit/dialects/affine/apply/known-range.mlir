// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// Quotients and remainders of loop variables, by their ranges and steps.
// CHECK-LABEL: func.func @ranges
// CHECK-COUNT-2: affine.for
// CHECK: affine.load %arg0[%{{.*}}, 0] : memref<?x?xf32>
// CHECK: affine.load %arg0[%{{.*}} floordiv 8, 0] : memref<?x?xf32>
// CHECK: affine.load %arg0[%[[J:.*]] - ((%[[J]] + 3) floordiv 8) * 8 + 3, %[[J]] floordiv 7] : memref<?x?xf32>
func.func @ranges(%m: memref<?x?xf32>) {
  affine.for %i = 0 to 64 step 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %m[(%i + %j) mod 8, %j floordiv 8] : memref<?x?xf32>
      %1 = affine.load %m[(%i + %j) floordiv 8, %i mod 4] : memref<?x?xf32>
      %2 = affine.load %m[(%j + 3) mod 8, %j floordiv 7] : memref<?x?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      affine.store %4, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
