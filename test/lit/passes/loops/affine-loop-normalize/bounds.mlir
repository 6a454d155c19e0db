// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-normalize))' -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-normalize{promote-single-iter}))' -mlir-print-local-scope | FileCheck %s --check-prefix=PROMOTE
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-normalize{promote-single-iter}))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// CHECK-LABEL: func.func @triangle
// CHECK: affine.for %[[K:.*]] = 0 to 3 iter_args
// CHECK-NEXT: %[[I:.*]] = affine.apply affine_map<(d0) -> (d0 * 3 + 2)>(%[[K]])
// CHECK-NEXT: affine.for %[[L:.*]] = 0 to affine_map<(d0) -> ((-d0 + 12) ceildiv 4)>(%[[I]]) iter_args
// CHECK-NEXT: affine.apply affine_map<(d0, d1) -> (d0 + d1 * 4)>(%[[I]], %[[L]])
// CHECK: affine.for %{{.*}} = 0 to 1 iter_args
// PROMOTE-LABEL: func.func @triangle
// PROMOTE: %[[SEVEN:.*]] = arith.constant 7 : index
// PROMOTE-COUNT-2: affine.for
// PROMOTE-NOT: affine.for
// PROMOTE: arith.addi %{{.*}}, %[[SEVEN]]
func.func @triangle() -> index {
  %zero = arith.constant 0 : index
  %sum = affine.for %i = 2 to 11 step 3 iter_args(%outer = %zero) -> index {
    %inner_sum = affine.for %j = affine_map<(d0) -> (d0)>(%i) to 12 step 4 iter_args(%inner = %outer) -> index {
      %next = arith.addi %inner, %j : index
      affine.yield %next : index
    }
    affine.yield %inner_sum : index
  }
  %last = affine.for %i = 7 to 8 iter_args(%v = %sum) -> index {
    %next = arith.addi %v, %i : index
    affine.yield %next : index
  }
  return %last : index
}
// A greatest lower bound stays.
// CHECK-LABEL: func.func @greatest
// CHECK: max affine_map<()[s0, s1] -> (s0, s1)>()[%arg0, %arg1] to 10 step 3
func.func @greatest(%n: index, %k: index, %m: memref<100xindex>) {
  affine.for %i = max affine_map<()[s0, s1] -> (s0, s1)>()[%n, %k] to 10 step 3 {
    affine.store %i, %m[%i] : memref<100xindex>
  }
  return
}
// CHECK-LABEL: func.func @parallel
// CHECK: affine.parallel (%[[I:.*]], %[[J:.*]]) = (0, 0) to (3, (symbol(%arg1) - symbol(%arg0)) ceildiv 2) {
// CHECK-NEXT: affine.apply affine_map<(d0, d1) -> (d1 * 3 + 2)>(%arg0, %[[I]])
func.func @parallel(%n: index, %k: index, %m: memref<100x100xindex>) {
  affine.parallel (%i, %j) = (2, %n) to (10, %k) step (3, 2) {
    affine.store %i, %m[%i, %j] : memref<100x100xindex>
  }
  return
}
// i = 2: 2 + 6 + 10, i = 5: 5 + 9, i = 8: 8; and 7
// EVAL: 47
func.func @run() -> index {
  %0 = func.call @triangle() : () -> index
  return %0 : index
}
