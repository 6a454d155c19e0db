// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// CHECK-LABEL: func.func @merge
// CHECK-NEXT: affine.min affine_map<()[s0, s1] -> (s1 + 16, s1 * 8, s0 + 4)>()[%arg1, %arg0]
func.func @merge(%a: index, %b: index) -> index {
  %0 = affine.min affine_map<()[s0] -> (s0 + 16, s0 * 8)>()[%a]
  %1 = affine.min affine_map<(d0)[s0] -> (s0 + 4, d0)>(%0)[%b]
  return %1 : index
}
// A minimum does not merge into a maximum.
// CHECK-LABEL: func.func @no_merge
// CHECK: affine.min
// CHECK: affine.max
func.func @no_merge(%a: index, %b: index) -> index {
  %0 = affine.min affine_map<()[s0] -> (s0 + 16, s0 * 8)>()[%a]
  %1 = affine.max affine_map<(d0)[s0] -> (s0 + 4, d0)>(%0)[%b]
  return %1 : index
}
// CHECK-LABEL: func.func @order
// CHECK-NEXT: affine.max affine_map<()[s0] -> (-s0, 3, s0)>
func.func @order(%a: index) -> index {
  %0 = affine.max affine_map<()[s0] -> (s0, 3, -s0, s0)>()[%a]
  return %0 : index
}
// CHECK-LABEL: func.func @one
// CHECK-NEXT: affine.apply affine_map<()[s0] -> (s0 * 2)>
func.func @one(%a: index) -> index {
  %0 = affine.min affine_map<(d0) -> (d0 + d0, d0 * 2)>(%a)
  return %0 : index
}
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: arith.constant 5
func.func @constants() -> index {
  %c8 = arith.constant 8 : index
  %0 = affine.min affine_map<(d0) -> (d0, 5)>(%c8)
  return %0 : index
}
