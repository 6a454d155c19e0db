// RUN: mlc-opt %s --affine-loop-unroll=unroll-factor=0 --verify-diagnostics
// expected-error @below {{the factor to unroll by must be positive}}
module {
  func.func @f(%m: memref<8xf32>, %x: f32) {
    affine.for %i = 0 to 8 {
      affine.store %x, %m[%i] : memref<8xf32>
    }
    return
  }
}
