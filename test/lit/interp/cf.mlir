// RUN: mlc-opt %s --interpret --entry collatz --input 27 | FileCheck %s --check-prefix=COLLATZ
// RUN: mlc-opt %s --interpret --entry swap --input 5 | FileCheck %s --check-prefix=SWAP
// RUN: mlc-opt %s --interpret --entry choose --input 7 | FileCheck %s --check-prefix=CHOOSE
// Branches, with arguments that are each other's. 27 takes 111 steps to 1 (OEIS A006577).
// COLLATZ: 111 : i32
func.func @collatz(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  cf.br ^head(%n, %c0 : i32, i32)
^head(%x: i32, %steps: i32):
  %done = arith.cmpi eq, %x, %c1 : i32
  cf.cond_br %done, ^exit, ^body
^body:
  %next = arith.addi %steps, %c1 : i32
  %odd = arith.remui %x, %c2 : i32
  %is_odd = arith.cmpi ne, %odd, %c0 : i32
  %half = arith.divui %x, %c2 : i32
  %triple = arith.muli %x, %c3 : i32
  %up = arith.addi %triple, %c1 : i32
  cf.cond_br %is_odd, ^head(%up, %next : i32, i32), ^head(%half, %next : i32, i32)
^exit:
  return %steps : i32
}
// Swapped an odd number of times.
// SWAP: dense<2> : vector<1xi32>
// SWAP-NEXT: dense<1> : vector<1xi32>
func.func @swap(%n: i32) -> (vector<1xi32>, vector<1xi32>) {
  %a = arith.constant dense<1> : vector<1xi32>
  %b = arith.constant dense<2> : vector<1xi32>
  %a1 = arith.addi %a, %a : vector<1xi32>
  %a2 = arith.subi %a1, %a : vector<1xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%n, %a2, %b : i32, vector<1xi32>, vector<1xi32>)
^loop(%i: i32, %x: vector<1xi32>, %y: vector<1xi32>):
  %left = arith.subi %i, %c1 : i32
  %more = arith.cmpi sgt, %i, %c0 : i32
  cf.cond_br %more, ^loop(%left, %y, %x : i32, vector<1xi32>, vector<1xi32>), ^exit
^exit:
  return %x, %y : vector<1xi32>, vector<1xi32>
}
// CHOOSE: 70 : i32
func.func @choose(%n: i32) -> i32 {
  %c10 = arith.constant 10 : i32
  cf.switch %n : i32, [
    default: ^out(%n : i32),
    3: ^out(%c10 : i32),
    7: ^times(%n, %c10 : i32, i32)
  ]
^times(%x: i32, %y: i32):
  %p = arith.muli %x, %y : i32
  cf.br ^out(%p : i32)
^out(%r: i32):
  return %r : i32
}
