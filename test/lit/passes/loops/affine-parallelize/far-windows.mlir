// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// A window of a window whose steps are as far as numbers go: what it reads is not known, so it stays a loop.
// CHECK-LABEL: func.func @far
// CHECK: affine.for
func.func @far(%m: memref<?xf32>, %n: index, %at: memref<8xindex>, %o: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %k = affine.load %at[%i] : memref<8xindex>
    %a = memref.subview %m[0] [%n] [2147483647] : memref<?xf32> to memref<?xf32, strided<[2147483647]>>
    %b = memref.subview %a[0] [%n] [2147483647] : memref<?xf32, strided<[2147483647]>> to memref<?xf32, strided<[4611686014132420609]>>
    %v = memref.load %b[%k] : memref<?xf32, strided<[4611686014132420609]>>
    affine.store %v, %o[%i] : memref<8xf32>
    memref.store %v, %m[%k] : memref<?xf32>
  }
  return
}

// Every other element is read, of a buffer that another one is not.
// CHECK-LABEL: func.func @apart
// CHECK: affine.parallel
func.func @apart(%m: memref<32x9xf32>, %o: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %w = memref.subview %m[%i, 0] [1, 5] [1, 2] : memref<32x9xf32> to memref<1x5xf32, strided<[9, 2], offset: ?>>
    %v = affine.load %w[0, 4] : memref<1x5xf32, strided<[9, 2], offset: ?>>
    affine.store %v, %o[%i] : memref<16xf32>
  }
  return
}

// What is read by two is what the iteration before has written.
// CHECK-LABEL: func.func @meets
// CHECK: affine.for
func.func @meets(%m: memref<40xf32>) {
  affine.for %i = 0 to 16 {
    %w = memref.subview %m[%i] [2] [2] : memref<40xf32> to memref<2xf32, strided<[2], offset: ?>>
    %v = affine.load %w[1] : memref<2xf32, strided<[2], offset: ?>>
    affine.store %v, %m[%i] : memref<40xf32>
  }
  return
}
