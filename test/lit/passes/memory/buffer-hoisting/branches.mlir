// RUN: mlc-opt %s --buffer-hoisting | FileCheck %s
// A buffer that one of two blocks allocates and hands on is allocated before they part.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: cf.cond_br
// CHECK: cf.br ^{{.*}}(%[[A]] :
func.func @blocks(%c: i1, %a: memref<2xf32>, %b: memref<2xf32>) {
  cf.cond_br %c, ^given, ^made
^given:
  cf.br ^end(%a : memref<2xf32>)
^made:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %a, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^end(%0 : memref<2xf32>)
^end(%1: memref<2xf32>):
  memref.copy %1, %b : memref<2xf32> to memref<2xf32>
  return
}

// CHECK-LABEL: func.func @regions(
// CHECK-COUNT-2: memref.alloc() : memref<2xf32>
// CHECK: scf.if
func.func @regions(%c: i1, %b: memref<2xf32>) {
  %r = scf.if %c -> memref<2xf32> {
    %0 = memref.alloc() : memref<2xf32>
    scf.yield %0 : memref<2xf32>
  } else {
    %1 = memref.alloc() : memref<2xf32>
    scf.yield %1 : memref<2xf32>
  }
  memref.copy %r, %b : memref<2xf32> to memref<2xf32>
  return
}
