// RUN: mlc-opt %s --memref-expand | FileCheck %s
// CHECK-LABEL: func.func @atomic
// CHECK: memref.generic_atomic_rmw %arg0[%arg1] : memref<?xf32> {
// CHECK-NEXT: ^bb0(%[[OLD:.*]]: f32):
// CHECK-NEXT: %[[NEW:.*]] = arith.maximumf %[[OLD]], %arg2
// CHECK-NEXT: memref.atomic_yield %[[NEW]]
// CHECK: memref.atomic_rmw addf
func.func @atomic(%m: memref<?xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw maximumf %v, %m[%i] : (f32, memref<?xf32>) -> f32
  %1 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<?xf32>) -> f32
  return
}
// CHECK-LABEL: func.func @reshape
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[S1:.*]] = arith.muli %[[C1]], %c4
// CHECK: %[[N:.*]] = memref.load %arg1[%c1{{.*}}] : memref<3xi32>
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[N]]
// CHECK: %[[S0:.*]] = arith.muli %[[S1]], %[[SIZE]]
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, %[[SIZE]], 4], strides: [%[[S0]], %[[S1]], %[[C1]]]
// CHECK: memref.reshape %arg0(%arg2)
func.func @reshape(%m: memref<*xf32>, %s: memref<3xi32>, %unknown: memref<?xindex>) -> (memref<2x?x4xf32>, memref<*xf32>) {
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<3xi32>) -> memref<2x?x4xf32>
  %1 = memref.reshape %m(%unknown) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  return %0, %1 : memref<2x?x4xf32>, memref<*xf32>
}
