// RUN: mlc-opt %s --buffer-hoisting | FileCheck %s
// Below what makes its size, in loops, and where all its uses are.
// CHECK-LABEL: func.func @size(
// CHECK: ^bb2(%[[M:.*]]: index):
// CHECK-NEXT: memref.alloc(%[[M]])
func.func @size(%c: i1, %a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  cf.cond_br %c, ^given, ^made(%n : index)
^given:
  cf.br ^end(%a : memref<?xf32>)
^made(%m: index):
  %0 = memref.alloc(%m) : memref<?xf32>
  cf.br ^end(%0 : memref<?xf32>)
^end(%1: memref<?xf32>):
  memref.copy %1, %b : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
// CHECK: scf.if
// CHECK-NEXT: memref.alloc
func.func @loop(%c: i1, %n: index, %b: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %b) -> memref<2xf32> {
    %0 = memref.alloc() : memref<2xf32>
    scf.yield %0 : memref<2xf32>
  }
  scf.if %c {
    %1 = memref.alloc() : memref<2xf32>
    memref.copy %1, %b : memref<2xf32> to memref<2xf32>
  }
  return %r : memref<2xf32>
}
