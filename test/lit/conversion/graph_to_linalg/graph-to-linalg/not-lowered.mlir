// RUN: mlc-opt %s --graph-to-linalg --verify-diagnostics --split-input-file
// What cannot be lowered is an error at the op, and every one is named.
func.func @ranks(%x: tensor<*xf32>, %y: tensor<4xi4>) -> (tensor<*xf32>, tensor<4xi4>) {
  // expected-error @below {{'graph.relu' op is not supported: the rank of tensor<*xf32> is unknown, it must be fixed in the model}}
  %0 = graph.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  // expected-error @below {{'graph.add' op is not supported: elements of type i4}}
  %1 = graph.add %y, %y : (tensor<4xi4>, tensor<4xi4>) -> tensor<4xi4>
  return %0, %1 : tensor<*xf32>, tensor<4xi4>
}

// -----

func.func @size(%x: tensor<1x3x?x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x?x6xf32> {
  // expected-error @below {{'graph.conv' op is not supported: size 2 of tensor<1x4x?x6xf32> is unknown, it must be fixed in the model}}
  %0 = graph.conv %x, %w : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x6xf32>
  return %0 : tensor<1x4x?x6xf32>
}
