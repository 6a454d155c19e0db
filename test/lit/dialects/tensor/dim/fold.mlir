// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A size is asked of whoever decided it.
// CHECK-DAG: #[[DIV:.*]] = affine_map<()[s0] -> (s0 floordiv 6)>
// CHECK-DAG: #[[MUL:.*]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func.func @slice(%arg0: tensor<8x8xf32>, %arg1: index)
// CHECK-NEXT: return %arg1 : index
func.func @slice(%t: tensor<8x8xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %t[0, 0] [4, %n] [1, 1] : tensor<8x8xf32> to tensor<4x?xf32>
  %d = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %d : index
}
// CHECK-LABEL: func.func @written(%arg0: tensor<?xf32>
// CHECK: tensor.dim %arg0
func.func @written(%t: tensor<?xf32>, %x: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}
// CHECK-LABEL: func.func @expanded(%arg0: tensor<?xf32>
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
// CHECK: affine.apply #[[DIV]]()[%[[D]]]
func.func @expanded(%t: tensor<?xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, %n, 3] : tensor<?xf32> into tensor<2x?x3xf32>
  %d = tensor.dim %0, %c1 : tensor<2x?x3xf32>
  return %d : index
}
// CHECK-LABEL: func.func @collapsed(%arg0: tensor<?x?xf32>)
// CHECK: affine.apply #[[MUL]]()
func.func @collapsed(%t: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}
// CHECK-LABEL: func.func @reshaped(%arg0: tensor<?xf32>, %arg1: tensor<2xi32>)
// CHECK: %[[E:.*]] = tensor.extract %arg1[%c1]
// CHECK: arith.index_cast %[[E]] : i32 to index
func.func @reshaped(%t: tensor<?xf32>, %s: tensor<2xi32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d : index
}
