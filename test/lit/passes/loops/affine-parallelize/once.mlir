// RUN: mlc-opt %s --affine-parallelize=by-cost --target=x86-64-v3 -verify-diagnostics | FileCheck %s
// A loop that runs once or not at all is a condition: what is in it is shared out, and no remark
// says that its iterations follow each other.
// CHECK-LABEL: func.func @once
// CHECK: affine.for %{{.*}} = 0 to %{{.*}} {
// CHECK-NEXT: affine.parallel (%{{.*}}) = (0) to (512)
// CHECK: } {mlc.at_most = 1 : i64}
func.func @once(%m: memref<512x1024xf32>, %n: index) {
  affine.for %once = 0 to %n {
    affine.for %i = 0 to 512 {
      affine.for %j = 0 to 1024 {
        %v = affine.load %m[%i, %j] : memref<512x1024xf32>
        affine.store %v, %m[%i, %j] : memref<512x1024xf32>
      }
    }
  } {mlc.at_most = 1 : i64}
  return
}
