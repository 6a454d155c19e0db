// RUN: mlc-opt %s --graph-to-linalg --verify-diagnostics
// An unknown batch is carried through, but not where sizes depend on it.
func.func @batches(%x: tensor<2x1x4x4xf32>, %w: tensor<1x1x3x3xf32>, %v: tensor<?x3x1x1xf32>, %y: tensor<?x4xf32>)
    -> (tensor<?x1x2x2xf32>, tensor<2x2x2x1xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>) {
  // expected-error @below {{'graph.conv' op is not supported: the batch size contradicts the input's}}
  %0 = graph.conv %x, %w : (tensor<2x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<?x1x2x2xf32>
  %n = graph.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x1x4x4xf32>) -> tensor<2x4x4x1xf32>
  // expected-error @below {{'graph.conv' op is not supported: its window is unknown}}
  %1 = graph.conv %n, %v {layout = #graph.layout<nhwc>} : (tensor<2x4x4x1xf32>, tensor<?x3x1x1xf32>) -> tensor<2x2x2x1xf32>
  // expected-error @below {{'graph.slice' op is not supported: it cuts a dimension of unknown size}}
  %2 = graph.slice %y {starts = array<i64: 1>, ends = array<i64: 9>, axes = array<i64: 0>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // expected-error @below {{'graph.pad' op is not supported: it cuts a dimension of unknown size}}
  %3 = graph.pad %y {pads = array<i64: -1, 0, 0, 0>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // expected-error @below {{'graph.reshape' op is not supported: a reshape of unknown sizes}}
  %4 = graph.reshape %y {shape = array<i64: -1, 8>} : (tensor<?x4xf32>) -> tensor<?x8xf32>
  return %0, %1, %2, %3, %4 : tensor<?x1x2x2xf32>, tensor<2x2x2x1xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>
}
