// RUN: mlc-opt %s --interpret --entry loops --input 10 | FileCheck %s --check-prefix=LOOPS
// RUN: mlc-opt %s --interpret --entry parallel | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt %s --interpret --entry parallel --seed 7 | FileCheck %s --check-prefix=PARALLEL
// RUN: mlc-opt %s --interpret --entry forall | FileCheck %s --check-prefix=FORALL
// RUN: mlc-opt %s --interpret --entry forall --seed 3 | FileCheck %s --check-prefix=FORALL
// Loops. The sum of 0..9 is 45; gcd(1071, 462) = 21; the sum of i * j for i < 3, j < 4 is 3 * 6 = 18.
// LOOPS: 45 : index
// LOOPS-NEXT: 21 : i32
// LOOPS-NEXT: 2 : i32
func.func @loops(%n: index) -> (index, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  %a = arith.constant 1071 : i32
  %b = arith.constant 462 : i32
  %z = arith.constant 0 : i32
  %gcd:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %z : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %r = arith.remui %x, %y : i32
    scf.yield %y, %r : i32, i32
  }
  %even = arith.cmpi eq, %sum, %c0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %choice = scf.if %even -> i32 {
    scf.yield %one : i32
  } else {
    scf.yield %two : i32
  }
  return %sum, %gcd#0, %choice : index, i32, i32
}
// PARALLEL: 18 : index
// PARALLEL-NEXT: dense<{{\[\[}}0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 4, 6]]> : tensor<3x4xindex>
func.func @parallel() -> (index, memref<3x4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<3x4xindex>
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) init (%c0) -> index {
    %p = arith.muli %i, %j : index
    memref.store %p, %m[%i, %j] : memref<3x4xindex>
    scf.reduce(%p : index) {
    ^bb0(%l: index, %r: index):
      %s = arith.addi %l, %r : index
      scf.reduce.return %s : index
    }
  }
  return %sum, %m : index, memref<3x4xindex>
}
// FORALL: dense<[0, 0, 10, 10, 20, 20]> : tensor<6xindex>
func.func @forall() -> tensor<6xindex> {
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %init = tensor.empty() : tensor<6xindex>
  %r = scf.forall (%i) in (3) shared_outs(%out = %init) -> tensor<6xindex> {
    %v = arith.muli %i, %c10 : index
    %two = tensor.splat %v : tensor<2xindex>
    %at = arith.muli %i, %c2 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %two into %out[%at] [2] [1] : tensor<2xindex> into tensor<6xindex>
    }
  }
  return %r : tensor<6xindex>
}
