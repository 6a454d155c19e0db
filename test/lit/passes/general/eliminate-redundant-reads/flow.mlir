// RUN: mlc-opt %s --eliminate-redundant-reads | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --eliminate-redundant-reads --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Known on both ways to the last block, though one of them writes elsewhere.
// CHECK-LABEL: func.func @diamond
// CHECK: %[[X:.*]] = memref.load
// CHECK-NOT: memref.load
// CHECK: return %[[X]]
func.func @diamond(%a: memref<4xindex>, %c: i1, %i: index) -> index {
  %m = memref.alloc() : memref<4xindex>
  %0 = memref.load %a[%i] : memref<4xindex>
  cf.cond_br %c, ^write(%0 : index), ^last
^write(%v: index):
  memref.store %v, %m[%i] : memref<4xindex>
  cf.br ^last
^last:
  %1 = memref.load %a[%i] : memref<4xindex>
  return %1 : index
}
// A loop that writes what is read: not the first iteration alone counts.
// CHECK-LABEL: func.func @loop
// CHECK: memref.load %arg0[%arg1]
// CHECK: scf.for
// CHECK: memref.load %arg0[%arg1]
// CHECK: memref.load %arg0[%arg1]
func.func @loop(%a: memref<4xindex>, %i: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %a[%i] : memref<4xindex>
  scf.for %k = %c0 to %n step %c1 {
    %1 = memref.load %a[%i] : memref<4xindex>
    %2 = arith.addi %1, %c1 : index
    memref.store %2, %a[%i] : memref<4xindex>
  }
  %3 = memref.load %a[%i] : memref<4xindex>
  %4 = arith.addi %0, %3 : index
  return %4 : index
}
// One that writes elsewhere. In the region of a condition alone it is not known behind it, and in one that
// always runs it is known, but out of reach.
// CHECK-LABEL: func.func @regions
// CHECK: %[[X:.*]] = memref.load %arg0[%arg1]
// CHECK: scf.for
// CHECK-NOT: memref.load
// CHECK: memref.store %[[X]]
// CHECK: scf.if
// CHECK: memref.load %arg0[%arg3]
// CHECK: memref.load %arg0[%arg3]
// CHECK: scf.execute_region
// CHECK: memref.load %arg0[%arg4]
// CHECK: memref.load %arg0[%arg4]
func.func @regions(%a: memref<4xindex>, %i: index, %n: index, %j: index, %k: index, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xindex>
  %0 = memref.load %a[%i] : memref<4xindex>
  scf.for %l = %c0 to %n step %c1 {
    %1 = memref.load %a[%i] : memref<4xindex>
    memref.store %1, %m[%l] : memref<4xindex>
  }
  scf.if %c {
    %2 = memref.load %a[%j] : memref<4xindex>
    memref.store %2, %m[%c0] : memref<4xindex>
  }
  %3 = memref.load %a[%j] : memref<4xindex>
  scf.execute_region {
    %5 = memref.load %a[%k] : memref<4xindex>
    memref.store %5, %m[%c1] : memref<4xindex>
    scf.yield
  }
  %6 = memref.load %a[%k] : memref<4xindex>
  %7 = arith.addi %0, %3 : index
  %8 = arith.addi %7, %6 : index
  return %8 : index
}
// Through a call of what is seen; a callee that others call too knows nothing in common, and one that is not seen may
// write anything.
// CHECK-LABEL: func.func @calls
// CHECK: %[[X:.*]] = memref.load
// CHECK: call @harmless
// CHECK-NOT: memref.load
// CHECK: call @elsewhere
// CHECK: memref.load
func.func private @elsewhere()
func.func private @harmless(%i: index) -> index {
  %0 = arith.addi %i, %i : index
  return %0 : index
}
func.func @calls(%a: memref<4xindex>, %i: index) -> (index, index, index) {
  %0 = memref.load %a[%i] : memref<4xindex>
  %1 = call @harmless(%i) : (index) -> index
  %2 = memref.load %a[%i] : memref<4xindex>
  call @elsewhere() : () -> ()
  %3 = memref.load %a[%i] : memref<4xindex>
  %4 = arith.addi %2, %1 : index
  return %0, %4, %3 : index, index, index
}
// EVAL: 5 : index
// EVAL-NEXT: 12 : index
// EVAL-NEXT: 24 : index
func.func @run() -> (index, index, index) {
  %true = arith.constant true
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<4xindex>
  memref.store %c5, %a[%c2] : memref<4xindex>
  %0 = func.call @diamond(%a, %true, %c2) : (memref<4xindex>, i1, index) -> index
  %1 = func.call @loop(%a, %c2, %c2) : (memref<4xindex>, index, index) -> index
  memref.store %c5, %a[%c1] : memref<4xindex>
  %2 = func.call @regions(%a, %c2, %c2, %c2, %c2, %true) : (memref<4xindex>, index, index, index, index, i1) -> index
  %3 = arith.constant 3 : index
  %4 = arith.addi %2, %3 : index
  return %0, %1, %4 : index, index, index
}
