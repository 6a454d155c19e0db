// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// A chain of applies is one map; constants go into it, symbols among the dimensions become symbols,
// and a value that comes twice is one input.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: index, %[[B:.*]]: index)
// CHECK-NEXT: affine.apply affine_map<()[s0, s1] -> (s0 * 10 + s1 * 2 + 3)>()[%[[A]], %[[B]]]
// CHECK-NEXT: return
func.func @chain(%a: index, %b: index) -> index {
  %c3 = arith.constant 3 : index
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%a, %b)
  %1 = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d0 + d1 + s0)>(%0, %a)[%c3]
  %2 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%1, %a)
  return %2 : index
}
// CHECK-LABEL: func.func @identity
// CHECK-NEXT: return %arg0
func.func @identity(%a: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%a)
  %1 = affine.apply affine_map<(d0) -> (d0 - 1)>(%0)
  return %1 : index
}
// CHECK-LABEL: func.func @constant
// CHECK-NEXT: arith.constant 7
func.func @constant(%a: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 3 + 1)>(%c2, %a)
  return %0 : index
}
// A variable of a loop stays a dimension.
// CHECK-LABEL: func.func @variable
// CHECK: affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%{{.*}})[%arg0]
func.func @variable(%n: index, %m: memref<?xindex>) {
  affine.for %i = 0 to 8 {
    %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%n, %i)
    memref.store %0, %m[%i] : memref<?xindex>
  }
  return
}
