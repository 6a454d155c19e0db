// RUN: mlc-opt %s --scf-for-loop-range-folding | FileCheck %s
// The counter is used as it is, too, or what is added is made in the loop: the bounds stay.
// CHECK-LABEL: func.func @two_uses
// CHECK: scf.for %[[I:.*]] = %arg0 to %arg1 step %arg2
// CHECK: arith.addi %[[I]], %arg3
func.func @two_uses(%a: index, %b: index, %s: index, %k: index, %m: memref<64xindex>) {
  scf.for %i = %a to %b step %s {
    %0 = arith.addi %i, %k : index
    memref.store %i, %m[%0] : memref<64xindex>
  }
  return
}
// CHECK-LABEL: func.func @made_inside
// CHECK: scf.for %[[I:.*]] = %arg0 to %arg1 step %arg2
// CHECK: %[[K:.*]] = memref.load
// CHECK: arith.addi %[[I]], %[[K]]
func.func @made_inside(%a: index, %b: index, %s: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  scf.for %i = %a to %b step %s {
    %k = memref.load %m[%c0] : memref<64xindex>
    %0 = arith.addi %i, %k : index
    memref.store %0, %m[%c0] : memref<64xindex>
  }
  return
}
