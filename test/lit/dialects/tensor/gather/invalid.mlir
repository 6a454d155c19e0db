// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @order(%t: tensor<5x6xf32>, %i: tensor<3x2xindex>) {
  // expected-error @+1 {{gather_dims values must be strictly increasing}}
  %0 = tensor.gather %t[%i] gather_dims([1, 0]) : (tensor<5x6xf32>, tensor<3x2xindex>) -> tensor<3x1x1xf32>
  return
}
// -----
func.func @range(%t: tensor<5x6xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{gather_dims value must be smaller than source rank}}
  %0 = tensor.gather %t[%i] gather_dims([2]) : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  return
}
// -----
func.func @result(%t: tensor<5x6xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{result type mismatch: expected 'tensor<3x1x6xf32>' or its rank-reduced variant 'tensor<3x6xf32>' (got: 'tensor<3x5xf32>')}}
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x5xf32>
  return
}
// -----
func.func @unique(%s: tensor<3x6xf32>, %t: tensor<5x6xf32>, %i: tensor<3x1xindex>) {
  // expected-error @+1 {{requires 'unique' attribute to be set}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) : (tensor<3x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<5x6xf32>
  return
}
// -----
func.func @rank_reduced(%t: tensor<5x6xf32>, %i: tensor<3x1xindex>) -> tensor<3x6xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
