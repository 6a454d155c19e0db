// RUN: mlc-opt %s --raise-scf-to-affine --canonicalize | FileCheck %s
// Constant steps and affine indices are gathered into maps; an index that is loaded is not affine and stays.
// CHECK-LABEL: func.func @gather
// CHECK: affine.for %[[I:.*]] = 0 to 8 step 2
// CHECK: %[[K:.*]] = affine.load %{{.*}}[%[[I]] * 3 + 1] : memref<32xindex>
// CHECK: memref.load %{{.*}}[%[[K]]] : memref<32xf32>
// CHECK: affine.store %{{.*}}, %{{.*}}[%[[I]]] : memref<8xf32>
func.func @gather(%k: memref<32xindex>, %m: memref<32xf32>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %t = arith.muli %i, %c3 : index
    %at = arith.addi %t, %c1 : index
    %where = memref.load %k[%at] : memref<32xindex>
    %v = memref.load %m[%where] : memref<32xf32>
    memref.store %v, %o[%i] : memref<8xf32>
  }
  return
}
