// RUN: mlc-opt %s --graph-check-lowerable --verify-diagnostics --split-input-file
// Channels in groups become two dimensions, of which one is a quotient: their number must be known.
!image = tensor<1x?x8x8xf32, #graph.dims<["", "c", "", ""]>>
func.func @input(%x: !image, %filter: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // expected-error @below {{'graph.conv' op is not supported: groups of an unknown number of channels}}
  %0 = graph.conv %x, %filter {group = 2 : i64} : (!image, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// -----

!filter = tensor<?x3x1x1xf32, #graph.dims<["k", "", "", ""]>>
!result = tensor<1x?x8x8xf32, #graph.dims<["", "k", "", ""]>>
func.func @filter(%x: tensor<1x6x8x8xf32>, %filter: !filter) -> !result {
  // expected-error @below {{'graph.conv' op is not supported: groups of an unknown number of channels}}
  %0 = graph.conv %x, %filter {group = 2 : i64} : (tensor<1x6x8x8xf32>, !filter) -> !result
  return %0 : !result
}
