// RUN: mlc-opt %s --scf-for-loop-peeling --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: mlc-opt %s --scf-for-loop-peeling=peel-front --log-actions-to=%t.front > %t.mlir
// RUN: FileCheck %s --check-prefix=FRONT < %t.front
// A step that divides leaves no partial iteration; i32 is not counted by; one iteration has no front.
// CHECK-LABEL: func.func @f
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// LOG-DAG: on 'scf.for': has no partial iteration
// LOG-DAG: on 'scf.for': is peeled, or does not count by index
// FRONT: on 'scf.for': has no more than one iteration
func.func @f(%m: memref<16xf32>, %x: f32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  scf.for %i = %zero to %n step %three : i32 {
    %at = arith.index_cast %i : i32 to index
    memref.store %x, %m[%at] : memref<16xf32>
  }
  return
}
