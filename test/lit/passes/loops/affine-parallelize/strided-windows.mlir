// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// A window with strides touches all from its first element to its last: what is read between is
// counted, and no more than that.
// CHECK-LABEL: func.func @other_buffer
// CHECK: affine.parallel
func.func @other_buffer(%a: memref<4x8xf32>, %b: memref<4x4xf32>) {
  affine.for %i = 0 to 4 {
    %even = memref.subview %a[%i, 0] [1, 4] [1, 2] : memref<4x8xf32> to memref<1x4xf32, strided<[8, 2], offset: ?>>
    %row = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %even, %row : memref<1x4xf32, strided<[8, 2], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
// CHECK-LABEL: func.func @own_rows
// CHECK: affine.parallel
func.func @own_rows(%a: memref<12x4xf32>) {
  affine.for %i = 0 to 12 step 3 {
    %ends = memref.subview %a[%i, 0] [2, 4] [2, 1] : memref<12x4xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    %rows = memref.subview %a[%i, 0] [2, 4] [1, 1] : memref<12x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %ends, %rows : memref<2x4xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
// CHECK-LABEL: func.func @reads_the_next
// CHECK: affine.for
func.func @reads_the_next(%a: memref<12x4xf32>) {
  affine.for %i = 0 to 10 step 2 {
    %ends = memref.subview %a[%i, 0] [2, 4] [2, 1] : memref<12x4xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    %rows = memref.subview %a[%i, 0] [2, 4] [1, 1] : memref<12x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %ends, %rows : memref<2x4xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  }
  return
}
// Sizes whose product with the stride wraps.
// CHECK-LABEL: func.func @beyond_64_bits
// CHECK: affine.for
func.func @beyond_64_bits(%a: memref<9223372036854775807xf32>, %b: memref<4611686018427387904xf32>) {
  affine.for %i = 0 to 4 {
    %some = memref.subview %a[0] [4611686018427387904] [2000000000] : memref<9223372036854775807xf32> to memref<4611686018427387904xf32, strided<[2000000000]>>
    memref.copy %some, %b : memref<4611686018427387904xf32, strided<[2000000000]>> to memref<4611686018427387904xf32>
  }
  return
}
