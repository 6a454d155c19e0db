// RUN: mlc-opt %s --affine-parallelize=by-cost=true --target=x86-64-v3 | FileCheck %s
// Images of a number that is not known, each of long independent loops, go one after the other, and
// the loops of each are shared out: there may be one image alone.
// CHECK-LABEL: func.func @images(
// CHECK: affine.for
// CHECK: affine.parallel
// CHECK-LABEL: func.func @short(
// CHECK: affine.parallel
// CHECK: affine.for
func.func @images(%m: memref<?x512x4096xf32>, %x: vector<8xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 4096 step 8 {
        affine.vector_store %x, %m[%i, %j, %k] : memref<?x512x4096xf32>, vector<8xf32>
      }
    }
  }
  return
}
func.func @short(%m: memref<?x8x64xf32>, %x: vector<8xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 64 step 8 {
        affine.vector_store %x, %m[%i, %j, %k] : memref<?x8x64xf32>, vector<8xf32>
      }
    }
  }
  return
}
