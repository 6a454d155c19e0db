// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Sizes that the type or the op that made the tensor knows, and slices that are the whole.
// CHECK-LABEL: func.func @dims(%arg0: tensor<4x?xf32>, %arg1: index)
// CHECK: %c4 = arith.constant 4 : index
// CHECK: return %c4, %arg1 : index, index
func.func @dims(%t: tensor<4x?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %f = tensor.dim %e, %c1 : tensor<4x?xf32>
  return %d, %f : index, index
}

// CHECK-LABEL: func.func @whole(%arg0: tensor<4x8xf32>)
// CHECK: return %arg0 : tensor<4x8xf32>
func.func @whole(%t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = tensor.extract_slice %t[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  %c = tensor.cast %s : tensor<4x8xf32> to tensor<?x8xf32>
  %d = tensor.cast %c : tensor<?x8xf32> to tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}
