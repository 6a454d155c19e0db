// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// One rejection per kind of check.

func.func @ranks(%a: tensor<4xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{'linalg.matmul' op expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %0 = linalg.matmul ins(%a, %c : tensor<4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @sizes(%a: tensor<4x8xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 4}}
  %0 = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @maps(%a: tensor<4xf32>) {
  // expected-error @+1 {{op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @yielded(%a: tensor<4xf32>, %i: i32) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error @+1 {{'linalg.yield' op type of yield operand 1 ('i32') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
    linalg.yield %i : i32
  } -> tensor<4xf32>
  return
}

// -----

func.func @permutation(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'linalg.transpose' op permutation is not valid}}
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 1]
  return
}

// -----

func.func @reduced(%a: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'linalg.reduce' op init dimensions [4] doesn't match input dimensions after reduction [8]}}
  %0 = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) dimensions = [0]
    (%x: f32, %y: f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @mapped(%a: tensor<5xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'linalg.map' op expected shape of input (5) to match shape of output (4)}}
  %0 = linalg.map ins(%a : tensor<5xf32>) outs(%b : tensor<4xf32>) (%x: f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @winograd(%a: tensor<2x4x3x5xf32>, %b: tensor<6x6x5x2xf32>) {
  // expected-error @+1 {{op expect filter height either equals to r or 1}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<2x4x3x5xf32>) outs(%b : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}
