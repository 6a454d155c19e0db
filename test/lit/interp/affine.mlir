// RUN: mlc-opt %s --interpret --entry loops --input zeros | FileCheck %s --check-prefix=LOOPS
// RUN: mlc-opt %s --interpret --entry parallel --input iota | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt %s --interpret --entry parallel --input iota --seed 5 | FileCheck %s --check-prefix=PARALLEL
// A triangle with min and max bounds and a condition; by hand: cell (i, j) of 4x5 is 10 * i + j where i <= j < min(i + 3, 5),
// and 100 more where i + j is 4.
// LOOPS: dense<{{\[\[}}0, 1, 2, 0, 0], [0, 11, 12, 113, 0], [0, 0, 122, 23, 24], [0, 0, 0, 33, 34]]> : tensor<4x5xi32>
func.func @loops(%m: memref<4x5xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 3, 5)>(%i) {
      %v = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
      %w = arith.index_cast %v : index to i32
      affine.store %w, %m[%i, %j] : memref<4x5xi32>
      affine.if affine_set<(d0, d1) : (d0 + d1 - 4 == 0)>(%i, %j) {
        %c100 = arith.constant 100 : i32
        %x = affine.load %m[%i, %j] : memref<4x5xi32>
        %y = arith.addi %x, %c100 : i32
        affine.store %y, %m[%i, %j] : memref<4x5xi32>
      }
    }
  }
  return
}
// The sum of 0..9 by pairs of a vector, the largest element, and a loop-carried sum of every third: 0 + 3 + 6 + 9.
// PARALLEL: 4.500000e+01 : f32
// PARALLEL-NEXT: 9.000000e+00 : f32
// PARALLEL-NEXT: 1.800000e+01 : f32
// PARALLEL-NEXT: 3 : index
func.func @parallel(%m: memref<10xf32>) -> (f32, f32, f32, index) {
  %r:2 = affine.parallel (%i) = (0) to (10) step (2) reduce ("addf", "maximumf") -> (f32, f32) {
    %v = affine.vector_load %m[%i] : memref<10xf32>, vector<2xf32>
    %s = vector.reduction <add>, %v : vector<2xf32> into f32
    %x = vector.reduction <maximumf>, %v : vector<2xf32> into f32
    affine.yield %s, %x : f32, f32
  }
  %zero = arith.constant 0.0 : f32
  %third = affine.for %i = 0 to 10 step 3 iter_args(%s = %zero) -> f32 {
    %v = affine.load %m[%i] : memref<10xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  %c7 = arith.constant 7 : index
  %min = affine.min affine_map<(d0) -> (d0, d0 floordiv 2, d0 * 3)>(%c7)
  return %r#0, %r#1, %third, %min : f32, f32, f32, index
}
