// RUN: mlc-opt %s --scf-for-to-while | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-to-while --interpret --entry run | FileCheck %s --check-prefix=EVAL
// CHECK-LABEL: func.func @nested
// CHECK: %[[R:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}}) : (index, index) -> (index, index) {
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %arg0
// CHECK: scf.condition(%[[LESS]]) %[[I]], %[[V]]
// CHECK: ^bb0(%[[J:.*]]: index, %{{.*}}: index):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[J]], %arg1
// CHECK-NEXT: %[[INNER:.*]]:2 = scf.while
// CHECK: scf.yield %[[NEXT]], %[[INNER]]#1
// CHECK: return %[[R]]#1
// CHECK-NOT: scf.for
func.func @nested(%n: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %step iter_args(%v = %c0) -> index {
    %s = scf.for %j = %i to %n step %c1 iter_args(%w = %v) -> index {
      %0 = arith.addi %w, %j : index
      scf.yield %0 : index
    }
    scf.yield %s : index
  }
  return %r : index
}
// 0 + 1 + 2 + 3 + 4, 2 + 3 + 4, 4; and no iteration
// EVAL: 23
// EVAL-NEXT: 0
func.func @run() -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %0 = func.call @nested(%c5, %c2) : (index, index) -> index
  %1 = func.call @nested(%c0, %c2) : (index, index) -> index
  return %0, %1 : index, index
}
