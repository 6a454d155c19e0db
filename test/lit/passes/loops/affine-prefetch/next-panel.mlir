// RUN: mlc-opt %s --affine-prefetch --target=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// 32 panels of 512 x 32: each of 8 turns asks for an eighth of the next one, 2,048 elements in 256 iterations.
// CHECK-LABEL: func.func @panels
// CHECK-SAME: %[[W:.*]]: memref<32x512x32xf32>
// CHECK: affine.for %[[J:.*]] = 0 to 32
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[W]] {{\[\[}}0, 1, 2]] : memref<32x512x32xf32> into memref<524288xf32>
// CHECK-NEXT: affine.for %[[R:.*]] = 0 to 32 step 4
// CHECK: affine.for %[[K:.*]] = 0 to 512 step 2
// CHECK-NEXT: affine.prefetch %[[FLAT]][(%[[R]] floordiv 4) * 2048 + %[[K]] * 4 + %[[J]] * 16384 + 16384], read, locality<3>, data
// CHECK-NEXT: affine.vector_load
func.func @panels(%w: memref<32x512x32xf32>, %y: memref<32x32xf32>) {
  affine.for %j = 0 to 32 {
    affine.for %r = 0 to 32 step 4 {
      affine.for %k = 0 to 512 step 2 {
        %0 = affine.vector_load %w[%j, %k, 0] : memref<32x512x32xf32>, vector<16xf32>
        %1 = affine.vector_load %w[%j, %k, 16] : memref<32x512x32xf32>, vector<16xf32>
        %2 = affine.vector_load %w[%j, %k + 1, 0] : memref<32x512x32xf32>, vector<16xf32>
        %3 = affine.vector_load %w[%j, %k + 1, 16] : memref<32x512x32xf32>, vector<16xf32>
        affine.vector_store %0, %y[%j, 0] : memref<32x32xf32>, vector<16xf32>
      }
    }
  }
  return
}

// -----

// What fits the second cache is there; what is not read from end to end is no panel; nor is what the rows move.
// CHECK-LABEL: func.func @others
// CHECK-NOT: affine.prefetch
func.func @others(%small: memref<4x512x16xf32>, %half: memref<64x512x16xf32>, %moving: memref<64x512x16xf32>) {
  affine.for %j = 0 to 4 {
    affine.for %r = 0 to 8 {
      affine.for %k = 0 to 512 {
        %0 = affine.vector_load %small[%j, %k, 0] : memref<4x512x16xf32>, vector<16xf32>
        %1 = affine.vector_load %half[%j, %k, 0] : memref<64x512x16xf32>, vector<8xf32>
        %2 = affine.vector_load %moving[%r, %k, 0] : memref<64x512x16xf32>, vector<16xf32>
      }
    }
  }
  return
}

// -----

// 256 rows of each panel, from row %k0 on: the same rows of the next one.
// CHECK-LABEL: func.func @parts
// CHECK: affine.for %[[K0:.*]] = 0 to 512 step 256
// CHECK: affine.for %[[J:.*]] = 0 to 32
// CHECK: affine.for %[[R:.*]] = 0 to 8
// CHECK: affine.for %[[K:.*]] = 0 to 256 step 2
// CHECK-NEXT: affine.prefetch %{{.*}}[%[[R]] * 512 + %[[K]] * 2 + %[[K0]] * 16 + %[[J]] * 8192 + 8192], read
// CHECK-NEXT: affine.vector_load
// CHECK-NOT: affine.prefetch
func.func @parts(%w: memref<64x512x16xf32>) {
  affine.for %k0 = 0 to 512 step 256 {
    affine.for %j = 0 to 32 {
      affine.for %r = 0 to 8 {
        affine.for %k = 0 to 256 step 2 {
          %0 = affine.vector_load %w[%j, %k + %k0, 0] : memref<64x512x16xf32>, vector<16xf32>
          %1 = affine.vector_load %w[%j, %k + %k0 + 1, 0] : memref<64x512x16xf32>, vector<16xf32>
        }
      }
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: affine.prefetch
func.func @few_rows(%w: memref<16x512x128xf32>) {
  affine.for %j = 0 to 16 {
    affine.for %r = 0 to 2 {
      affine.for %k = 0 to 512 {
        // expected-remark @below {{its next panel is not fetched: there are too few rows to do it in}}
        %0 = affine.vector_load %w[%j, %k, 0] : memref<16x512x128xf32>, vector<128xf32>
      }
    }
  }
  return
}
