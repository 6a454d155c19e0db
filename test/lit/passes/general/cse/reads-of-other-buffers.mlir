// RUN: mlc-opt %s --cse | FileCheck %s
// A write to a buffer that cannot be the one that is read does not stand between two reads.
// CHECK-LABEL: func.func @apart
// CHECK: %[[X:.*]] = memref.load
// CHECK: memref.store
// CHECK-NOT: memref.load
// CHECK: arith.addf %[[X]], %[[X]]
func.func @apart(%a: memref<4xf32>, %i: index, %v: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %0 = memref.load %a[%i] : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %1 = memref.load %a[%i] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
// CHECK-LABEL: func.func @perhaps
// CHECK-COUNT-2: memref.load
func.func @perhaps(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) -> f32 {
  %0 = memref.load %a[%i] : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  %1 = memref.load %a[%i] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
