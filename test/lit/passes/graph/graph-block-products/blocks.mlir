// RUN: mlc-opt %s --graph-block-products --canonicalize --split-input-file | FileCheck %s
// Weights in blocks of two, each with a scale and a zero point, as they are imported: the integers stay, less their zero points.
// CHECK-LABEL: func.func @few
// CHECK-DAG: %[[W:.*]] = graph.constant dense<{{\[\[\[}}0, 1], [2, 3]], {{\[\[}}2, 3], [4, 5]]]> : tensor<2x2x2xi8>
// CHECK-DAG: %[[S:.*]] = graph.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK: graph.block_matmul %arg0, %[[W]], %[[S]] : (tensor<3x4xf32>, tensor<2x2x2xi8>, tensor<2x2xf32>) -> tensor<3x2xf32>
func.func @few(%x: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %w = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %z = graph.constant dense<[[1, 1], [3, 3]]> : tensor<2x2xi8>
  %s = graph.constant dense<[[0.5, 1.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %i = graph.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  %0 = graph.cast %w : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %1 = graph.gather %z, %i {axis = 0 : i64} : (tensor<2x2xi8>, tensor<4xi64>) -> tensor<4x2xi8>
  %2 = graph.cast %1 : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %3 = graph.sub %0, %2 : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  %4 = graph.cast %3 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %5 = graph.gather %s, %i {axis = 0 : i64} : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>
  %6 = graph.mul %4, %5 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = graph.matmul %x, %6 : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// Many rows, and scales that are no blocks'.
// CHECK-LABEL: func.func @many
// CHECK: graph.matmul
func.func @many(%x: tensor<5x4xf32>) -> tensor<5x2xf32> {
  %w = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %s = graph.constant dense<[[0.5, 1.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %i = graph.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  %4 = graph.cast %w : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %5 = graph.gather %s, %i {axis = 0 : i64} : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>
  %6 = graph.mul %4, %5 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = graph.matmul %x, %6 : (tensor<5x4xf32>, tensor<4x2xf32>) -> tensor<5x2xf32>
  return %y : tensor<5x2xf32>
}

// -----

// CHECK-LABEL: func.func @mixed
// CHECK: graph.matmul
func.func @mixed(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = graph.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %s = graph.constant dense<[[0.5, 1.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %i = graph.constant dense<[0, 1, 0, 1]> : tensor<4xi64>
  %4 = graph.cast %w : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %5 = graph.gather %s, %i {axis = 0 : i64} : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>
  %6 = graph.mul %4, %5 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = graph.matmul %x, %6 : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
