// RUN: mlc-opt %s --scf-for-loop-peeling --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// In the last, partial iteration of the outer loop the inner one is left whole (skip-partial).
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// LOG: on 'scf.for': is in what is left of another
func.func @f(%m: memref<16x16xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      memref.store %x, %m[%i, %j] : memref<16x16xf32>
    }
  }
  return
}
