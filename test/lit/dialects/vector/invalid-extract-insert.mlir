// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Positions name places of the vector.
func.func @deep(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = "vector.extract"(%v) <{static_position = array<i64: 1, 2>}> : (vector<4xf32>) -> f32
  return
}

// -----

func.func @dynamic(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract' op mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite}}
  %0 = "vector.extract"(%v) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>) -> f32
  return
}

// -----

func.func @insert_deep(%v: vector<4xf32>, %x: f32) {
  // expected-error @below {{'vector.insert' op expected position attribute of rank no greater than dest vector rank}}
  %0 = "vector.insert"(%x, %v) <{static_position = array<i64: 1, 2>}> : (f32, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @insert_rank(%v: vector<4x4xf32>, %x: f32) {
  // expected-error @below {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = "vector.insert"(%x, %v) <{static_position = array<i64: 1>}> : (f32, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @insert_source(%v: vector<4x4xf32>, %x: vector<2xf32>) {
  // expected-error @below {{'vector.insert' op expected position attribute rank + source rank to match dest vector rank}}
  %0 = "vector.insert"(%x, %v) <{static_position = array<i64: 1, 2>}> : (vector<2xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @insert_dynamic(%v: vector<4xf32>, %x: f32) {
  // expected-error @below {{'vector.insert' op mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite}}
  %0 = "vector.insert"(%x, %v) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @element_0d(%v: vector<f32>, %i: index) {
  // expected-error @below {{'vector.extractelement' op expected position to be empty with 0-D vector}}
  %0 = "vector.extractelement"(%v, %i) : (vector<f32>, index) -> f32
  return
}

// -----

func.func @element_2d(%v: vector<4x4xf32>, %i: index) {
  // expected-error @below {{'vector.extractelement' op unexpected >1 vector rank}}
  %0 = "vector.extractelement"(%v, %i) : (vector<4x4xf32>, index) -> f32
  return
}

// -----

func.func @element_position(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extractelement' op expected position for 1-D vector}}
  %0 = "vector.extractelement"(%v) : (vector<4xf32>) -> f32
  return
}

// -----

func.func @slice_lists(%v: vector<4x4xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size}}
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0], sizes = [2, 2], strides = [1]}> : (vector<4x4xf32>) -> vector<2x4xf32>
  return
}

// -----

func.func @slice_rank(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank}}
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0, 0], sizes = [2, 2], strides = [1, 1]}> : (vector<4xf32>) -> vector<2xf32>
  return
}

// -----

func.func @slice_stride(%v: vector<4xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0], sizes = [2], strides = [2]}> : (vector<4xf32>) -> vector<2xf32>
  return
}

// -----

func.func @slice_scalable(%v: vector<[4]xf32>) {
  // expected-error @below {{'vector.extract_strided_slice' op expected size at idx=0 to match the corresponding base size from the input vector (2 vs 4)}}
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0], sizes = [2], strides = [1]}> : (vector<[4]xf32>) -> vector<[2]xf32>
  return
}

// -----

func.func @put_offsets(%v: vector<2xf32>, %w: vector<4x4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected offsets of same size as destination vector rank}}
  %0 = "vector.insert_strided_slice"(%v, %w) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @put_strides(%v: vector<2xf32>, %w: vector<4x4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected strides of same size as source vector rank}}
  %0 = "vector.insert_strided_slice"(%v, %w) <{offsets = [0, 0], strides = [1, 1]}> : (vector<2xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @put_larger(%v: vector<2x2x2xf32>, %w: vector<4x4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected source rank to be no greater than destination rank}}
  %0 = "vector.insert_strided_slice"(%v, %w) <{offsets = [0, 0], strides = [1, 1, 1]}> : (vector<2x2x2xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @put_beyond(%v: vector<4xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 0 to be confined to [1, 5)}}
  %0 = "vector.insert_strided_slice"(%v, %w) <{offsets = [1], strides = [1]}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @scalable_position(%v: vector<4xf32>, %w: vector<[16]xf32>) {
  // expected-error @below {{'vector.scalable.insert' op failed to verify that position is a multiple of the source length.}}
  %0 = "vector.scalable.insert"(%v, %w) <{pos = 3 : i64}> : (vector<4xf32>, vector<[16]xf32>) -> vector<[16]xf32>
  return
}
