// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What a tensor becomes has its elements.
func.func @pad_rank(%t: tensor<4xf32>, %x: f32) {
  // expected-error @below {{specified type 'tensor<7xf32>' does not match the inferred type 'tensor<6xf32>'}}
  %0 = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 1>, static_high = array<i64: 1>}> ({
  ^bb0(%i: index):
    "tensor.yield"(%x) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_args(%t: tensor<4xf32>, %x: f32) {
  // expected-error @below {{expected the block to have 1 arguments}}
  %0 = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 1>, static_high = array<i64: 1>}> ({
  ^bb0(%i: index, %j: index):
    "tensor.yield"(%x) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_yield(%t: tensor<4xf32>, %x: f64) {
  // expected-error @below {{'tensor.pad' op expected yield type to match shape element type}}
  %0 = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 1>, static_high = array<i64: 1>}> ({
  ^bb0(%i: index):
    "tensor.yield"(%x) : (f64) -> ()
  }) : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @collapse_groups(%t: tensor<2x3x4xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected collapsed rank (2) to equal the number of reassociation maps (1).}}
  %0 = "tensor.collapse_shape"(%t) <{reassociation = [[0, 1, 2]]}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @collapse_dynamic(%t: tensor<?x3xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = "tensor.collapse_shape"(%t) <{reassociation = [[0, 1]]}> : (tensor<?x3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @collapse_static(%t: tensor<2x3xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 6}}
  %0 = "tensor.collapse_shape"(%t) <{reassociation = [[0, 1]]}> : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @collapse_rank(%t: tensor<6xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected the expanded type, 'tensor<6xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<2x3xf32>'.}}
  %0 = "tensor.collapse_shape"(%t) <{reassociation = [[0], [0]]}> : (tensor<6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @expand_sizes(%t: tensor<6xf32>) {
  // expected-error @below {{'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = "tensor.expand_shape"(%t) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2>}> : (tensor<6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_element(%t: tensor<6xf32>, %s: tensor<2xindex>) {
  // expected-error @below {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %0 = "tensor.reshape"(%t, %s) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf64>
  return
}

// -----

func.func @reshape_dynamic(%t: tensor<6xf32>, %s: tensor<?xindex>) {
  // expected-error @below {{'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %0 = "tensor.reshape"(%t, %s) : (tensor<6xf32>, tensor<?xindex>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_length(%t: tensor<6xf32>, %s: tensor<3xindex>) {
  // expected-error @below {{'tensor.reshape' op length of shape operand differs from the result's tensor rank}}
  %0 = "tensor.reshape"(%t, %s) : (tensor<6xf32>, tensor<3xindex>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_count(%t: tensor<6xf32>, %s: tensor<2xindex>) {
  // expected-error @below {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %0 = "tensor.reshape"(%t, %s) : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x4xf32>
  return
}

// -----

func.func @concat_none() {
  // expected-error @below {{'tensor.concat' op requires at least one input}}
  %0 = "tensor.concat"() <{dim = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_dim(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %0 = "tensor.concat"(%t) <{dim = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_rank(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.concat' op rank of concatenated inputs must match result rank}}
  %0 = "tensor.concat"(%t) <{dim = 0 : i64}> : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @concat_element(%t: tensor<4xf32>) {
  // expected-error @below {{'tensor.concat' op inputs and result element type must match}}
  %0 = "tensor.concat"(%t) <{dim = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @concat_size(%t: tensor<4x3xf32>) {
  // expected-error @below {{'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 1}}
  %0 = "tensor.concat"(%t, %t) <{dim = 0 : i64}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @gather_none(%t: tensor<4x3xf32>, %i: tensor<2x1xindex>) {
  // expected-error @below {{'tensor.gather' op gather_dims must be non-empty}}
  %0 = "tensor.gather"(%t, %i) <{gather_dims = array<i64>}> : (tensor<4x3xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_many(%t: tensor<4x3xf32>, %i: tensor<2x3xindex>) {
  // expected-error @below {{'tensor.gather' op gather_dims overflow source rank}}
  %0 = "tensor.gather"(%t, %i) <{gather_dims = array<i64: 0, 1, 2>}> : (tensor<4x3xf32>, tensor<2x3xindex>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_negative(%t: tensor<4x3xf32>, %i: tensor<2x1xindex>) {
  // expected-error @below {{'tensor.gather' op gather_dims value must be non-negative}}
  %0 = "tensor.gather"(%t, %i) <{gather_dims = array<i64: -1>}> : (tensor<4x3xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
  return
}
