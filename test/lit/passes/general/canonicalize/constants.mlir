// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Equal constants share one place at the start of the function, the later in front of the earlier; unused ones go.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[C7:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[C5:.*]] = arith.constant 5 : i32
// CHECK-NEXT: %[[A:.*]] = arith.muli %arg0, %[[C5]]
// CHECK-NEXT: %[[B:.*]] = arith.xori %[[A]], %[[C7]]
// CHECK-NEXT: %[[C:.*]] = arith.muli %[[B]], %[[C5]]
// CHECK-NEXT: return %[[C]]
func.func @constants(%x: i32) -> i32 {
  %unused = arith.constant 99 : i32
  %c5 = arith.constant 5 : i32
  %a = arith.muli %c5, %x : i32
  %c7 = arith.constant 7 : i32
  %b = arith.xori %a, %c7 : i32
  %again = arith.constant 5 : i32
  %c = arith.muli %b, %again : i32
  return %c : i32
}
