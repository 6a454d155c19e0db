// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Constants stand in the attributes and the type; what was put there comes back; casts are looked through.
// CHECK-LABEL: func.func @constants(%arg0: tensor<?x?xf32>, %arg1: index)
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %arg0[2, %arg1] [3, %arg1] [1, 1] : tensor<?x?xf32> to tensor<3x?xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[S]] : tensor<3x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %[[C]]
func.func @constants(%t: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %t[%c2, %i] [%c3, %i] [%c1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// A negative size stays an operand: the op would be invalid.
// CHECK-LABEL: func.func @negative
// CHECK: tensor.extract_slice %arg0[0] [%c-1] [1]
func.func @negative(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %0 = tensor.extract_slice %t[0] [%c] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
// CHECK-LABEL: func.func @put_there(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>
// CHECK-NEXT: return %arg1
func.func @put_there(%t: tensor<8xf32>, %s: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert_slice %s into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract_slice %0[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @splat
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-NEXT: return %[[C]]
func.func @splat(%i: index) -> tensor<3xf32> {
  %t = arith.constant dense<2.0> : tensor<8xf32>
  %0 = tensor.extract_slice %t[%i] [3] [1] : tensor<8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @then_cast(%arg0: tensor<8x8xf32>, %arg1: index)
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %arg0[0, 1] [5, 1] [1, 1] : tensor<8x8xf32> to tensor<5xf32>
// CHECK-NEXT: return %[[S]]
func.func @then_cast(%t: tensor<8x8xf32>, %n: index) -> tensor<5xf32> {
  %0 = tensor.extract_slice %t[0, 1] [%n, 1] [1, 1] : tensor<8x8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<5xf32>
  return %1 : tensor<5xf32>
}
