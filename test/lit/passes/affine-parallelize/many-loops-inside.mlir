// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// Twenty loops inside of one: their variables are all followed.
// CHECK-LABEL: func.func @many
// CHECK: affine.parallel
func.func @many(%x: memref<8x80xf32>, %v: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j0 = 0 to 4 {
      affine.store %v, %x[%i, %j0 + 0] : memref<8x80xf32>
    }
    affine.for %j1 = 0 to 4 {
      affine.store %v, %x[%i, %j1 + 4] : memref<8x80xf32>
    }
    affine.for %j2 = 0 to 4 {
      affine.store %v, %x[%i, %j2 + 8] : memref<8x80xf32>
    }
    affine.for %j3 = 0 to 4 {
      affine.store %v, %x[%i, %j3 + 12] : memref<8x80xf32>
    }
    affine.for %j4 = 0 to 4 {
      affine.store %v, %x[%i, %j4 + 16] : memref<8x80xf32>
    }
    affine.for %j5 = 0 to 4 {
      affine.store %v, %x[%i, %j5 + 20] : memref<8x80xf32>
    }
    affine.for %j6 = 0 to 4 {
      affine.store %v, %x[%i, %j6 + 24] : memref<8x80xf32>
    }
    affine.for %j7 = 0 to 4 {
      affine.store %v, %x[%i, %j7 + 28] : memref<8x80xf32>
    }
    affine.for %j8 = 0 to 4 {
      affine.store %v, %x[%i, %j8 + 32] : memref<8x80xf32>
    }
    affine.for %j9 = 0 to 4 {
      affine.store %v, %x[%i, %j9 + 36] : memref<8x80xf32>
    }
    affine.for %j10 = 0 to 4 {
      affine.store %v, %x[%i, %j10 + 40] : memref<8x80xf32>
    }
    affine.for %j11 = 0 to 4 {
      affine.store %v, %x[%i, %j11 + 44] : memref<8x80xf32>
    }
    affine.for %j12 = 0 to 4 {
      affine.store %v, %x[%i, %j12 + 48] : memref<8x80xf32>
    }
    affine.for %j13 = 0 to 4 {
      affine.store %v, %x[%i, %j13 + 52] : memref<8x80xf32>
    }
    affine.for %j14 = 0 to 4 {
      affine.store %v, %x[%i, %j14 + 56] : memref<8x80xf32>
    }
    affine.for %j15 = 0 to 4 {
      affine.store %v, %x[%i, %j15 + 60] : memref<8x80xf32>
    }
    affine.for %j16 = 0 to 4 {
      affine.store %v, %x[%i, %j16 + 64] : memref<8x80xf32>
    }
    affine.for %j17 = 0 to 4 {
      affine.store %v, %x[%i, %j17 + 68] : memref<8x80xf32>
    }
    affine.for %j18 = 0 to 4 {
      affine.store %v, %x[%i, %j18 + 72] : memref<8x80xf32>
    }
    affine.for %j19 = 0 to 4 {
      affine.store %v, %x[%i, %j19 + 76] : memref<8x80xf32>
    }
  }
  return
}
