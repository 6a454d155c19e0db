// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// What an op takes may be defined in its own region, where it does not dominate the op.
// CHECK: error: operand #0 does not dominate this use
func.func @f(%c: i1) {
  scf.if %x {
    %x = arith.xori %c, %c : i1
  }
  return
}
