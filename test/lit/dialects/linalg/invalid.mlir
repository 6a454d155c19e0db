// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Named ops agree with their operands.
func.func @reduce_rank(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) {
  // expected-error @below {{'linalg.reduce' op number of dimensions after reduction 1 doesn't match the init rank 2}}
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [1]
  return
}

// -----

func.func @transpose_permutation(%x: tensor<4x8xf32>, %e: tensor<8x4xf32>) {
  // expected-error @below {{'linalg.transpose' op permutation is not valid}}
  %0 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [0, 0]
  return
}

// -----

func.func @transpose_rank(%x: tensor<4x8xf32>, %e: tensor<8xf32>) {
  // expected-error @below {{'linalg.transpose' op input rank 2 does not match init rank 1}}
  %0 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @transpose_dims(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.transpose' op dim(result, 0) = 4 doesn't match dim(input, permutation[0]) = 8}}
  %0 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @broadcast_rank(%x: tensor<4xf32>, %e: tensor<4x8x2xf32>) {
  // expected-error @below {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 1, init rank: 3}}
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x8x2xf32>) dimensions = [1]
  return
}

// -----

func.func @broadcast_dim(%x: tensor<4xf32>, %e: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 5}}
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [5]
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>, %e: tensor<5x8xf32>) {
  // expected-error @below {{'linalg.broadcast' op input dim 0 should match init dim 0. input: 4, init: 5}}
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<5x8xf32>) dimensions = [1]
  return
}

// -----

func.func @map_shape(%x: tensor<4xf32>, %e: tensor<5xf32>) {
  // expected-error @below {{'linalg.map' op expected shape of input (4) to match shape of output (5)}}
  %0 = linalg.map { math.absf } ins(%x : tensor<4xf32>) outs(%e : tensor<5xf32>)
  return
}

// -----

func.func @softmax_dim(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) {
  // expected-error @below {{'linalg.softmax' op incorrect dimension specified}}
  %0 = linalg.softmax dimension(3) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_shape(%x: tensor<4x8xf32>, %e: tensor<4x4xf32>) {
  // expected-error @below {{'linalg.softmax' op incompatible output shape}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @index_outside() {
  // expected-error @below {{'linalg.index' op expected parent op with LinalgOp interface}}
  %0 = linalg.index 0 : index
  return
}
