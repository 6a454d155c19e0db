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
  // expected-error @below {{region 'body' takes 1 values, but has 0 arguments}}
  %0 = graph.kernel ins(%x : tensor<2xf32>) -> tensor<2xf32> {
    %c = graph.constant dense<1.0> : tensor<2xf32>
    graph.yield %c : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @compared(%a: tensor<2xf32>, %b: tensor<2xi32>) -> tensor<2xi1> {
  // expected-error @below {{operands have elements of types f32 and i32}}
  %0 = graph.less %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @chosen(%c: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf64>) -> tensor<2xf32> {
  // expected-error @below {{operands have elements of types f32 and f64}}
  %0 = graph.where %c, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @slice_lists(%a: tensor<4x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'starts', 'ends', 'axes' and 'steps' differ in length}}
  %0 = graph.slice %a {starts = array<i64: 0, 1>, ends = array<i64: 2>} : (tensor<4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @slice_step(%a: tensor<4x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'steps' has a 0}}
  %0 = graph.slice %a {starts = array<i64: 0>, ends = array<i64: 2>, steps = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @slice_twice(%a: tensor<4x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'axes' names dimension 1 twice}}
  %0 = graph.slice %a {starts = array<i64: 0, 0>, ends = array<i64: 2, 2>, axes = array<i64: 1, -1>} : (tensor<4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @expand_size(%a: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'shape' has a negative size}}
  %0 = graph.expand %a {shape = array<i64: -2>} : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @tile_count(%a: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'repeats' has 2 entries, the input has rank 1}}
  %0 = graph.tile %a {repeats = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @tile_negative(%a: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{'repeats' of dimension 0 leave no size}}
  %0 = graph.tile %a {repeats = array<i64: -2>} : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @trilu_rank(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{the input has rank 1, expected at least 2}}
  %0 = graph.trilu %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @gather_axis(%a: tensor<4x2xf32>, %i: tensor<2xi64>) -> tensor<*xf32> {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  %0 = graph.gather %a, %i {axis = 2 : i64} : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @gather_elements_rank(%a: tensor<4x2xf32>, %i: tensor<2xi64>) -> tensor<*xf32> {
  // expected-error @below {{data has rank 2, the indices 1}}
  %0 = graph.gather_elements %a, %i : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @gather_elements_size(%a: tensor<4x2xf32>, %i: tensor<4x3xi64>) -> tensor<*xf32> {
  // expected-error @below {{the indices have size 3 in dimension 1, data has 2}}
  %0 = graph.gather_elements %a, %i : (tensor<4x2xf32>, tensor<4x3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @gather_nd_tuple(%a: tensor<4x2xf32>, %i: tensor<5x3xi64>) -> tensor<*xf32> {
  // expected-error @below {{indices name 3 dimensions of 2}}
  %0 = graph.gather_nd %a, %i : (tensor<4x2xf32>, tensor<5x3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @gather_nd_batch(%a: tensor<4x2xf32>, %i: tensor<5x1xi64>) -> tensor<*xf32> {
  // expected-error @below {{batch sizes 4 and 5 differ}}
  %0 = graph.gather_nd %a, %i {batch_dims = 1 : i64} : (tensor<4x2xf32>, tensor<5x1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @bitcast(%a: tensor<4xf32>) -> tensor<4xi64> {
  // expected-error @below {{the bits of f32 are not as many as those of i64}}
  %0 = graph.bitcast %a : (tensor<4xf32>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
