// RUN: mlc-opt %s --graph-integer-products --canonicalize --target=x86-64-v4-vnni --split-input-file | FileCheck %s
// What stays as it is: weights that are computed, integers that are no bytes, groups of few channels.
// CHECK-LABEL: func.func @computed
// CHECK: graph.matmul %{{.*}} : (tensor<2x4xi32>, tensor<4x2xi32>)
func.func @computed(%x: tensor<2x4xui8>, %w: tensor<4x2xi8>) -> tensor<2x2xi32> {
  %a = graph.cast %x : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %b = graph.cast %w : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %y = graph.matmul %a, %b : (tensor<2x4xi32>, tensor<4x2xi32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @wide
// CHECK: graph.matmul %{{.*}} : (tensor<2x4xi32>, tensor<4x2xi32>)
func.func @wide(%x: tensor<2x4xui8>) -> tensor<2x2xi32> {
  %w = graph.constant dense<256> : tensor<4x2xi32>
  %a = graph.cast %x : (tensor<2x4xui8>) -> tensor<2x4xi32>
  %y = graph.matmul %a, %w : (tensor<2x4xi32>, tensor<4x2xi32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @groups
// CHECK: graph.conv %{{.*}} : (tensor<1x4x3x3xi32>, tensor<4x2x1x1xi32>)
func.func @groups(%x: tensor<1x4x3x3xui8>) -> tensor<1x4x3x3xi32> {
  %w = graph.constant dense<2> : tensor<4x2x1x1xi32>
  %a = graph.cast %x : (tensor<1x4x3x3xui8>) -> tensor<1x4x3x3xi32>
  %y = graph.conv %a, %w {group = 2 : i64} : (tensor<1x4x3x3xi32>, tensor<4x2x1x1xi32>) -> tensor<1x4x3x3xi32>
  return %y : tensor<1x4x3x3xi32>
}
