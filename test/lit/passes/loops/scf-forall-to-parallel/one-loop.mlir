// RUN: mlc-opt %s --scf-forall-to-parallel | FileCheck %s
// RUN: mlc-opt %s --scf-forall-to-parallel --scf-forall-to-parallel | FileCheck %s
// All dimensions become one scf.parallel; sequential loops stay so.
// CHECK-LABEL: func.func @nest
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK-NEXT: memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
// CHECK-NEXT: scf.reduce
// CHECK-NOT: scf.forall
func.func @nest(%m: memref<4x8xf32>, %x: f32) {
  scf.forall (%i, %j) in (4, 8) {
    memref.store %x, %m[%i, %j] : memref<4x8xf32>
  }
  return
}
// CHECK-LABEL: func.func @for_stays
// CHECK: scf.for
// CHECK-NOT: scf.parallel
func.func @for_stays(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}
