// RUN: mlc-opt %s --scf-parallel-loop-specialization | FileCheck %s
// A dimension whose usual size is a constant gets it; where none is, the loop stays alone.
// CHECK-LABEL: func.func @tile
// CHECK: scf.if
// CHECK: scf.parallel {{.*}} to (%{{.*}})
// CHECK: } else {
// CHECK: scf.parallel {{.*}} to (%{{.*}})
func.func @tile(%n: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = affine.min affine_map<(d0) -> (d0, 32)>(%n)
  scf.parallel (%i) = (%c0) to (%size) step (%c1) {
    memref.store %i, %m[%i] : memref<64xindex>
  }
  return
}
// CHECK-LABEL: func.func @stays
// CHECK-NOT: scf.if
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
func.func @stays(%n: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%i] : memref<64xindex>
  }
  return
}
// Nor does a sequential loop change: scf-for-loop-specialization is for those.
// CHECK-LABEL: func.func @for_stays
// CHECK-NOT: scf.if
func.func @for_stays(%n: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = affine.min affine_map<(d0) -> (d0, 32)>(%n)
  scf.for %i = %c0 to %size step %c1 {
    memref.store %i, %m[%i] : memref<64xindex>
  }
  return
}
