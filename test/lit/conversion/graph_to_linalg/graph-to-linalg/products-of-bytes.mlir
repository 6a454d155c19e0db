// RUN: mlc-opt %s --graph-to-linalg --split-input-file | FileCheck %s
// Bytes are widened by their own signs and added up as i32; a depthwise convolution has no loops over groups.
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[B:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli %[[A]], %[[B]] : i32
func.func @product(%x: tensor<2x4xui8>, %w: tensor<4x3xi8>) -> tensor<2x3xi32> {
  %y = graph.matmul %x, %w : (tensor<2x4xui8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}

// -----

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}]
// CHECK: arith.extui
func.func @depthwise(%x: tensor<1x4x4x3xui8>, %w: tensor<2x2x1x3xi8>) -> tensor<1x3x3x3xi32> {
  %y = graph.conv %x, %w {group = 3 : i64, layout = #graph.layout<nhwc>} : (tensor<1x4x4x3xui8>, tensor<2x2x1x3xi8>) -> tensor<1x3x3x3xi32>
  return %y : tensor<1x3x3x3xi32>
}
