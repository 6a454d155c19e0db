// RUN: mlc-opt %s --affine-parallelize=by-cost=true --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --affine-parallelize=by-cost=true --target=cuda-sm_80 | FileCheck %s --check-prefix=CORES
// Images of a number that is not known, each of long independent loops, go one after the other, and
// the loops of each are shared out: there may be one image alone.
// CHECK-LABEL: func.func @images(
// CHECK: affine.for
// CHECK: affine.parallel (%{{.*}}) = (0) to (512)
// Where it is known how many cores there are, images that these take evenly run one on a core.
// CORES-LABEL: func.func @images(
// CORES: %[[REST:.*]] = arith.remsi %[[N:[a-z0-9]+]], %
// CORES: arith.cmpi eq, %[[REST]]
// CORES: scf.if
// CORES: affine.parallel (%{{.*}}) = (0) to (%[[N]])
// CORES-NOT: affine.parallel
// CORES: } else {
// CORES: affine.for %{{.*}} = 0 to %[[N]] {
// CORES: affine.parallel ({{.*}}) = (0, 0) to (512, 4096)
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
