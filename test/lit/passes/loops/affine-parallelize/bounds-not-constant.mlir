// RUN: mlc-opt %s --affine-parallelize --verify-diagnostics | FileCheck %s
// How many iterations there are must be known, to share them out.
// CHECK: affine.for
// CHECK-NOT: affine.parallel
func.func @f(%m: memref<?xf32>, %x: f32, %n: index) {
  // expected-remark @below {{not parallel: its bounds are not constant}}
  affine.for %i = 0 to %n {
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
