// RUN: mlc-opt %s --kernel-scratch --verify-diagnostics
// The caller gives the scratch, and must know how much.
module {
  func.func private @kernel_0(%n: index, %out: memref<4xf32>) {
    // expected-error @below {{'memref.alloc' op a kernel's scratch must have a static size}}
    %m = memref.alloc(%n) : memref<?xf32>
    %0 = affine.load %m[0] : memref<?xf32>
    affine.store %0, %out[0] : memref<4xf32>
    return
  }
  func.func @main(%n: index, %out: memref<4xf32>) {
    call @kernel_0(%n, %out) : (index, memref<4xf32>) -> ()
    return
  }
}
