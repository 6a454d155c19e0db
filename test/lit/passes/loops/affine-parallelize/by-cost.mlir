// RUN: mlc-opt %s --affine-parallelize=by-cost --target=x86-64-v3 -verify-diagnostics | FileCheck %s
// What takes less than it costs to share out stays with one thread; what is shared out is taken in pieces worth it.
// CHECK-LABEL: func.func @small
// CHECK: affine.for
func.func @small(%m: memref<64xf32>) {
  // expected-remark@+1 {{not parallel: it takes about 64 cycles, sharing it out saves none below 4000}}
  affine.for %i = 0 to 64 {
    %v = affine.load %m[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    %x = arith.mulf %w, %v : f32
    affine.store %x, %m[%i] : memref<64xf32>
  }
  return
}

// 2000 cycles a piece: the inner loop is not joined, since a row is not much more.
// CHECK-LABEL: func.func @grain
// CHECK: affine.parallel (%{{.*}}) = (0) to (512)
// CHECK: affine.for
// CHECK: } {mlc.grain = 2 : i64}
func.func @grain(%m: memref<512x1024xf32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %m[%i, %j] : memref<512x1024xf32>
      affine.store %v, %m[%i, %j] : memref<512x1024xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @large_rows
// CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (3, 100000)
// CHECK: } {mlc.grain = 2000 : i64}
func.func @large_rows(%m: memref<3x100000xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 100000 {
      %v = affine.load %m[%i, %j] : memref<3x100000xf32>
      affine.store %v, %m[%i, %j] : memref<3x100000xf32>
    }
  }
  return
}
