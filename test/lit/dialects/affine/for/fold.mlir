// RUN: mlc-opt %s -canonicalize -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -canonicalize --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Bounds are composed; what cannot be the greatest lower or least upper bound goes.
// CHECK-LABEL: func.func @bounds
// CHECK: affine.for %[[I:.*]] = 1 to 10 {
// CHECK-NEXT: affine.for %{{.*}} = affine_map<(d0) -> (d0 * 2)>(%[[I]]) to 20 {
func.func @bounds(%m: memref<100xindex>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  affine.for %i = %c1 to affine_map<()[s0] -> (s0 + 1)>()[%c9] {
    %lower = affine.apply affine_map<(d0) -> (d0 + d0)>(%i)
    affine.for %j = max affine_map<(d0, d1) -> (d0, -d1)>(%lower, %i) to min affine_map<(d0) -> (20, d0 + 20)>(%i) {
      affine.store %j, %m[%j] : memref<100xindex>
    }
  }
  return
}
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return %arg0
func.func @empty(%x: index) -> index {
  %0 = affine.for %i = 4 to 4 iter_args(%v = %x) -> index {
    %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
    affine.yield %1 : index
  }
  return %0 : index
}
// A body that only yields: the value from outside, if the loop runs.
// CHECK-LABEL: func.func @last
// CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7
// CHECK-NEXT: return %[[SEVEN]], %arg0
func.func @last(%x: index) -> (index, index) {
  %c7 = arith.constant 7 : index
  %0:2 = affine.for %i = 0 to 3 iter_args(%v = %x, %w = %x) -> (index, index) {
    affine.yield %c7, %w : index, index
  }
  return %0#0, %0#1 : index, index
}
// It is not known that this one runs.
// CHECK-LABEL: func.func @maybe
// CHECK: affine.for
func.func @maybe(%x: index, %n: index) -> index {
  %c7 = arith.constant 7 : index
  %0 = affine.for %i = 0 to %n iter_args(%v = %x) -> index {
    affine.yield %c7 : index
  }
  return %0 : index
}
// EVAL: 7
// EVAL: 4
func.func @run() -> (index, index) {
  %c4 = arith.constant 4 : index
  %0:2 = func.call @last(%c4) : (index) -> (index, index)
  return %0#0, %0#1 : index, index
}
