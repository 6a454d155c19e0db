// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Destinations come back as results, of ops without a body too, once these are known to be right.
func.func @softmax(%a: tensor<2x4xf32>, %b: tensor<?x4xf32>) {
  // expected-error @below {{'linalg.softmax' op expected type of operand #1 ('tensor<?x4xf32>') to match type of corresponding result ('tensor<2x4xf32>')}}
  %0 = "linalg.softmax"(%a, %b) <{dimension = 1 : i64}> : (tensor<2x4xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @softmax_elements(%a: tensor<2x4xf16>, %b: tensor<2x4xf32>) {
  // expected-error @below {{'linalg.softmax' op failed to verify that input and output have same element type}}
  %0 = "linalg.softmax"(%a, %b) <{dimension = 1 : i64}> : (tensor<2x4xf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @written(%v: vector<4xf32>, %t: tensor<8xf32>, %i: index) {
  // expected-error @below {{'vector.transfer_write' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  "vector.transfer_write"(%v, %t, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> ()
  return
}

// -----

func.func @result_first(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  %0 = "linalg.exp"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f64):
    // expected-error @below {{'linalg.yield' op type of yield operand 1 ('f32') doesn't match the element type of the enclosing linalg.generic op ('f64')}}
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @materialized(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'bufferization.materialize_in_destination' op result and 'dest' types must match}}
  %0 = "bufferization.materialize_in_destination"(%a, %b) : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}
