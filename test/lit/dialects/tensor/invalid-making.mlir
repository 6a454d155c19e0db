// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A tensor that is made has the sizes that are given.
func.func @empty_sizes(%n: index) {
  // expected-error @below {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = "tensor.empty"(%n) : (index) -> tensor<4xf32>
  return
}

// -----

func.func @extract_indices(%t: tensor<4x4xf32>, %i: index) {
  // expected-error @below {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = "tensor.extract"(%t, %i) : (tensor<4x4xf32>, index) -> f32
  return
}

// -----

func.func @generate_args(%n: index) {
  // expected-error @below {{must have one body argument per input dimension}}
  %0 = "tensor.generate"(%n) ({
  ^bb0(%i: index, %j: index):
    %x = arith.constant 1.0 : f32
    "tensor.yield"(%x) : (f32) -> ()
  }) : (index) -> tensor<?xf32>
  return
}

// -----

func.func @generate_index(%n: index) {
  // expected-error @below {{all body arguments must be index}}
  %0 = "tensor.generate"(%n) ({
  ^bb0(%i: i32):
    %x = arith.constant 1.0 : f32
    "tensor.yield"(%x) : (f32) -> ()
  }) : (index) -> tensor<?xf32>
  return
}

// -----

func.func @generate_yield(%n: index) {
  // expected-error @below {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %0 = "tensor.generate"(%n) ({
  ^bb0(%i: index):
    "tensor.yield"(%i) : (index) -> ()
  }) : (index) -> tensor<?xf32>
  return
}

// -----

func.func @generate_sizes(%n: index) {
  // expected-error @below {{must have as many index operands as dynamic extents in the result type}}
  %0 = "tensor.generate"(%n, %n) ({
  ^bb0(%i: index):
    %x = arith.constant 1.0 : f32
    "tensor.yield"(%x) : (f32) -> ()
  }) : (index, index) -> tensor<?xf32>
  return
}

// -----

func.func @splat_sizes(%n: index, %x: f32) {
  // expected-error @below {{'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = "tensor.splat"(%x, %n) : (f32, index) -> tensor<4xf32>
  return
}
