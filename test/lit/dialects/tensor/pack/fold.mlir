// RUN: mlc-opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @back(%arg0: tensor<8x12xf32>
// CHECK-NEXT: return %arg0
func.func @back(%t: tensor<8x12xf32>, %p: tensor<2x3x4x4xf32>) -> tensor<8x12xf32> {
  %0 = tensor.pack %t outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x12xf32> -> tensor<2x3x4x4xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<2x3x4x4xf32> -> tensor<8x12xf32>
  return %1 : tensor<8x12xf32>
}
// Whole tiles need no padding; dimensions that are not tiled are known from the other side.
// CHECK-LABEL: func.func @padding
// CHECK-NEXT: tensor.pack %arg0 inner_dims_pos
func.func @padding(%t: tensor<8xf32>, %x: f32, %p: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = tensor.pack %t padding_value(%x : f32) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @infer(%arg0: tensor<8x?xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %arg0 : tensor<8x?xf32> to tensor<8x5xf32>
// CHECK-NEXT: tensor.pack %[[C]]
func.func @infer(%t: tensor<8x?xf32>, %p: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %0 = tensor.pack %t inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8x?xf32> -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}
