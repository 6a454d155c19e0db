// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Unreachable blocks go, a block joins its only predecessor, arguments that nobody uses go.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: cf.cond_br %arg0, ^[[LEFT:.*]](%arg1 : i32), ^[[JOIN:.*]](%arg1 : i32)
// CHECK-NEXT: ^[[LEFT]](%[[Y:.*]]: i32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[Y]], %arg1
// CHECK-NEXT: cf.br ^[[JOIN]](%[[SUM]] : i32)
// CHECK-NEXT: ^[[JOIN]](%[[R:.*]]: i32):
// CHECK-NEXT: return %[[R]]
// CHECK-NEXT: }
func.func @blocks(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^left, ^join(%x, %c : i32, i1)
^left:
  cf.br ^more(%x : i32)
^more(%y: i32):
  %twice = arith.addi %y, %x : i32
  cf.br ^join(%twice, %c : i32, i1)
^join(%r: i32, %unused: i1):
  return %r : i32
^lost:
  cf.br ^lost
}
