// RUN: mlc-opt %s "--affine-parallelize=by-cost=true" --target=x86-64-v3 2>/dev/null | FileCheck %s
// Each iteration needs what the one before made; what it does itself is shared out.
// CHECK-LABEL: func.func @f
// CHECK: affine.for %{{.*}} = 0 to 100 {
// CHECK-NEXT: affine.parallel (%{{.*}}) = (0) to (65536)
// CHECK: affine.for
func.func @f(%a: memref<65536xf32>, %b: memref<65536xf32>) {
  affine.for %t = 0 to 100 {
    affine.for %i = 0 to 65536 {
      %x = affine.load %a[%i] : memref<65536xf32>
      %y = math.exp %x : f32
      affine.store %y, %b[%i] : memref<65536xf32>
    }
    affine.for %i = 1 to 65536 {
      %x = affine.load %b[%i - 1] : memref<65536xf32>
      affine.store %x, %b[%i] : memref<65536xf32>
    }
    affine.for %i = 0 to 16 {
      %x = affine.load %b[%i] : memref<65536xf32>
      affine.store %x, %a[%i] : memref<65536xf32>
    }
  }
  return
}
