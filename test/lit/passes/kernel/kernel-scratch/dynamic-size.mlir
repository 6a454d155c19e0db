// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// What outlives an iteration, what only a branch needs, and what has a size that the kernel does not
// compute from those it is told, stays an allocation.
// CHECK-LABEL: func.func private @kernel_0(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<index>) {
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: scf.for
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: scf.if
// CHECK: memref.alloc(%arg0) : memref<?xf32>
module {
  func.func private @kernel_0(%n: index, %out: memref<4xf32>, %count: memref<index>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %read = memref.load %count[] : memref<index>
    %m = memref.alloc(%read) : memref<?xf32>
    %0 = memref.load %m[%c0] : memref<?xf32>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %out) -> memref<4xf32> {
      %new = memref.alloc() : memref<4xf32>
      memref.copy %old, %new : memref<4xf32> to memref<4xf32>
      scf.yield %new : memref<4xf32>
    }
    memref.copy %last, %out : memref<4xf32> to memref<4xf32>
    %some = arith.cmpi sgt, %n, %c1 : index
    scf.if %some {
      %branch = memref.alloc(%n) : memref<?xf32>
      memref.store %0, %branch[%c0] : memref<?xf32>
      %1 = memref.load %branch[%c1] : memref<?xf32>
      memref.store %1, %out[%c0] : memref<4xf32>
    }
    return
  }
  func.func @main(%n: index, %out: memref<4xf32>, %count: memref<index>) {
    call @kernel_0(%n, %out, %count) : (index, memref<4xf32>, memref<index>) -> ()
    return
  }
}
