// RUN: mlc-opt %s --load-dialect=%S/Inputs/costs.yaml --affine-parallelize=by-cost --target=x86-64-v3 -verify-diagnostics | FileCheck %s
// An op takes as many cycles as its record says, or its dialect's.
// CHECK-LABEL: func.func @cost_of_dialect
// CHECK: affine.parallel
func.func @cost_of_dialect(%m: memref<256xf32>) {
  affine.for %i = 0 to 256 {
    %v = affine.load %m[%i] : memref<256xf32>
    %w = costs.dear %v : f32
    affine.store %w, %m[%i] : memref<256xf32>
  }
  return
}

// CHECK-LABEL: func.func @cost_of_op
// CHECK: affine.for
func.func @cost_of_op(%m: memref<256xf32>) {
  // expected-remark@+1 {{not parallel: it takes about 256 cycles, sharing it out saves none below 4000}}
  affine.for %i = 0 to 256 {
    %v = affine.load %m[%i] : memref<256xf32>
    %w = costs.cheap %v : f32
    affine.store %w, %m[%i] : memref<256xf32>
  }
  return
}

// CHECK-LABEL: func.func @divisions
// CHECK: affine.for
func.func @divisions(%m: memref<256xf32>) {
  // expected-remark@+1 {{not parallel: it takes about 768 cycles, sharing it out saves none below 4000}}
  affine.for %i = 0 to 256 {
    %v = affine.load %m[%i] : memref<256xf32>
    %w = arith.divf %v, %v : f32
    affine.store %w, %m[%i] : memref<256xf32>
  }
  return
}
