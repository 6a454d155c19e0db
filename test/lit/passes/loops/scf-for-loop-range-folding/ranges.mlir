// RUN: mlc-opt %s --scf-for-loop-range-folding | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --scf-for-loop-range-folding --interpret --entry run | FileCheck %s --check-prefix=EVAL
// (i + a) * 4: the bounds become (bound + a) * 4, and the step four times as large.
// CHECK-LABEL: func.func @both
// CHECK-DAG: %[[FROM:.*]] = arith.addi %arg0, %arg2
// CHECK-DAG: %[[TO:.*]] = arith.addi %arg1, %arg2
// CHECK-DAG: %[[FROM4:.*]] = arith.muli %[[FROM]], %[[C4:.*]] :
// CHECK-DAG: %[[TO4:.*]] = arith.muli %[[TO]], %[[C4]] :
// CHECK-DAG: %[[BY:.*]] = arith.muli %{{.*}}, %[[C4]] :
// CHECK: scf.for %[[I:.*]] = %[[FROM4]] to %[[TO4]] step %[[BY]]
// CHECK-NEXT: arith.addi %{{.*}}, %[[I]]
func.func @both(%from: index, %to: index, %a: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %from to %to step %c2 iter_args(%v = %c0) -> index {
    %0 = arith.addi %i, %a : index
    %1 = arith.muli %0, %c4 : index
    %2 = arith.addi %v, %1 : index
    scf.yield %2 : index
  }
  return %r : index
}
// The factor could be 0 or negative; a variable used twice is needed as it is.
// CHECK-LABEL: func.func @left
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step
// CHECK: arith.muli
// CHECK: scf.for %{{.*}} = %arg0 to %arg1 step
// CHECK: arith.addi
func.func @left(%from: index, %to: index, %a: index, %m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  scf.for %i = %from to %to step %c1 {
    %0 = arith.muli %i, %a : index
    memref.store %c1, %m[%0] : memref<?xindex>
  }
  scf.for %i = %from to %to step %c1 {
    %0 = arith.addi %i, %a : index
    memref.store %i, %m[%0] : memref<?xindex>
  }
  return
}
// (1 + 10 + 3 + 10 + 5 + 10) * 4
// EVAL: 156
func.func @run() -> index {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %0 = func.call @both(%c1, %c6, %c10) : (index, index, index) -> index
  return %0 : index
}
