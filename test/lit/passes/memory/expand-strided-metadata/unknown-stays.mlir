// RUN: mlc-opt %s --expand-strided-metadata --log-actions-to=%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// The metadata of an argument is not computed, and a split into two unknown sizes stays.
// CHECK-LABEL: func.func @argument
// CHECK: memref.extract_strided_metadata %arg0
// LOG-DAG: on 'memref.extract_strided_metadata': is not of a view or buffer that is known
func.func @argument(%m: memref<4x?xf32>) -> index {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return %sizes#1 : index
}
// CHECK-LABEL: func.func @two_sizes
// CHECK: memref.expand_shape %arg0
// LOG-DAG: on 'memref.expand_shape': has a layout that is not known
func.func @two_sizes(%m: memref<?xf32>, %a: index, %b: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
