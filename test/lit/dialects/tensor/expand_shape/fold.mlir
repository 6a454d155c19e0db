// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Two reshapes are one, or none.
// CHECK-LABEL: func.func @collapse_twice(%arg0: tensor<2x3x4x5xf32>)
// CHECK-NEXT: tensor.collapse_shape %arg0 {{\[}}[0, 1, 2], [3]] : tensor<2x3x4x5xf32> into tensor<24x5xf32>
func.func @collapse_twice(%t: tensor<2x3x4x5xf32>) -> tensor<24x5xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<6x4x5xf32> into tensor<24x5xf32>
  return %1 : tensor<24x5xf32>
}
// CHECK-LABEL: func.func @there_and_back(%arg0: tensor<?x6xf32>
// CHECK-NEXT: return %arg0
func.func @there_and_back(%t: tensor<?x6xf32>, %n: index) -> tensor<?x6xf32> {
  %0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x2x3xf32> into tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}
// A size that the new op needs is computed.
// CHECK-LABEL: func.func @smaller_expansion(%arg0: tensor<?xf32>
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[Q:.*]] = arith.divui %[[D]], %c4
// CHECK: tensor.expand_shape %arg0 {{\[}}[0, 1]] output_shape [%[[Q]], 4]
func.func @smaller_expansion(%t: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [%n, 2, 2] : tensor<?xf32> into tensor<?x2x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x2x2xf32> into tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// Two dynamic sizes of one group are not known from their product: both ops stay.
// CHECK-LABEL: func.func @ambiguous
// CHECK: tensor.expand_shape
// CHECK: tensor.collapse_shape
func.func @ambiguous(%t: tensor<?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [%m, %n, 2] : tensor<?xf32> into tensor<?x?x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x?x2xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @elements(%arg0: f32, %arg1: f32)
// CHECK-NEXT: tensor.from_elements %arg0, %arg1 : tensor<2x1xf32>
func.func @elements(%a: f32, %b: f32) -> tensor<2x1xf32> {
  %0 = tensor.from_elements %a, %b : tensor<2xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}
