// RUN: mlc-opt %s --affine-parallelize --verify-diagnostics | FileCheck %s
// A loop whose end another loop decides is not shared out together with it.
// CHECK-LABEL: func.func @f
// CHECK: affine.parallel
// CHECK: affine.for
func.func @f(%m: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    // expected-remark @below {{not parallel: its bounds depend on other loops}}
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.store %x, %m[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
