// RUN: mlc-opt %s --affine-loop-tile=tile-size=4 --verify-diagnostics | FileCheck %s
// Dependences against a loop's direction, and effects that are not known; a single loop stays in order.
// CHECK-NOT: step 4
func.func @against(%m: memref<64x64xf32>) {
  // expected-remark @below {{tiling nest is invalid due to dependences}}
  affine.for %i = 1 to 63 {
    affine.for %j = 1 to 63 {
      %0 = affine.load %m[%i - 1, %j + 1] : memref<64x64xf32>
      affine.store %0, %m[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
func.func @transposed(%m: memref<64x64xf32>) {
  // expected-remark @below {{tiling nest is invalid due to dependences}}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %m[%j, %i] : memref<64x64xf32>
      affine.store %0, %m[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
func.func private @g()
func.func @unknown() {
  // expected-remark @below {{not tiled: it is not known what 'func.call' touches}}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      func.call @g() : () -> ()
    }
  }
  return
}
func.func @triangle(%m: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %x, %m[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
func.func @carries(%m: memref<64xf32>, %x: f32) -> f32 {
  %r = affine.for %i = 0 to 64 iter_args(%s = %x) -> f32 {
    affine.yield %s : f32
  }
  return %r : f32
}
// CHECK-LABEL: func.func @one_loop
// CHECK: affine.for %{{.*}} = 0 to 64 step 4
func.func @one_loop() {
  affine.for %i = 0 to 64 {
    func.call @g() : () -> ()
  }
  return
}
