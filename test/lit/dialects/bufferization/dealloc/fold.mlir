// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @twice(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i1, %arg3: i1)
// CHECK-NEXT: %[[C:.*]] = arith.ori %arg2, %arg3
// CHECK-NEXT: %[[D:.*]] = bufferization.dealloc (%arg0 : memref<4xf32>) if (%[[C]]) retain (%arg1 : memref<4xf32>)
// CHECK-NEXT: return %[[D]], %[[D]]
func.func @twice(%m: memref<4xf32>, %r: memref<4xf32>, %a: i1, %b: i1) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%a, %b) retain (%r, %r : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : i1, i1
}
// CHECK-LABEL: func.func @never
// CHECK-NEXT: %[[F:.*]] = arith.constant false
// CHECK-NEXT: return %[[F]]
func.func @never(%m: memref<4xf32>, %r: memref<4xf32>) -> i1 {
  %no = arith.constant false
  %0 = bufferization.dealloc (%m : memref<4xf32>) if (%no) retain (%r : memref<4xf32>)
  return %0 : i1
}
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}
// CHECK-LABEL: func.func @base
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: bufferization.dealloc (%[[A]] : memref<4xf32>)
func.func @base(%c: i1, %x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  %b, %o, %s, %t = memref.extract_strided_metadata %m : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%b : memref<f32>) if (%c)
  return %y : f32
}
