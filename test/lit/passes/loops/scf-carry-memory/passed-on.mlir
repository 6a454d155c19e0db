// RUN: mlc-opt %s --scf-carry-memory | FileCheck %s
// Buffers that a loop passes on may be one: the store stays where the other load sees it.
// CHECK: scf.for %{{.*}} iter_args
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: memref.load
// CHECK: memref.load
// CHECK: memref.store
func.func @passed_on(%a: memref<8xf32>, %i: index) {
  %n = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %a) -> (memref<8xf32>, memref<8xf32>) {
    scf.for %j = %c0 to %n step %c1 {
      %old = memref.load %p[%i] : memref<8xf32>
      %e = memref.load %q[%j] : memref<8xf32>
      %new = arith.addf %old, %e : f32
      memref.store %new, %p[%i] : memref<8xf32>
    }
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  return
}
