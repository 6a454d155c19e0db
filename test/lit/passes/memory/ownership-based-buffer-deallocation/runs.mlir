// RUN: mlc-opt %s --expand-realloc=emit-deallocs=false --ownership-based-buffer-deallocation | mlc-opt - --interpret --entry main --input 4 | FileCheck %s
// RUN: mlc-opt %s --expand-realloc=emit-deallocs=false --ownership-based-buffer-deallocation=private-function-dynamic-ownership --bufferization-lower-deallocations | mlc-opt - --interpret --entry main --input 4 | FileCheck %s
// RUN: mlc-opt %s --buffer-deallocation-pipeline | mlc-opt - --interpret --entry main --input 4 | FileCheck %s
// Buffers handed around in loops, branches and calls: the interpreter stops at one that is freed
// twice or used afterwards. By hand: after 4 iterations 1 + 4, and 1 + 3 the iteration before; then
// 5 of @pick, 5 + 7 and 7 + 7 of @blocks.
// CHECK: 5 : i32
// CHECK-NEXT: 4 : i32
// CHECK-NEXT: 31 : i32
func.func private @pick(%c: i1, %a: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i32
  %r = scf.if %c -> memref<?xi32> {
    %x = memref.alloc(%c2) : memref<?xi32>
    memref.store %five, %x[%c0] : memref<?xi32>
    scf.yield %x : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  return %r : memref<?xi32>
}
func.func private @blocks(%c: i1, %a: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7 : i32
  %x = memref.alloc(%c2) : memref<?xi32>
  memref.store %seven, %x[%c0] : memref<?xi32>
  cf.cond_br %c, ^left(%a : memref<?xi32>), ^right
^left(%p: memref<?xi32>):
  cf.br ^end(%p : memref<?xi32>)
^right:
  %y = memref.alloc(%c2) : memref<?xi32>
  memref.copy %x, %y : memref<?xi32> to memref<?xi32>
  cf.br ^end(%y : memref<?xi32>)
^end(%q: memref<?xi32>):
  %1 = memref.load %q[%c0] : memref<?xi32>
  %2 = memref.load %x[%c0] : memref<?xi32>
  %3 = arith.addi %1, %2 : i32
  return %3 : i32
}
func.func @main(%n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %yes = arith.constant true
  %one = arith.constant 1 : i32
  %m = memref.alloc(%n) : memref<?xi32>
  memref.store %one, %m[%c0] : memref<?xi32>
  %r, %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %b = %m) -> (memref<?xi32>, memref<?xi32>) {
    %k = arith.addi %i, %c1 : index
    %x = memref.alloc(%c1) : memref<?xi32>
    %grown = memref.realloc %x(%k) : memref<?xi32> to memref<?xi32>
    %old = memref.load %a[%c0] : memref<?xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %grown[%c0] : memref<?xi32>
    %view = memref.subview %grown[0][%k][1] : memref<?xi32> to memref<?xi32>
    scf.yield %view, %a : memref<?xi32>, memref<?xi32>
  }
  %last = memref.load %r[%c0] : memref<?xi32>
  %before = memref.load %q[%c0] : memref<?xi32>
  %p1 = func.call @pick(%yes, %m) : (i1, memref<?xi32>) -> memref<?xi32>
  %p2 = func.call @pick(%no, %p1) : (i1, memref<?xi32>) -> memref<?xi32>
  %picked = memref.load %p2[%c0] : memref<?xi32>
  %b1 = func.call @blocks(%yes, %p2) : (i1, memref<?xi32>) -> i32
  %b2 = func.call @blocks(%no, %p2) : (i1, memref<?xi32>) -> i32
  %s1 = arith.addi %picked, %b1 : i32
  %s2 = arith.addi %s1, %b2 : i32
  return %last, %before, %s2 : i32, i32, i32
}
