// RUN: mlc-opt %s --print-op-stats 2>/dev/null | FileCheck %s
// It counts, and changes nothing: an op without users is still there.
// CHECK: %[[UNUSED:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: return %arg0
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %x : i32
}
