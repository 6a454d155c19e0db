// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// Rows are independent, a perfect nest becomes one op; through a window, vectors of 8 never reach the next 8.
// CHECK-LABEL: func.func @rows
// CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (4, 8)
func.func @rows(%m: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %v = affine.load %m[%i, %j] : memref<4x8xf32>
      affine.store %v, %m[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @vectors
// CHECK: affine.parallel (%{{.*}}) = (0) to (32) step (8)
func.func @vectors(%m: memref<32xf32>, %o: memref<32xf32>) {
  affine.for %i = 0 to 32 step 8 {
    %w = memref.subview %o[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    %v = affine.vector_load %m[%i] : memref<32xf32>, vector<8xf32>
    affine.vector_store %v, %w[0] : memref<8xf32, strided<[1], offset: ?>>, vector<8xf32>
  }
  return
}

// Two iterations, of which the second one has a row less: 0 to 4 and 5 to 8, the lower halves from 2 and 6 on.
// CHECK-LABEL: func.func @halves
// CHECK: affine.parallel (%{{.*}}) = (0) to (2)
func.func @halves(%m: memref<9x8xf32>, %v: f32) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.store %v, %m[%i * 5 + %j, 0] : memref<9x8xf32>
      affine.store %v, %m[%i * 4 + %j + 2, 0] : memref<9x8xf32>
    }
  }
  return
}

// The second writes a row of the first.
// CHECK-LABEL: func.func @thirds
// CHECK-NOT: affine.parallel (%{{.*}}) = (0) to (3)
// CHECK: affine.for %{{.*}} = 0 to 3
func.func @thirds(%m: memref<20x8xf32>, %v: f32) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      affine.store %v, %m[%i * 5 + %j, 0] : memref<20x8xf32>
      affine.store %v, %m[%i * 3 + %j + 3, 0] : memref<20x8xf32>
    }
  }
  return
}
