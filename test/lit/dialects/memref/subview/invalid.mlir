// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A window's lists have one entry per dimension, and its type follows from them.
func.func @too_few_sizes(%m: memref<6x8xf32>) {
  // expected-error @+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.}}
  %w = memref.subview %m[0, 0] [2] [1, 1] : memref<6x8xf32> to memref<2xf32, strided<[8]>>
  return
}
// -----
func.func @negative(%m: memref<6x8xf32>) {
  // expected-error @+1 {{expected offsets to be non-negative, but got -2}}
  %w = memref.subview %m[-2, 0] [2, 2] [1, 1] : memref<6x8xf32> to memref<2x2xf32, strided<[8, 1]>>
  return
}
// -----
func.func @other_space(%m: memref<6x8xf32>) {
  // expected-error @+1 {{different memory spaces specified for base memref type 'memref<6x8xf32>' and subview memref type}}
  %w = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<6x8xf32> to memref<2x2xf32, strided<[8, 1]>, 2>
  return
}
// -----
func.func @sizes(%m: memref<6x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x3xf32, strided<[8, 1], offset: 9>>' or a rank-reduced version. (mismatch of result sizes)}}
  %w = memref.subview %m[1, 1] [2, 3] [1, 1] : memref<6x8xf32> to memref<3x2xf32, strided<[8, 1], offset: 9>>
  return
}
// -----
func.func @offset(%m: memref<6x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x3xf32, strided<[8, 1], offset: 9>>' or a rank-reduced version. (mismatch of result layout)}}
  %w = memref.subview %m[1, 1] [2, 3] [1, 1] : memref<6x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 1>>
  return
}
// -----
func.func @rank_grows(%m: memref<8xf32>) {
  // expected-error @+1 {{expected result rank to be smaller or equal to the source rank.}}
  %w = memref.subview %m[0] [2] [1] : memref<8xf32> to memref<1x2xf32, strided<[1, 1]>>
  return
}
// -----
func.func @not_strided(%m: memref<8x8xf32, affine_map<(i, j) -> (i mod 2, j)>>) {
  // expected-error @+1 {{is not strided}}
  %w = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<8x8xf32, affine_map<(i, j) -> (i mod 2, j)>> to memref<2x2xf32>
  return
}
