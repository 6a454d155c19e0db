// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A map says which dimensions of memory a vector's are.
func.func @symbols(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires permutation_map without symbols}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1)[s0] -> (d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @inputs(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @results(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @projected(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d0 + d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @twice(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1, d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4x4xf32>
  return
}

// -----

func.func @bounds(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @broadcast_bounds(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op requires broadcast dimensions to be in-bounds}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (0)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @padding(%m: memref<8x8xf32>, %i: index, %x: f64) {
  // expected-error @below {{'vector.transfer_read' op requires formal padding and source of the same elemental type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f64) -> vector<4xf32>
  return
}

// -----

func.func @masked(%m: memref<8x8xf32>, %i: index, %x: f32) {
  // expected-error @below {{'vector.transfer_read' op masked attribute has been removed. Use in_bounds instead.}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> {masked = [false]} : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @written_broadcast(%m: memref<8x8xf32>, %i: index, %v: vector<4xf32>) {
  // expected-error @below {{'vector.transfer_write' op should not have broadcast dimensions}}
  "vector.transfer_write"(%v, %m, %i, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (0)>}> : (vector<4xf32>, memref<8x8xf32>, index, index) -> ()
  return
}

// -----

func.func @bits(%m: memref<8x8xf64>, %i: index, %x: f64) {
  // expected-error @below {{'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf64>, index, index, f64) -> vector<3xf32>
  return
}

// -----

func.func @vectors_rank(%m: memref<8x8xvector<4xf32>>, %i: index, %x: vector<4xf32>) {
  // expected-error @below {{'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xvector<4xf32>>, index, index, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @mask(%m: memref<8x8xf32>, %i: index, %x: f32, %k: vector<2xi1>) {
  // expected-error @below {{'vector.transfer_read' op inferred mask type ('vector<4xi1>') and mask operand type ('vector<2xi1>') don't match}}
  %0 = "vector.transfer_read"(%m, %i, %i, %x, %k) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f32, vector<2xi1>) -> vector<4xf32>
  return
}
