// RUN: not mlc-opt %s --convert-to-llvm 2>&1 | FileCheck %s
// REQUIRES: not
// Ops on tiles are lowered behind amx-registers only.
// CHECK: its tiles have no registers: run amx-registers
func.func @f() {
  %0 = amx.tile_zero : vector<16x16xi32>
  return
}
