// RUN: mlc-opt %s --affine-loop-invariant-code-motion | FileCheck %s
// A load of what the loop writes, and what depends on the counter, stay inside.
// CHECK: affine.for
// CHECK-NEXT: affine.load %arg0[3]
// CHECK-NEXT: affine.load %arg1[%{{.*}}]
func.func @f(%m: memref<8xf32>, %q: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[3] : memref<8xf32>
    %y = affine.load %q[%i] : memref<8xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %m[%i] : memref<8xf32>
  }
  return
}
