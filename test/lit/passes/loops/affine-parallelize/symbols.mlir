// RUN: mlc-opt %s --affine-parallelize=by-cost --target=x86-64-v3 | FileCheck %s
// A place that is computed before all loops is the same in all iterations.
// CHECK-LABEL: func.func @computed
// CHECK: affine.parallel (%{{.*}}) = (0) to (512)
func.func @computed(%m: memref<?x1024xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  %is_few = arith.cmpi slt, %n, %c4 : index
  %start = arith.select %is_few, %n, %c4 : index
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %m[%i + symbol(%start), %j] : memref<?x1024xf32>
      affine.store %v, %m[%i + symbol(%start), %j] : memref<?x1024xf32>
    }
  }
  return
}

// Neighbours that lie apart but for a place that is not known may meet: they stay two.
// CHECK-LABEL: func.func @not_apart
// CHECK: affine.parallel (%{{.*}}) = (0) to (64)
// CHECK: affine.parallel (%{{.*}}) = (0) to (64)
func.func @not_apart(%m: memref<?x1024xf32>, %start: index, %v: f32) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 1024 {
      affine.store %v, %m[%i + symbol(%start), %j] : memref<?x1024xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 1024 {
      affine.store %v, %m[%i + 64, %j] : memref<?x1024xf32>
    }
  }
  return
}
