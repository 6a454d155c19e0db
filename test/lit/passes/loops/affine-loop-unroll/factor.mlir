// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=4}))' -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-full}))' -mlir-print-local-scope | FileCheck %s --check-prefix=FULL
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=4}))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=4 cleanup-unroll}))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-full}))' --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Ten iterations are two rounds of four, and two more.
// CHECK-LABEL: func.func @sum
// CHECK: %[[MOST:.*]] = affine.for %[[I:.*]] = 0 to 8 step 4 iter_args(%[[V:.*]] = %{{.*}}) -> (index) {
// CHECK-NEXT: %[[A:.*]] = arith.addi %[[V]], %[[I]]
// CHECK-NEXT: affine.apply affine_map<(d0) -> (d0 + 1)>(%[[I]])
// CHECK-NEXT: arith.addi %[[A]]
// CHECK: affine_map<(d0) -> (d0 + 3)>(%[[I]])
// CHECK: affine.for %{{.*}} = 8 to 10 iter_args(%{{.*}} = %[[MOST]])
// FULL-LABEL: func.func @sum
// FULL-NOT: affine.for
// FULL-COUNT-10: arith.addi
// FULL: return
func.func @sum() -> index {
  %c0 = arith.constant 0 : index
  %0 = affine.for %i = 0 to 10 iter_args(%v = %c0) -> index {
    %1 = arith.addi %v, %i : index
    affine.yield %1 : index
  }
  return %0 : index
}
// CHECK-LABEL: func.func @unknown
// CHECK: affine.for %{{.*}} = %arg0 to affine_map<()[s0, s1] -> (s0 + ((-s0 + s1) floordiv 4) * 4)>()[%arg0, %arg1] step 4
// CHECK: affine.for %{{.*}} = affine_map<()[s0, s1] -> (s0 + ((-s0 + s1) floordiv 4) * 4)>()[%arg0, %arg1] to %arg1
// FULL-LABEL: func.func @unknown
// FULL: affine.for %{{.*}} = %arg0 to %arg1
func.func @unknown(%a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = affine.for %i = %a to %b iter_args(%v = %c0) -> index {
    %1 = arith.addi %v, %i : index
    affine.yield %1 : index
  }
  return %0 : index
}
// The end of the copies could not be written for the least of two bounds; three iterations are fewer than four.
// CHECK-LABEL: func.func @left
// CHECK: min affine_map<()[s0, s1] -> (s0, s1)>()[%arg0, %arg1] {
// CHECK: affine.for %{{.*}} = 0 to 3 {
func.func @left(%a: index, %b: index, %m: memref<8xindex>) {
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%a, %b] {
    affine.store %i, %m[%i] : memref<8xindex>
  }
  affine.for %i = 0 to 3 {
    affine.store %i, %m[%i] : memref<8xindex>
  }
  return
}
// 0 + ... + 9, 3 + ... + 9
// EVAL: 45
// EVAL: 42
func.func @run() -> (index, index) {
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %0 = func.call @sum() : () -> index
  %1 = func.call @unknown(%c3, %c10) : (index, index) -> index
  return %0, %1 : index, index
}
