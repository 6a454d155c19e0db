// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --affine-loop-tile=tile-size=3 --interpret | FileCheck %s
// RUN: mlc-opt %s --affine-loop-tile=tile-size=3 | FileCheck %s --check-prefix=TILED
// Dependences forward in both loops, and a subscript of two variables that no other iteration has.
// TILED-COUNT-2: step 3
func.func @main() -> (i32, i32) {
  %m = memref.alloc() : memref<16x32xi32>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      affine.store %one, %m[%i, %j] : memref<16x32xi32>
    }
  }
  affine.for %i = 1 to 16 {
    affine.for %j = 1 to 16 {
      %0 = affine.load %m[%i - 1, %j + %i - 2] : memref<16x32xi32>
      %1 = affine.load %m[%i - 1, %j + %i - 1] : memref<16x32xi32>
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %m[%i, %j + %i] : memref<16x32xi32>
    }
  }
  %a = affine.load %m[15, 28] : memref<16x32xi32>
  %b = affine.load %m[9, 20] : memref<16x32xi32>
  // CHECK: 32752 : i32
  // CHECK-NEXT: 512 : i32
  return %a, %b : i32, i32
}
