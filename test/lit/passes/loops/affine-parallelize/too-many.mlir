// RUN: mlc-opt %s --affine-parallelize=by-cost | FileCheck %s
// More iterations than fit 64 bits are no run that is shared out as one.
// CHECK-LABEL: func.func @f
// CHECK: affine.parallel
// CHECK: 9223372036854775807
// CHECK: affine.parallel
// CHECK: 9223372036854775807
func.func @f(%x: memref<9223372036854775807x2xf32>, %y: memref<9223372036854775807x2xf32>) {
  affine.for %i = 0 to 9223372036854775807 {
    affine.for %j = 0 to 2 {
      %v = affine.load %x[%i, %j] : memref<9223372036854775807x2xf32>
      %e = math.exp %v : f32
      affine.store %e, %y[%i, %j] : memref<9223372036854775807x2xf32>
    }
  }
  affine.for %i = 0 to 9223372036854775807 {
    affine.for %j = 0 to 2 {
      %v = affine.load %y[%i, %j] : memref<9223372036854775807x2xf32>
      %e = math.exp %v : f32
      affine.store %e, %x[%i, %j] : memref<9223372036854775807x2xf32>
    }
  }
  return
}
