// RUN: mlc-opt %s --drop-equivalent-buffer-results | FileCheck %s
// RUN: mlc-opt %s --drop-equivalent-buffer-results --drop-equivalent-buffer-results | FileCheck %s
// A result that is an argument, perhaps cast, goes: callers have it. What is used as a value, or
// returned by several returns, keeps its results.
// CHECK-LABEL: func.func @both(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> f32
// CHECK: return %{{.*}} : f32
func.func @both(%m: memref<4xf32>, %n: memref<4xf32>) -> (memref<4xf32>, f32, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  %cast = memref.cast %n : memref<4xf32> to memref<?xf32>
  return %m, %x, %cast : memref<4xf32>, f32, memref<?xf32>
}
// CHECK-LABEL: func.func @caller(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> f32
// CHECK: %[[X:.*]] = call @both(%arg0, %arg1) : (memref<4xf32>, memref<4xf32>) -> f32
// CHECK: %[[CAST:.*]] = memref.cast %arg1
// CHECK: memref.load %arg0
// CHECK: memref.load %[[CAST]]
func.func @caller(%m: memref<4xf32>, %n: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r:3 = call @both(%m, %n) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, f32, memref<?xf32>)
  %a = memref.load %r#0[%c0] : memref<4xf32>
  %b = memref.load %r#2[%c0] : memref<?xf32>
  %s = arith.addf %a, %b : f32
  %t = arith.addf %s, %r#1 : f32
  return %t : f32
}
// CHECK-LABEL: func.func @fresh() -> memref<4xf32>
func.func @fresh() -> memref<4xf32> {
  %x = memref.alloc() : memref<4xf32>
  return %x : memref<4xf32>
}
// CHECK-LABEL: func.func private @named(%arg0: memref<4xf32>) -> memref<4xf32>
func.func private @named(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @value() -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = constant @named : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}
// CHECK-LABEL: func.func @two_returns(%arg0: i1, %arg1: memref<4xf32>) -> memref<4xf32>
func.func @two_returns(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<4xf32>
^b:
  return %m : memref<4xf32>
}
