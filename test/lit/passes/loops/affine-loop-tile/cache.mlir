// RUN: mlc-opt %s --affine-loop-tile | FileCheck %s
// RUN: mlc-opt %s --affine-loop-tile=cache-size=65536 | FileCheck %s --check-prefix=LARGE
// 50 MB in a cache of 512 KiB: a fifth of each dimension, or rather a divisor of the trip counts.
// CHECK: affine.for %{{.*}} = 0 to 256 step 4 {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 256 step 4 {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 250 step 5 {
// LARGE: affine.for %{{.*}} = 0 to 250 {
func.func @matmul(%a: memref<256x256xvector<64xf32>>, %b: memref<256x256xvector<64xf32>>, %c: memref<256x256xvector<64xf32>>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      affine.for %k = 0 to 250 {
        %l = affine.load %a[%i, %k] : memref<256x256xvector<64xf32>>
        %r = affine.load %b[%k, %j] : memref<256x256xvector<64xf32>>
        %o = affine.load %c[%i, %j] : memref<256x256xvector<64xf32>>
        %m = arith.mulf %l, %r : vector<64xf32>
        %s = arith.addf %o, %m : vector<64xf32>
        affine.store %s, %c[%i, %j] : memref<256x256xvector<64xf32>>
      }
    }
  }
  return
}
