// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// Without costs a whole nest becomes one op, whatever its depth: a GPU has a thread for each iteration.
// CHECK: affine.parallel (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0, 0, 0) to (2, 3, 4, 5, 6)
func.func @f(%a: memref<2x3x4x5x6xf32>, %x: f32) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        affine.for %l = 0 to 5 {
          affine.for %m = 0 to 6 {
            affine.store %x, %a[%i, %j, %k, %l, %m] : memref<2x3x4x5x6xf32>
          }
        }
      }
    }
  }
  return
}
