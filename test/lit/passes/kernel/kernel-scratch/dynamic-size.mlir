// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// What has no size when compiling, or outlives an iteration, stays an allocation.
// CHECK-LABEL: func.func private @kernel_0(%arg0: index, %arg1: memref<4xf32>) {
// CHECK: memref.alloc(%arg0)
// CHECK: scf.for
// CHECK: memref.alloc() : memref<4xf32>
module {
  func.func private @kernel_0(%n: index, %out: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc(%n) : memref<?xf32>
    %0 = memref.load %m[%c0] : memref<?xf32>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %out) -> memref<4xf32> {
      %new = memref.alloc() : memref<4xf32>
      memref.copy %old, %new : memref<4xf32> to memref<4xf32>
      scf.yield %new : memref<4xf32>
    }
    memref.copy %last, %out : memref<4xf32> to memref<4xf32>
    memref.store %0, %out[%c0] : memref<4xf32>
    return
  }
  func.func @main(%n: index, %out: memref<4xf32>) {
    call @kernel_0(%n, %out) : (index, memref<4xf32>) -> ()
    return
  }
}
