// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A view has the elements and the layout of what it is of.
func.func @view_base(%m: memref<64xi8, strided<[2]>>, %i: index) {
  // expected-error @below {{unsupported map for base memref type 'memref<64xi8, strided<[2]>>'}}
  %0 = "memref.view"(%m, %i) : (memref<64xi8, strided<[2]>>, index) -> memref<8xf32>
  return
}

// -----

func.func @view_result(%m: memref<64xi8>, %i: index) {
  // expected-error @below {{unsupported map for result memref type 'memref<8xf32, strided<[2]>>'}}
  %0 = "memref.view"(%m, %i) : (memref<64xi8>, index) -> memref<8xf32, strided<[2]>>
  return
}

// -----

func.func @reshape_element(%m: memref<6xf32>, %s: memref<2xindex>) {
  // expected-error @below {{'memref.reshape' op element types of source and destination memref types should be the same}}
  %0 = "memref.reshape"(%m, %s) : (memref<6xf32>, memref<2xindex>) -> memref<2x3xf64>
  return
}

// -----

func.func @reshape_layout(%m: memref<6xf32, strided<[2]>>, %s: memref<2xindex>) {
  // expected-error @below {{'memref.reshape' op source memref type should have identity affine map}}
  %0 = "memref.reshape"(%m, %s) : (memref<6xf32, strided<[2]>>, memref<2xindex>) -> memref<2x3xf32>
  return
}

// -----

func.func @reshape_result(%m: memref<6xf32>, %s: memref<2xindex>) {
  // expected-error @below {{'memref.reshape' op result memref type should have identity affine map}}
  %0 = "memref.reshape"(%m, %s) : (memref<6xf32>, memref<2xindex>) -> memref<2x3xf32, strided<[6, 1]>>
  return
}

// -----

func.func @reshape_length(%m: memref<6xf32>, %s: memref<3xindex>) {
  // expected-error @below {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %0 = "memref.reshape"(%m, %s) : (memref<6xf32>, memref<3xindex>) -> memref<2x3xf32>
  return
}

// -----

func.func @cast_layout(%m: memref<16xf32>) {
  // expected-error @below {{expected result type to have strided layout but found 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
  %0 = "memref.reinterpret_cast"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<16xf32>) -> memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}

// -----

func.func @cast_offset(%m: memref<16xf32>) {
  // expected-error @below {{expected result type with offset = 2 instead of 0}}
  %0 = "memref.reinterpret_cast"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<16xf32>) -> memref<4xf32>
  return
}

// -----

func.func @subview_element(%m: memref<16xf32>) {
  // expected-error @below {{expected result element type to be 'f32'}}
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<16xf32>) -> memref<4xf64, strided<[1]>>
  return
}

// -----

func.func @subview_layout(%m: memref<16xf32, affine_map<(d0) -> (d0 floordiv 2)>>) {
  // expected-error @below {{base type 'memref<16xf32, affine_map<(d0) -> (d0 floordiv 2)>>' is not strided}}
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<16xf32, affine_map<(d0) -> (d0 floordiv 2)>>) -> memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @transpose_map(%m: memref<4x4xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map}}
  %0 = "memref.transpose"(%m) <{permutation = affine_map<(d0, d1) -> (d0, d0)>}> : (memref<4x4xf32>) -> memref<4x4xf32>
  return
}

// -----

func.func @transpose_rank(%m: memref<4x4xf32>) {
  // expected-error @below {{'memref.transpose' op expected a permutation map of same rank as the input}}
  %0 = "memref.transpose"(%m) <{permutation = affine_map<(d0) -> (d0)>}> : (memref<4x4xf32>) -> memref<4x4xf32>
  return
}

// -----

func.func @expand_groups(%m: memref<6x2xf32>) {
  // expected-error @below {{'memref.expand_shape' op invalid number of reassociation groups: found 1, expected 2}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 2, 3, 2>}> : (memref<6x2xf32>) -> memref<2x3x2xf32>
  return
}

// -----

func.func @expand_rank_0(%m: memref<f32>) {
  // expected-error @below {{'memref.expand_shape' op rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [], static_output_shape = array<i64: 2>}> : (memref<f32>) -> memref<2xf32>
  return
}

// -----

func.func @expand_indices(%m: memref<6xf32>) {
  // expected-error @below {{'memref.expand_shape' op collapsed dim size (6) must equal reassociation group size (2)}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0]], static_output_shape = array<i64: 2, 3>}> : (memref<6xf32>) -> memref<2x3xf32>
  return
}

// -----

func.func @expand_sizes(%m: memref<6xf32>) {
  // expected-error @below {{'memref.expand_shape' op expected number of static shape bounds to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2>}> : (memref<6xf32>) -> memref<2x3xf32>
  return
}

// -----

func.func @expand_dynamic(%m: memref<6xf32>, %n: index) {
  // expected-error @below {{'memref.expand_shape' op mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 0 dynamic dims while output_shape has 1 values}}
  %0 = "memref.expand_shape"(%m, %n) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 3>}> : (memref<6xf32>, index) -> memref<2x3xf32>
  return
}

// -----

func.func @expand_position(%m: memref<6xf32>) {
  // expected-error @below {{'memref.expand_shape' op invalid output shape provided at pos 0}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0, 1]], static_output_shape = array<i64: 3, 2>}> : (memref<6xf32>) -> memref<2x3xf32>
  return
}

// -----

func.func @collapse_gap(%m: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @below {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = "memref.collapse_shape"(%m) <{reassociation = [[0, 1]]}> : (memref<4x4xf32, strided<[8, 1]>>) -> memref<16xf32>
  return
}
