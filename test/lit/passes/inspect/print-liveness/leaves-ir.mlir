// RUN: mlc-opt %s --print-liveness 2>/dev/null | FileCheck %s
// CHECK: %[[UNUSED:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT: return %arg0
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %x : i32
}
