// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Transposes that meet each other, broadcasts and fills.

// CHECK-LABEL: func.func @twice
// CHECK: linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%arg2 : tensor<3x4x2xf32>) permutation = [1, 2, 0]
func.func @twice(%x: tensor<2x3x4xf32>, %a: tensor<4x2x3xf32>, %b: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
  %0 = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%a : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %1 = linalg.transpose ins(%0 : tensor<4x2x3xf32>) outs(%b : tensor<3x4x2xf32>) permutation = [2, 0, 1]
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @nothing_moved
// CHECK: return %arg0
func.func @nothing_moved(%x: tensor<2x3xf32>, %a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%a : tensor<2x3xf32>) permutation = [0, 1]
  return %0 : tensor<2x3xf32>
}

// The smaller tensor is transposed.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<2x3xf32>) {{.*}} permutation = [1, 0]
// CHECK: linalg.broadcast ins(%[[T]] : tensor<3x2xf32>) outs(%arg2 : tensor<3x2x4xf32>) dimensions = [2]
func.func @broadcast(%x: tensor<2x3xf32>, %a: tensor<4x2x3xf32>, %b: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = linalg.broadcast ins(%x : tensor<2x3xf32>) outs(%a : tensor<4x2x3xf32>) dimensions = [0]
  %1 = linalg.transpose ins(%0 : tensor<4x2x3xf32>) outs(%b : tensor<3x2x4xf32>) permutation = [2, 1, 0]
  return %1 : tensor<3x2x4xf32>
}
