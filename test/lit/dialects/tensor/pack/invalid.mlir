// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @partial(%t: tensor<9xf32>, %p: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = tensor.pack %t inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<9xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
// -----
func.func @twice(%t: tensor<8x8xf32>, %p: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  // expected-error @+1 {{invalid inner_dims_pos vector}}
  %0 = tensor.pack %t inner_dims_pos = [0, 0] inner_tiles = [4, 4] into %p : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %0 : tensor<2x2x4x4xf32>
}
