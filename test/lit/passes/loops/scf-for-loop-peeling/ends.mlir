// RUN: mlc-opt %s --scf-for-loop-peeling -mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --scf-for-loop-peeling=peel-front -mlir-print-local-scope | FileCheck %s --check-prefix=FRONT
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-peeling --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-peeling=skip-partial=false --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-peeling=peel-front --interpret --entry run | FileCheck %s --check-prefix=EVAL
// The tile is whole in the first loop, and what is left in the second.
// CHECK-LABEL: func.func @tiles
// CHECK: %[[SPLIT:.*]] = affine.max affine_map<()[s0, s1, s2] -> (s1 - (s1 - s0) mod s2, s0)>()[%arg0, %arg1, %[[C4:.*]]]
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %arg0 to %[[SPLIT]] step %[[C4]] iter_args(%[[V:.*]] = %{{.*}}) -> (index) {
// CHECK: arith.addi %[[V]], %[[C4]]
// CHECK: scf.for %[[I:.*]] = %[[SPLIT]] to %arg1 step %[[C4]] iter_args(%[[V:.*]] = %[[R]]) -> (index) {
// CHECK: %[[REST:.*]] = affine.apply affine_map<(d0)[s0] -> (-d0 + s0)>(%[[I]])[%arg1]
// CHECK: arith.addi %[[V]], %[[REST]]
// The first iteration, if there is one.
// FRONT-LABEL: func.func @tiles
// FRONT: %[[END:.*]] = affine.min affine_map<()[s0, s1, s2] -> (s0 + s2, s1)>()[%arg0, %arg1, %[[C4:.*]]]
// FRONT: %[[R:.*]] = scf.for %{{.*}} = %arg0 to %[[END]] step
// FRONT: scf.for %{{.*}} = %[[END]] to %arg1 step %{{.*}} iter_args(%{{.*}} = %[[R]])
func.func @tiles(%from: index, %to: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %from to %to step %c4 iter_args(%v = %c0) -> index {
    %size = affine.min affine_map<(d0, d1) -> (4, d0 - d1)>(%to, %i)
    %0 = arith.addi %v, %size : index
    scf.yield %0 : index
  }
  return %r : index
}
// Steps that divide leave nothing; a loop inside of what is left of another stays by default.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for %{{.*}} = %c0 to %c12 step %c4
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK: scf.for %{{.*}} = %c8 to %c9 step %c4
// CHECK: scf.for %{{.*}} = %c12 to %c13 step %c4
// CHECK: scf.for %{{.*}} = %c0 to %c9 step %c4
// CHECK-NOT: scf.for
// CHECK: return
func.func @nested() -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c13 = arith.constant 13 : index
  %r = scf.for %i = %c0 to %c13 step %c4 iter_args(%v = %c0) -> index {
    %s = scf.for %j = %c0 to %c9 step %c4 iter_args(%w = %v) -> index {
      %0 = arith.addi %w, %j : index
      %1 = arith.addi %0, %i : index
      scf.yield %1 : index
    }
    scf.yield %s : index
  }
  return %r : index
}
// EVAL: 10 : index
// EVAL-NEXT: 0 : index
// EVAL-NEXT: 120 : index
func.func @run() -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %0 = func.call @tiles(%c1, %c11) : (index, index) -> index
  %1 = func.call @tiles(%c11, %c1) : (index, index) -> index
  %2 = func.call @nested() : () -> index
  return %0, %1, %2 : index, index, index
}
