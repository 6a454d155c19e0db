// RUN: mlc-opt %s --affine-parallelize -verify-diagnostics
// Each iteration reads what the one before wrote.
func.func @chain(%m: memref<9xf32>) {
  // expected-remark@+1 {{not parallel: 'affine.load' inside may touch what another iteration touches}}
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %m[%i + 1] : memref<9xf32>
  }
  return
}

// Vectors that overlap their neighbours.
func.func @overlap(%m: memref<32xf32>, %v: vector<8xf32>) {
  // expected-remark@+1 {{not parallel: 'affine.vector_store' inside may touch what another iteration touches}}
  affine.for %i = 0 to 24 step 4 {
    affine.vector_store %v, %m[%i] : memref<32xf32>, vector<8xf32>
  }
  return
}

// A sum is carried along.
func.func @sum(%m: memref<8xf32>, %zero: f32) -> f32 {
  // expected-remark@+1 {{not parallel: it carries values from one iteration to the next}}
  %s = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (f32) {
    %v = affine.load %m[%i] : memref<8xf32>
    %n = arith.addf %acc, %v : f32
    affine.yield %n : f32
  }
  return %s : f32
}
