// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// Terms of a semi-affine sum stand in the order of what they are made of.
// CHECK-LABEL: func.func @order
// CHECK-NEXT: affine_map<()[s0, s1] -> (s1 + s1 * s0 + s1 floordiv 3)>
func.func @order(%a: index, %b: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + d0 floordiv 3 + d0)>(%a)[%b]
  return %0 : index
}
// (x - x mod s) mod s -> 0, and x * s floordiv s -> x
// CHECK-LABEL: func.func @exact
// CHECK: %[[ZERO:.*]] = arith.constant 0
// CHECK: return %[[ZERO]], %arg0
func.func @exact(%x: index, %s: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> ((d0 - d0 mod s0) mod s0)>(%x)[%s]
  %1 = affine.apply affine_map<(d0)[s0] -> ((d0 * s0) floordiv s0)>(%x)[%s]
  return %0, %1 : index, index
}
// The same with floordiv is x floordiv s, not 0.
// CHECK-LABEL: func.func @not_zero
// CHECK-NEXT: affine.apply
func.func @not_zero(%x: index, %s: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> ((d0 - d0 mod s0) floordiv s0)>(%x)[%s]
  return %0 : index
}
// Nothing is known of a division by zero.
// CHECK-LABEL: func.func @by_zero
// CHECK: affine_map<()[s0] -> (s0 mod 0)>
func.func @by_zero(%x: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 mod 0)>(%x)
  return %0 : index
}
