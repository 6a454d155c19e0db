// RUN: mlc-opt %s --scf-forall-to-for | FileCheck %s
// One loop for each dimension, the last one inside; what is no forall stays as it is.
// CHECK-LABEL: func.func @nest
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
// CHECK-NOT: scf.forall
func.func @nest(%m: memref<4x8xf32>, %x: f32) {
  scf.forall (%i, %j) in (4, 8) {
    memref.store %x, %m[%i, %j] : memref<4x8xf32>
  }
  return
}
// CHECK-LABEL: func.func @parallel_stays
// CHECK: scf.parallel
// CHECK-NOT: scf.for
func.func @parallel_stays(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
