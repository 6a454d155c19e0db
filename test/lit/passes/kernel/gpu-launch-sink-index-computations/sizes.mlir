// RUN: mlc-opt %s --gpu-launch-sink-index-computations --allow-unregistered-dialect | FileCheck %s
// What a launch can compute of what it has anyhow is computed inside; what it cannot, or may not for long, is passed.
// CHECK-LABEL: func.func @f
func.func @f(%m: memref<?x?xf32>, %other: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %m, %c1 : memref<?x?xf32>
  %is_less = arith.cmpi ult, %size, %n : index
  %least = arith.select %is_less, %size, %n : index
  // CHECK: %[[SUM:.*]] = arith.addi
  %sum = arith.addi %size, %n : index
  // CHECK: %[[FAR:.*]] = memref.dim
  %far = memref.dim %other, %c0 : memref<?xf32>
  // CHECK: gpu.launch
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[SIZE:.*]] = memref.dim %{{.*}}, %[[ONE]]
  // CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[SIZE]], %{{.*}}
  // CHECK: %[[LEAST:.*]] = arith.select %[[LESS]], %[[SIZE]]
  // CHECK: "use"(%{{.*}}, %{{.*}}, %[[LEAST]], %[[SUM]], %[[FAR]])
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    "use"(%m, %n, %least, %sum, %far) : (memref<?x?xf32>, index, index, index, index) -> ()
    gpu.terminator
  }
  return
}
