// RUN: mlc-opt %s --affine-prefetch --target=x86-64-v4 | FileCheck %s
// The last loops of an affine.parallel, with which a panel does not change, are the turns: 6 of them. Taps are part of a panel,
// and the next one is that of all taps. Bytes: 64 to a line.
// CHECK-LABEL: func.func @taps
// CHECK-SAME: %[[W:.*]]: memref<8x3x128x256xi8>
// CHECK: affine.parallel (%[[J:.*]], %[[R:.*]], %[[Q:.*]]) = (0, 0, 0) to (512, 6, 8) step (64, 2, 4)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[W]] {{.*}} into memref<786432xi8>
// CHECK: affine.for %[[T:.*]] = 0 to 3
// CHECK: affine.for %[[K:.*]] = 0 to 128 step 2
// CHECK-NEXT: affine.prefetch %[[FLAT]][((%[[R]] floordiv 2) * 2 + %[[Q]] floordiv 4) * 5462 + %[[K]] * 43 + (%[[J]] floordiv 64) * 98304 + %[[T]] * 32768 + 98304], read, locality<3>, data
// CHECK-NEXT: affine.prefetch
// CHECK-NEXT: affine.vector_load
func.func @taps(%w: memref<8x3x128x256xi8>, %y: memref<8x6x8x64xi8>) {
  affine.parallel (%j, %r, %q) = (0, 0, 0) to (512, 6, 8) step (64, 2, 4) {
    affine.for %t = 0 to 3 {
      affine.for %k = 0 to 128 step 2 {
        %0 = affine.vector_load %w[%j floordiv 64, %t, %k, 0] : memref<8x3x128x256xi8>, vector<64xi8>
        %1 = affine.vector_load %w[%j floordiv 64, %t, %k, 64] : memref<8x3x128x256xi8>, vector<64xi8>
        %2 = affine.vector_load %w[%j floordiv 64, %t, %k, 128] : memref<8x3x128x256xi8>, vector<64xi8>
        %3 = affine.vector_load %w[%j floordiv 64, %t, %k, 192] : memref<8x3x128x256xi8>, vector<64xi8>
        %4 = affine.vector_load %w[%j floordiv 64, %t, %k + 1, 0] : memref<8x3x128x256xi8>, vector<64xi8>
        %5 = affine.vector_load %w[%j floordiv 64, %t, %k + 1, 64] : memref<8x3x128x256xi8>, vector<64xi8>
        %6 = affine.vector_load %w[%j floordiv 64, %t, %k + 1, 128] : memref<8x3x128x256xi8>, vector<64xi8>
        %7 = affine.vector_load %w[%j floordiv 64, %t, %k + 1, 192] : memref<8x3x128x256xi8>, vector<64xi8>
        affine.vector_store %0, %y[%j floordiv 64, %r, %q, 0] : memref<8x6x8x64xi8>, vector<64xi8>
      }
    }
  }
  return
}

// Each iteration reads another panel: nothing is read twice.
// CHECK-LABEL: func.func @once
// CHECK-NOT: affine.prefetch
func.func @once(%w: memref<64x512x16xf32>) {
  affine.parallel (%r, %j) = (0, 0) to (8, 64) {
    affine.for %k = 0 to 512 {
      %0 = affine.vector_load %w[%j, %k, 0] : memref<64x512x16xf32>, vector<16xf32>
    }
  }
  return
}

// The matrix is made by each iteration itself: there is no next panel before it.
// CHECK-LABEL: func.func @own
// CHECK-NOT: affine.prefetch
func.func @own(%y: memref<8x6x8x16xf32>) {
  affine.parallel (%j, %r, %q) = (0, 0, 0) to (8, 6, 8) step (1, 2, 4) {
    %w = memref.alloc() : memref<8x512x256xf32>
    affine.for %k = 0 to 512 {
      %0 = affine.vector_load %w[%j, %k, 0] : memref<8x512x256xf32>, vector<256xf32>
      %1 = vector.extract_strided_slice %0 {offsets = [0], sizes = [16], strides = [1]} : vector<256xf32> to vector<16xf32>
      affine.vector_store %1, %y[%j, %r, %q, 0] : memref<8x6x8x16xf32>, vector<16xf32>
    }
    memref.dealloc %w : memref<8x512x256xf32>
  }
  return
}
