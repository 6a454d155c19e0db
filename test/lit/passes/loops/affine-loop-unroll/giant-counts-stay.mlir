// RUN: mlc-opt %s --affine-loop-unroll=unroll-full --verify-diagnostics
// RUN: mlc-opt %s --affine-loop-unroll=unroll-full 2>/dev/null | FileCheck %s
// Copies take memory that the text of a loop tells nothing of.
// CHECK: affine.for %{{.*}} = 0 to 1000000000
func.func @f(%m: memref<?xf32>, %x: f32) {
  // expected-remark @below {{not unrolled: 1000000000 copies of 3 ops would be more than 262144}}
  affine.for %i = 0 to 1000000000 {
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
