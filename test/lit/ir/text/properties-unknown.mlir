// RUN: mlc-opt %s -mlir-print-op-generic | FileCheck %s
// A property that the op does not have is dropped; a discardable attribute is kept.
func.func @f(%a: i32) -> i32 {
  // CHECK: "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<nsw>}> {y} :
  %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>, x}> {y} : (i32, i32) -> i32
  return %0 : i32
}
