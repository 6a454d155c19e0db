// RUN: mlc-opt %s --lower-affine --verify-diagnostics
func.func @sum(%m: memref<8xf32>) -> f32 {
  // expected-error @+2 {{failed to legalize operation 'affine.parallel'}}
  // expected-note @+1 {{reductions of affine.parallel are not lowered}}
  %0 = affine.parallel (%i) = (0) to (8) reduce ("addf") -> (f32) {
    %1 = affine.load %m[%i] : memref<8xf32>
    affine.yield %1 : f32
  }
  return %0 : f32
}
