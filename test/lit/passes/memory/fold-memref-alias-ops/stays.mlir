// RUN: mlc-opt %s --fold-memref-alias-ops --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// Vectors are not read through steps or other dimensions, and nothing through joined dimensions of unknown size.
// CHECK-LABEL: func.func @strided
// CHECK: %[[V:.*]] = memref.subview
// CHECK: vector.load %[[V]]
// LOG-DAG: on 'vector.load': does not go through this window
func.func @strided(%m: memref<16x8xf32>, %i: index) -> vector<4xf32> {
  %v = memref.subview %m[0, 0] [8, 8] [2, 1] : memref<16x8xf32> to memref<8x8xf32, strided<[16, 1]>>
  %0 = vector.load %v[%i, %i] : memref<8x8xf32, strided<[16, 1]>>, vector<4xf32>
  return %0 : vector<4xf32>
}
// CHECK-LABEL: func.func @split
// CHECK: %[[V:.*]] = memref.expand_shape
// CHECK: vector.load %[[V]]
// LOG-DAG: on 'vector.load': does not go through split dimensions
func.func @split(%m: memref<16xf32>, %i: index) -> vector<4xf32> {
  %v = memref.expand_shape %m [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %0 = vector.load %v[%i, %i] : memref<4x4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
// CHECK-LABEL: func.func @joined
// CHECK: %[[V:.*]] = memref.collapse_shape
// CHECK: memref.load %[[V]]
// LOG-DAG: on 'memref.load': does not go through these joined dimensions
func.func @joined(%m: memref<4x?xf32>, %i: index) -> f32 {
  %v = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  %0 = memref.load %v[%i] : memref<?xf32>
  return %0 : f32
}
