// RUN: mlc-opt %s --convert-linalg-to-parallel-loops | FileCheck %s
// Parallel iterators are dimensions of one scf.parallel; a reduction runs in order inside of it.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%[[FOUR]])
// CHECK-NEXT: scf.for %[[K:.*]] = %{{.*}} to %[[EIGHT]]
// CHECK-DAG: %[[E:.*]] = memref.load %[[X]][%[[I]], %[[K]]]
// CHECK-DAG: %[[S:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[S]], %[[E]]
// CHECK: memref.store %[[SUM]], %[[Y]][%[[I]]]
// CHECK: scf.reduce
func.func @sums(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32, %s: f32):
    %sum = arith.addf %s, %e : f32
    linalg.yield %sum : f32
  }
  return
}
// What only reduces has nothing to share out.
// CHECK-LABEL: func.func @total
// CHECK-NOT: scf.parallel
// CHECK: scf.for
func.func @total(%x: memref<8xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<8xf32>) outs(%y : memref<f32>) {
  ^bb0(%e: f32, %s: f32):
    %sum = arith.addf %s, %e : f32
    linalg.yield %sum : f32
  }
  return
}
