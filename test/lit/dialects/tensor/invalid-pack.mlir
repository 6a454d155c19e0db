// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Tiles divide the dimensions that they are of.
func.func @zero(%t: tensor<16xf32>, %d: tensor<2x8xf32>) {
  // expected-error @below {{invalid zero tile factor}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 0>}> : (tensor<16xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @many(%t: tensor<16xf32>, %d: tensor<2x8x1xf32>) {
  // expected-error @below {{tiling factors must be less than or equal to the input rank for pack or output rank for unpack}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8, 8>}> : (tensor<16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  return
}

// -----

func.func @count(%t: tensor<16x16xf32>, %d: tensor<2x16x8xf32>) {
  // expected-error @below {{tiling factors must equal the number of dimensions to tile}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8, 8>}> : (tensor<16x16xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return
}

// -----

func.func @size(%t: tensor<16xf32>, %d: tensor<2x4xf32>) {
  // expected-error @below {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<2x8xf32>', got 'tensor<2x4xf32>'}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8>}> : (tensor<16xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @position(%t: tensor<16xf32>, %d: tensor<2x8xf32>) {
  // expected-error @below {{invalid inner_dims_pos vector}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 3>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8>}> : (tensor<16xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @order(%t: tensor<16x16xf32>, %d: tensor<2x16x8xf32>) {
  // expected-error @below {{invalid outer_dims_perm vector}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 0, 5>, static_inner_tiles = array<i64: 8>}> : (tensor<16x16xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return
}

// -----

func.func @no_permutation(%t: tensor<16x16xf32>, %d: tensor<2x16x8xf32>) {
  // expected-error @below {{outer_dims_perm must be a permutation or empty}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 0>, static_inner_tiles = array<i64: 8>}> : (tensor<16x16xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return
}

// -----

func.func @rank(%t: tensor<16x16xf32>, %d: tensor<2x16xf32>) {
  // expected-error @below {{packed rank must equal unpacked rank + tiling factors}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8>}> : (tensor<16x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @room(%t: tensor<16xf32>, %d: tensor<1x8xf32>) {
  // expected-error @below {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<2x8xf32>', got 'tensor<1x8xf32>'}}
  %0 = "tensor.pack"(%t, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8>}> : (tensor<16xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @padding(%t: tensor<16xf32>, %d: tensor<2x8xf32>, %x: f64) {
  // expected-error @below {{'tensor.pack' op expected padding_value has 'f32' but got: 'f64'}}
  %0 = "tensor.pack"(%t, %d, %x) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, outer_dims_perm = array<i64>, static_inner_tiles = array<i64: 8>}> : (tensor<16xf32>, tensor<2x8xf32>, f64) -> tensor<2x8xf32>
  return
}
