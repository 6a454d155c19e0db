// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Values that only keep each other alive, round a loop of blocks, go with the ops that make them.
// CHECK-LABEL: func.func @circle
// CHECK-NEXT: cf.br ^[[LOOP:.*]](%arg1 : i32)
// CHECK-NEXT: ^[[LOOP]](%[[LIVE:.*]]: i32):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[LIVE]], %arg1
// CHECK-NEXT: cf.cond_br %arg0, ^[[LOOP]](%[[NEXT]] : i32), ^[[END:.*]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: return %[[LIVE]]
func.func @circle(%c: i1, %x: i32) -> i32 {
  cf.br ^loop(%x, %x, %x : i32, i32, i32)
^loop(%a: i32, %live: i32, %b: i32):
  %twice = arith.addi %a, %b : i32
  %deep = scf.if %c -> i32 {
    scf.yield %b : i32
  } else {
    scf.yield %x : i32
  }
  %next = arith.addi %live, %x : i32
  cf.cond_br %c, ^loop(%b, %next, %twice : i32, i32, i32), ^end
^end:
  return %live : i32
}
