// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// More loops inside than most kernels have, each with a variable of its own: all that they touch is known.
// CHECK-LABEL: func.func @many_loops
// CHECK: affine.parallel
func.func @many_loops(%m: memref<64x70x4096xf32>) {
  %c = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j0 = 0 to 4096 { affine.store %c, %m[%i, 0, %j0] : memref<64x70x4096xf32> }
    affine.for %j1 = 0 to 4096 { affine.store %c, %m[%i, 1, %j1] : memref<64x70x4096xf32> }
    affine.for %j2 = 0 to 4096 { affine.store %c, %m[%i, 2, %j2] : memref<64x70x4096xf32> }
    affine.for %j3 = 0 to 4096 { affine.store %c, %m[%i, 3, %j3] : memref<64x70x4096xf32> }
    affine.for %j4 = 0 to 4096 { affine.store %c, %m[%i, 4, %j4] : memref<64x70x4096xf32> }
    affine.for %j5 = 0 to 4096 { affine.store %c, %m[%i, 5, %j5] : memref<64x70x4096xf32> }
    affine.for %j6 = 0 to 4096 { affine.store %c, %m[%i, 6, %j6] : memref<64x70x4096xf32> }
    affine.for %j7 = 0 to 4096 { affine.store %c, %m[%i, 7, %j7] : memref<64x70x4096xf32> }
    affine.for %j8 = 0 to 4096 { affine.store %c, %m[%i, 8, %j8] : memref<64x70x4096xf32> }
    affine.for %j9 = 0 to 4096 { affine.store %c, %m[%i, 9, %j9] : memref<64x70x4096xf32> }
    affine.for %j10 = 0 to 4096 { affine.store %c, %m[%i, 10, %j10] : memref<64x70x4096xf32> }
    affine.for %j11 = 0 to 4096 { affine.store %c, %m[%i, 11, %j11] : memref<64x70x4096xf32> }
    affine.for %j12 = 0 to 4096 { affine.store %c, %m[%i, 12, %j12] : memref<64x70x4096xf32> }
    affine.for %j13 = 0 to 4096 { affine.store %c, %m[%i, 13, %j13] : memref<64x70x4096xf32> }
    affine.for %j14 = 0 to 4096 { affine.store %c, %m[%i, 14, %j14] : memref<64x70x4096xf32> }
    affine.for %j15 = 0 to 4096 { affine.store %c, %m[%i, 15, %j15] : memref<64x70x4096xf32> }
    affine.for %j16 = 0 to 4096 { affine.store %c, %m[%i, 16, %j16] : memref<64x70x4096xf32> }
    affine.for %j17 = 0 to 4096 { affine.store %c, %m[%i, 17, %j17] : memref<64x70x4096xf32> }
    affine.for %j18 = 0 to 4096 { affine.store %c, %m[%i, 18, %j18] : memref<64x70x4096xf32> }
    affine.for %j19 = 0 to 4096 { affine.store %c, %m[%i, 19, %j19] : memref<64x70x4096xf32> }
    affine.for %j20 = 0 to 4096 { affine.store %c, %m[%i, 20, %j20] : memref<64x70x4096xf32> }
    affine.for %j21 = 0 to 4096 { affine.store %c, %m[%i, 21, %j21] : memref<64x70x4096xf32> }
    affine.for %j22 = 0 to 4096 { affine.store %c, %m[%i, 22, %j22] : memref<64x70x4096xf32> }
    affine.for %j23 = 0 to 4096 { affine.store %c, %m[%i, 23, %j23] : memref<64x70x4096xf32> }
    affine.for %j24 = 0 to 4096 { affine.store %c, %m[%i, 24, %j24] : memref<64x70x4096xf32> }
    affine.for %j25 = 0 to 4096 { affine.store %c, %m[%i, 25, %j25] : memref<64x70x4096xf32> }
    affine.for %j26 = 0 to 4096 { affine.store %c, %m[%i, 26, %j26] : memref<64x70x4096xf32> }
    affine.for %j27 = 0 to 4096 { affine.store %c, %m[%i, 27, %j27] : memref<64x70x4096xf32> }
    affine.for %j28 = 0 to 4096 { affine.store %c, %m[%i, 28, %j28] : memref<64x70x4096xf32> }
    affine.for %j29 = 0 to 4096 { affine.store %c, %m[%i, 29, %j29] : memref<64x70x4096xf32> }
    affine.for %j30 = 0 to 4096 { affine.store %c, %m[%i, 30, %j30] : memref<64x70x4096xf32> }
    affine.for %j31 = 0 to 4096 { affine.store %c, %m[%i, 31, %j31] : memref<64x70x4096xf32> }
    affine.for %j32 = 0 to 4096 { affine.store %c, %m[%i, 32, %j32] : memref<64x70x4096xf32> }
    affine.for %j33 = 0 to 4096 { affine.store %c, %m[%i, 33, %j33] : memref<64x70x4096xf32> }
    affine.for %j34 = 0 to 4096 { affine.store %c, %m[%i, 34, %j34] : memref<64x70x4096xf32> }
    affine.for %j35 = 0 to 4096 { affine.store %c, %m[%i, 35, %j35] : memref<64x70x4096xf32> }
    affine.for %j36 = 0 to 4096 { affine.store %c, %m[%i, 36, %j36] : memref<64x70x4096xf32> }
    affine.for %j37 = 0 to 4096 { affine.store %c, %m[%i, 37, %j37] : memref<64x70x4096xf32> }
    affine.for %j38 = 0 to 4096 { affine.store %c, %m[%i, 38, %j38] : memref<64x70x4096xf32> }
    affine.for %j39 = 0 to 4096 { affine.store %c, %m[%i, 39, %j39] : memref<64x70x4096xf32> }
    affine.for %j40 = 0 to 4096 { affine.store %c, %m[%i, 40, %j40] : memref<64x70x4096xf32> }
    affine.for %j41 = 0 to 4096 { affine.store %c, %m[%i, 41, %j41] : memref<64x70x4096xf32> }
    affine.for %j42 = 0 to 4096 { affine.store %c, %m[%i, 42, %j42] : memref<64x70x4096xf32> }
    affine.for %j43 = 0 to 4096 { affine.store %c, %m[%i, 43, %j43] : memref<64x70x4096xf32> }
    affine.for %j44 = 0 to 4096 { affine.store %c, %m[%i, 44, %j44] : memref<64x70x4096xf32> }
    affine.for %j45 = 0 to 4096 { affine.store %c, %m[%i, 45, %j45] : memref<64x70x4096xf32> }
    affine.for %j46 = 0 to 4096 { affine.store %c, %m[%i, 46, %j46] : memref<64x70x4096xf32> }
    affine.for %j47 = 0 to 4096 { affine.store %c, %m[%i, 47, %j47] : memref<64x70x4096xf32> }
    affine.for %j48 = 0 to 4096 { affine.store %c, %m[%i, 48, %j48] : memref<64x70x4096xf32> }
    affine.for %j49 = 0 to 4096 { affine.store %c, %m[%i, 49, %j49] : memref<64x70x4096xf32> }
    affine.for %j50 = 0 to 4096 { affine.store %c, %m[%i, 50, %j50] : memref<64x70x4096xf32> }
    affine.for %j51 = 0 to 4096 { affine.store %c, %m[%i, 51, %j51] : memref<64x70x4096xf32> }
    affine.for %j52 = 0 to 4096 { affine.store %c, %m[%i, 52, %j52] : memref<64x70x4096xf32> }
    affine.for %j53 = 0 to 4096 { affine.store %c, %m[%i, 53, %j53] : memref<64x70x4096xf32> }
    affine.for %j54 = 0 to 4096 { affine.store %c, %m[%i, 54, %j54] : memref<64x70x4096xf32> }
    affine.for %j55 = 0 to 4096 { affine.store %c, %m[%i, 55, %j55] : memref<64x70x4096xf32> }
    affine.for %j56 = 0 to 4096 { affine.store %c, %m[%i, 56, %j56] : memref<64x70x4096xf32> }
    affine.for %j57 = 0 to 4096 { affine.store %c, %m[%i, 57, %j57] : memref<64x70x4096xf32> }
    affine.for %j58 = 0 to 4096 { affine.store %c, %m[%i, 58, %j58] : memref<64x70x4096xf32> }
    affine.for %j59 = 0 to 4096 { affine.store %c, %m[%i, 59, %j59] : memref<64x70x4096xf32> }
    affine.for %j60 = 0 to 4096 { affine.store %c, %m[%i, 60, %j60] : memref<64x70x4096xf32> }
    affine.for %j61 = 0 to 4096 { affine.store %c, %m[%i, 61, %j61] : memref<64x70x4096xf32> }
    affine.for %j62 = 0 to 4096 { affine.store %c, %m[%i, 62, %j62] : memref<64x70x4096xf32> }
    affine.for %j63 = 0 to 4096 { affine.store %c, %m[%i, 63, %j63] : memref<64x70x4096xf32> }
    affine.for %j64 = 0 to 4096 { affine.store %c, %m[%i, 64, %j64] : memref<64x70x4096xf32> }
    affine.for %j65 = 0 to 4096 { affine.store %c, %m[%i, 65, %j65] : memref<64x70x4096xf32> }
    affine.for %j66 = 0 to 4096 { affine.store %c, %m[%i, 66, %j66] : memref<64x70x4096xf32> }
    affine.for %j67 = 0 to 4096 { affine.store %c, %m[%i, 67, %j67] : memref<64x70x4096xf32> }
    affine.for %j68 = 0 to 4096 { affine.store %c, %m[%i, 68, %j68] : memref<64x70x4096xf32> }
    affine.for %j69 = 0 to 4096 { affine.store %c, %m[%i, 69, %j69] : memref<64x70x4096xf32> }
  }
  return
}
