// RUN: mlc-opt %s --affine-parallelize --verify-diagnostics 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --affine-parallelize --verify-diagnostics -o /dev/null
// Where an index is read from memory, the access may be anywhere along that dimension: no matter for what is only read.
// CHECK-LABEL: func.func @gather
// CHECK: affine.parallel
func.func @gather(%from: memref<9x4xf32>, %indices: memref<8xindex>, %to: memref<8x4xf32>) {
  affine.for %i = 0 to 8 {
    %at = affine.load %indices[%i] : memref<8xindex>
    affine.for %j = 0 to 4 {
      %v = memref.load %from[%at, %j] : memref<9x4xf32>
      affine.store %v, %to[%i, %j] : memref<8x4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @scatter
// CHECK-NOT: affine.parallel
func.func @scatter(%from: memref<8xf32>, %indices: memref<8xindex>, %to: memref<9xf32>) {
  // expected-remark@+1 {{not parallel: 'memref.store' inside may touch what another iteration touches}}
  affine.for %i = 0 to 8 {
    %at = affine.load %indices[%i] : memref<8xindex>
    %v = affine.load %from[%i] : memref<8xf32>
    memref.store %v, %to[%at] : memref<9xf32>
  }
  return
}

// CHECK-LABEL: func.func @scatter_in_rows
// CHECK: affine.parallel
func.func @scatter_in_rows(%from: memref<8xf32>, %indices: memref<8xindex>, %to: memref<8x9xf32>) {
  affine.for %i = 0 to 8 {
    %at = affine.load %indices[%i] : memref<8xindex>
    %v = affine.load %from[%i] : memref<8xf32>
    memref.store %v, %to[%i, %at] : memref<8x9xf32>
  }
  return
}
