// RUN: mlc-opt %s --raise-scf-to-affine --canonicalize | FileCheck %s
// What is computed before all loops, by whatever arithmetic, is a symbol of bounds and indices.
// CHECK: #[[END:.*]] = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK-LABEL: func.func @symbols
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[LESS:.*]] = arith.select
// CHECK: affine.for %[[I:.*]] = 0 to #[[END]]()[%[[N]], %[[LESS]]] step 4
// CHECK: affine.store %{{.*}}, %{{.*}}[%[[I]] + symbol(%[[LESS]])]
func.func @symbols(%n: index, %o: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %is_few = arith.cmpi slt, %n, %c4 : index
  %less = arith.select %is_few, %n, %c4 : index
  %end = arith.subi %n, %less : index
  scf.for %i = %c0 to %end step %c4 {
    %at = arith.addi %i, %less : index
    memref.store %v, %o[%at] : memref<?xf32>
  }
  return
}

// What a loop computes is none.
// CHECK-LABEL: func.func @inside
// CHECK: affine.for
// CHECK: scf.for
func.func @inside(%n: index, %o: memref<8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %rest = arith.remsi %i, %n : index
    scf.for %j = %c0 to %rest step %c1 {
      memref.store %v, %o[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
