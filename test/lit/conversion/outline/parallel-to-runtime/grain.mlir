// RUN: mlc-opt %s --parallel-to-runtime | FileCheck %s
// A chunk is mlc.grain iterations, the last one what is left: 3 chunks of 10 iterations.
// CHECK-LABEL: func.func @kernel(
// CHECK: %[[UP:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: arith.divui %[[UP]], %{{.*}} : index
// CHECK: llvm.call
// CHECK-LABEL: func.func private @kernel_task(
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[BEGIN:.*]] = arith.minsi %[[FIRST]], %[[TOTAL:.*]] : index
// CHECK: %[[LAST:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[END:.*]] = arith.minsi %[[LAST]], %[[TOTAL]] : index
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
func.func @kernel(%m: memref<10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    memref.store %v, %m[%i] : memref<10xf32>
    scf.reduce
  } {mlc.grain = 4 : i64}
  return
}
