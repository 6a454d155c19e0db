// RUN: mlc-opt %s --interpret --entry log2 --input 1000 | FileCheck %s
// RUN: mlc-opt %s --convert-scf-to-cf --interpret --entry log2 --input 1000 | FileCheck %s
// RUN: mlc-opt %s --convert-scf-to-cf | FileCheck %s --check-prefix=CFG
// 1000 is halved nine times until it is 1.
// CHECK: 9
// CFG-NOT: scf.
func.func @log2(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%v = %n, %count = %c0) : (index, index) -> (index, index) {
    %more = arith.cmpi ugt, %v, %c1 : index
    scf.condition(%more) %v, %count : index, index
  } do {
  ^bb0(%v: index, %count: index):
    %half = arith.divui %v, %c2 : index
    %next = arith.addi %count, %c1 : index
    scf.yield %half, %next : index, index
  }
  return %r#1 : index
}

// CFG-LABEL: func.func @fill
// CFG: memref.store
func.func @fill(%m: memref<4x4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    memref.store %i, %m[%i, %j] : memref<4x4xindex>
    scf.reduce
  }
  return
}
