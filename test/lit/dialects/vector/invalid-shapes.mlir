// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What a vector becomes has its elements.
func.func @broadcast_rank(%v: vector<2x4xf32>) {
  // expected-error @below {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = "vector.broadcast"(%v) : (vector<2x4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @shape_cast_element(%v: vector<4xf32>) {
  // expected-error @below {{'vector.shape_cast' op source/result vectors must have same element type}}
  %0 = "vector.shape_cast"(%v) : (vector<4xf32>) -> vector<2x2xi32>
  return
}

// -----

func.func @shape_cast_size(%v: vector<4xf32>) {
  // expected-error @below {{'vector.shape_cast' op source/result number of elements must match}}
  %0 = "vector.shape_cast"(%v) : (vector<4xf32>) -> vector<3x2xf32>
  return
}

// -----

func.func @shape_cast_split(%v: vector<4x6xf32>) {
  // expected-error @below {{'vector.shape_cast' op invalid shape cast}}
  %0 = "vector.shape_cast"(%v) : (vector<4x6xf32>) -> vector<3x4x2xf32>
  return
}

// -----

func.func @bitcast_leading(%v: vector<2x4xf32>) {
  // expected-error @below {{'vector.bitcast' op dimension size mismatch at: 0}}
  %0 = "vector.bitcast"(%v) : (vector<2x4xf32>) -> vector<3x4xi32>
  return
}

// -----

func.func @bitcast_0d(%v: vector<f32>) {
  // expected-error @below {{'vector.bitcast' op source/result bitwidth of the 0-D vector element types must be equal}}
  %0 = "vector.bitcast"(%v) : (vector<f32>) -> vector<f64>
  return
}

// -----

func.func @bitcast_bits(%v: vector<4xf32>) {
  // expected-error @below {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = "vector.bitcast"(%v) : (vector<4xf32>) -> vector<4xf64>
  return
}

// -----

func.func @transpose_rank(%v: vector<2x4xf32>) {
  // expected-error @below {{'vector.transpose' op vector result rank mismatch: 1}}
  %0 = "vector.transpose"(%v) <{permutation = array<i64: 1, 0>}> : (vector<2x4xf32>) -> vector<8xf32>
  return
}

// -----

func.func @transpose_length(%v: vector<2x4xf32>) {
  // expected-error @below {{'vector.transpose' op transposition length mismatch: 1}}
  %0 = "vector.transpose"(%v) <{permutation = array<i64: 0>}> : (vector<2x4xf32>) -> vector<4x2xf32>
  return
}

// -----

func.func @transpose_size(%v: vector<2x4xf32>) {
  // expected-error @below {{'vector.transpose' op dimension size mismatch at: 0}}
  %0 = "vector.transpose"(%v) <{permutation = array<i64: 0, 1>}> : (vector<2x4xf32>) -> vector<4x2xf32>
  return
}

// -----

func.func @shuffle_length(%v: vector<4xf32>) {
  // expected-error @below {{'vector.shuffle' op invalid mask length}}
  %0 = "vector.shuffle"(%v, %v) <{mask = []}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @shuffle_mask(%v: vector<4xf32>) {
  // expected-error @below {{'vector.shuffle' op mask length mismatch}}
  %0 = "vector.shuffle"(%v, %v) <{mask = [0, 1]}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @deinterleave_odd(%v: vector<3xf32>) {
  // expected-error @below {{'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<3xf32>) -> (vector<1xf32>, vector<1xf32>)
  return
}

// -----

func.func @deinterleave_half(%v: vector<4xf32>) {
  // expected-error @below {{'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %0, %1 = "vector.deinterleave"(%v) : (vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
  return
}

// -----

func.func @interleave(%v: vector<4xf32>) {
  // expected-error @below {{'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs}}
  %0 = "vector.interleave"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @mask_0d() {
  // expected-error @below {{array attr must have length 1 for 0-D vectors}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [1, 1]}> : () -> vector<i1>
  return
}

// -----

func.func @mask_0d_size() {
  // expected-error @below {{mask dim size must be either 0 or 1 for 0-D vectors}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [2]}> : () -> vector<i1>
  return
}

// -----

func.func @mask_rank() {
  // expected-error @below {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [2]}> : () -> vector<4x4xi1>
  return
}

// -----

func.func @mask_size() {
  // expected-error @below {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [5]}> : () -> vector<4xi1>
  return
}

// -----

func.func @mask_scalable() {
  // expected-error @below {{'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [2]}> : () -> vector<[4]xi1>
  return
}

// -----

func.func @mask_zeros() {
  // expected-error @below {{'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %0 = "vector.constant_mask"() <{mask_dim_sizes = [0, 2]}> : () -> vector<4x4xi1>
  return
}

// -----

func.func @create_0d() {
  // expected-error @below {{'vector.create_mask' op must specify exactly one operand for 0-D create_mask}}
  %0 = "vector.create_mask"() : () -> vector<i1>
  return
}

// -----

func.func @create_rank(%n: index) {
  // expected-error @below {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = "vector.create_mask"(%n) : (index) -> vector<4x4xi1>
  return
}
