// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @size(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{expected type to be 'tensor<2x3xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<8x8xf32> to tensor<3x2xf32>
  return
}
// -----
func.func @element(%t: tensor<8x8xf32>) {
  // expected-error @+1 {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<8x8xf32> to tensor<2x3xf64>
  return
}
// -----
func.func @rank(%t: tensor<8xf32>, %s: tensor<1x2xf32>) {
  // expected-error @+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.insert_slice %s into %t[0] [2] [1] : tensor<1x2xf32> into tensor<8xf32>
  return
}
// -----
func.func @maps(%t: tensor<4x3xf32>) {
  // expected-error @+1 {{expected reassociation map #0 to have size equal to the expanded rank (2), but it is  1.}}
  %0 = tensor.collapse_shape %t [[0]] : tensor<4x3xf32> into tensor<12xf32>
  return
}
// -----
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<5x3xf32>) {
  // expected-error @+1 {{result type 'tensor<8x3xf32>'does not match inferred shape 'tensor<7x3xf32>' static sizes}}
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
  return
}
// -----
func.func @elements(%x: f32) {
  // expected-error @+1 {{operand types match result element type}}
  %0 = "tensor.from_elements"(%x) : (f32) -> tensor<3xf32>
  return
}
// -----
func.func @strides(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = "tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1>}> : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}
