// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @assert
// CHECK-NEXT: %[[NO:.*]] = arith.constant false
// CHECK-NEXT: cf.assert %[[NO]], "stays"
// CHECK-NEXT: return
func.func @assert() {
  %yes = arith.constant true
  %no = arith.constant false
  cf.assert %yes, "goes"
  cf.assert %no, "stays"
  return
}
