// RUN: mlc-opt %s --graph-check-lowerable --verify-diagnostics
// How many dimensions an index names is the last size of the indices, which must be known.
!places = tensor<7x?xi64, #graph.dims<["", "d"]>>
func.func @scatter(%x: tensor<4x5x3xf32>, %at: !places, %z: tensor<7x3xf32>) -> tensor<4x5x3xf32> {
  // expected-error @below {{'graph.scatter_nd' op is not supported: how many numbers each of its indices has is unknown}}
  %0 = graph.scatter_nd %x, %at, %z : (tensor<4x5x3xf32>, !places, tensor<7x3xf32>) -> tensor<4x5x3xf32>
  return %0 : tensor<4x5x3xf32>
}
