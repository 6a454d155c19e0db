// RUN: mlc-opt %s --assert-to-runtime | FileCheck %s
// A function that asserts nothing needs no call record, and stays.
// CHECK: func.func @f(%arg0: i1) -> i1
// CHECK-NEXT: return %arg0
// CHECK-NOT: llvm.
func.func @f(%x: i1) -> i1 {
  return %x : i1
}
