// RUN: mlc-opt %s --verify-diagnostics --split-input-file
// Shapes that contradict: each message says the sizes.
func.func @broadcast(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{sizes 3 and 4 do not broadcast}}
  %0 = graph.add %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @result(%a: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{the result has type tensor<2x4xf32>, but its operands make it tensor<2x3xf32>}}
  %0 = graph.add %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @channels(%x: tensor<1x5x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @below {{the input has 5 channels, the filter takes 3 in each of 1 groups}}
  %0 = graph.conv %x, %w : (tensor<1x5x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// -----

func.func @window(%x: tensor<1x3x2x2xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{the window of 3 is larger than the padded input of 2}}
  %0 = graph.conv %x, %w : (tensor<1x3x2x2xf32>, tensor<4x3x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @strides(%x: tensor<1x3x4x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'strides' has 1 entries, expected 2}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2>} : (tensor<1x3x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @elements(%x: tensor<2x3xf32>) -> tensor<4xf32> {
  // expected-error @below {{6 elements cannot become 4}}
  %0 = graph.reshape %x {shape = array<i64: 4>} : (tensor<2x3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @permutation(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{'perm' is no permutation}}
  %0 = graph.transpose %x {perm = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @kernel(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected 1 block arguments, one per operand, got 0}}
  %0 = graph.kernel ins(%x : tensor<2xf32>) -> tensor<2xf32> {
    %c = graph.constant dense<1.0> : tensor<2xf32>
    graph.yield %c : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
