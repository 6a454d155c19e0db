// RUN: mlc-opt %s --kernel-scratch | FileCheck %s
// Buffers of sizes that the kernel computes from those it is told: callers compute them too.
// CHECK-LABEL: func.func private @kernel_0(%arg0: index, %arg1: index, %arg2: memref<f32>, %arg3: memref<f32>, %arg4: memref<i32>) {
// CHECK-NOT: memref.alloc
// CHECK: memref.reinterpret_cast %arg3 to offset: [0], sizes: [%{{.*}}, 8], strides: [8, 1] : memref<f32> to memref<?x8xf32>
// CHECK: scf.for
// CHECK: memref.reinterpret_cast %arg4 to offset: [0], sizes: [%arg0], strides: [1] : memref<i32> to memref<?xi32>
// CHECK-LABEL: func.func @main(%arg0: index, %arg1: memref<f32>) {
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[TWICE:.*]] = arith.muli %[[SEVEN]], %[[TWO]] : index
// CHECK: %[[SUM:.*]] = arith.addi %[[TWICE]], %arg0 : index
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[SUM]], %{{.*}} : index
// CHECK: memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?x8xf32>
// CHECK: memref.alloc(%arg0) {alignment = 64 : i64} : memref<?xi32>
// CHECK: call @kernel_0(%arg0, %[[SEVEN]], %arg1, %{{.*}}, %{{.*}})
#double = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
module {
  func.func private @kernel_0(%n: index, %m: index, %out: memref<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = affine.apply #double(%m)[%n]
    %rows = memref.alloc(%size) : memref<?x8xf32>
    %one = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %marks = memref.alloc(%n) : memref<?xi32>
      %mark = arith.constant 3 : i32
      memref.store %mark, %marks[%i] : memref<?xi32>
      memref.store %one, %rows[%i, %c1] : memref<?x8xf32>
    }
    %read = memref.load %rows[%c0, %c1] : memref<?x8xf32>
    memref.store %read, %out[] : memref<f32>
    return
  }
  func.func @main(%n: index, %out: memref<f32>) {
    %c7 = arith.constant 7 : index
    call @kernel_0(%n, %c7, %out) : (index, index, memref<f32>) -> ()
    return
  }
}
