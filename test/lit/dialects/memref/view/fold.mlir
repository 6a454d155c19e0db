// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @static(%arg0: memref<?xi8>, %arg1: index)
// CHECK: memref.view %arg0[%arg1][] : memref<?xi8> to memref<7x4xf32>
func.func @static(%m: memref<?xi8>, %at: index) -> memref<?x4xf32> {
  %c7 = arith.constant 7 : index
  %v = memref.view %m[%at][%c7] : memref<?xi8> to memref<?x4xf32>
  return %v : memref<?x4xf32>
}
// CHECK-LABEL: func.func @reshaped(%arg0: memref<12xf32>)
// CHECK-NEXT: memref.expand_shape %arg0 {{\[}}[0, 1, 2]] output_shape [3, 2, 2] : memref<12xf32> into memref<3x2x2xf32>
// CHECK-NEXT: return
func.func @reshaped(%m: memref<12xf32>) -> memref<3x2x2xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  %1 = memref.expand_shape %0 [[0], [1, 2]] output_shape [3, 2, 2] : memref<3x4xf32> into memref<3x2x2xf32>
  return %1 : memref<3x2x2xf32>
}
