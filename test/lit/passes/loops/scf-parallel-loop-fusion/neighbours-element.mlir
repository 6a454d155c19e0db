// RUN: mlc-opt %s --scf-parallel-loop-fusion | FileCheck %s
// The second loop reads what another iteration of the first wrote: they stay apart.
// CHECK-LABEL: func.func @shift
// CHECK-COUNT-2: scf.parallel
func.func @shift(%a: memref<17xf32>, %b: memref<17xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = memref.load %a[%i] : memref<17xf32>
    memref.store %x, %b[%i] : memref<17xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %b[%next] : memref<17xf32>
    memref.store %x, %a[%i] : memref<17xf32>
    scf.reduce
  }
  return
}
// Other iterations: apart.
// CHECK-LABEL: func.func @sizes
// CHECK-COUNT-2: scf.parallel
func.func @sizes(%a: memref<17xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<17xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %x, %a[%i] : memref<17xf32>
    scf.reduce
  }
  return
}
