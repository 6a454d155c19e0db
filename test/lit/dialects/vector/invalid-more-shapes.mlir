// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Shapes, scalable dimensions and kinds that do not go together.

func.func @flags(%a: vector<[4]xf32>, %b: vector<8xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op mismatching scalable flags (at source vector idx=0)}}
  %0 = vector.insert_strided_slice %a, %b {offsets = [0], strides = [1]} : vector<[4]xf32> into vector<8xf32>
  return
}

// -----

func.func @fixed(%a: vector<8xf32>) {
  // expected-error@+1 {{'vector.scalable.extract' op operand #0 must be  of ranks 1, but got 'vector<8xf32>'}}
  %0 = "vector.scalable.extract"(%a) <{pos = 0 : i64}> : (vector<8xf32>) -> vector<4xf32>
  return
}

// -----

func.func @source(%a: memref<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source type is not a vector}}
  %0 = vector.broadcast %a : memref<4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @index(%a: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition index out of range: 2}}
  %0 = vector.transpose %a, [0, 2] : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @input(%a: vector<4x4xf32>, %n: index) {
  // expected-error@+1 {{invalid input shape for vector type 'vector<4x4xf32>'}}
  %0 = vector.reshape %a, [%n, %n], [%n], [4] : vector<4x4xf32> to vector<4x4xf32>
  return
}

// -----

func.func @fixed_size(%a: vector<4x4xf32>, %n: index) {
  // expected-error@+1 {{fixed vector size must match input vector for dim 0}}
  %0 = vector.reshape %a, [%n], [%n], [8] : vector<4x4xf32> to vector<4x4xf32>
  return
}

// -----

func.func @product(%a: vector<4x4xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // expected-error@+1 {{product of input and output shape sizes must match}}
  %0 = vector.reshape %a, [%c2], [%c3], [4] : vector<4x4xf32> to vector<4x4xf32>
  return
}

// -----

func.func @only_first(%a: vector<[4]xf32>, %b: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected either both or only #2 operand dim to be scalable}}
  %0 = vector.outerproduct %a, %b : vector<[4]xf32>, vector<4xf32>
  return
}

// -----

func.func @kind(%a: vector<4xf32>, %b: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op unsupported outerproduct type}}
  %0 = vector.outerproduct %a, %b {kind = #vector.kind<xor>} : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @kind(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op unsupported outerproduct type}}
  %0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<xor>} : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @batch(%a: vector<2x4xf32>, %b: vector<3x4xf32>, %c: vector<2xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid batch dimension map}}
  %0 = vector.contract {indexing_maps = [affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<3x4xf32> into vector<2xf32>
  return
}

// -----

func.func @loop(%a: vector<2x4xf32>, %b: vector<4xf32>, %c: vector<2x5xf32>) {
  // expected-error@+1 {{'vector.contract' op expected all dimensions to be either a LHS or a RHS dimension}}
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x4xf32>, vector<4xf32> into vector<2x5xf32>
  return
}

// -----

func.func @kind(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{'vector.contract' op unsupported contraction type}}
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<xor>} %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @gathers(%v: vector<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<4xi1>, %p: vector<4xf32>) {
  // expected-error@+1 {{'vector.gather' op requires base to be a memref or ranked tensor type}}
  %0 = vector.gather %v[%i] [%j], %k, %p : vector<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @layout(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result in same memory space}}
  %0 = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>, 1>
  return
}

// -----

func.func @layout(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result to be a memref with identity layout}}
  %0 = "vector.type_cast"(%m) : (memref<4x4xf32>) -> memref<4xvector<4xf32>, strided<[2]>>
  return
}

// -----

func.func @bits(%m: memref<8xvector<4xf32>>, %i: index, %x: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor 1-D vector of the source}}
  %0 = vector.transfer_read %m[%i], %x : memref<8xvector<4xf32>>, vector<3xf32>
  return
}

// -----

func.func @ranks(%m: memref<8xvector<2x4xf32>>, %i: index, %x: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires source vector element and vector result ranks to match.}}
  %0 = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<2x4xf32>>, index, vector<2x4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @masked(%m: memref<8xvector<4xf32>>, %i: index, %x: vector<4xf32>, %k: vector<2x4xi1>) {
  // expected-error@+1 {{'vector.transfer_read' op does not support masks with vector element type}}
  %0 = "vector.transfer_read"(%m, %i, %x, %k) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 1>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<4xf32>>, index, vector<4xf32>, vector<2x4xi1>) -> vector<2x4xf32>
  return
}

// -----

func.func @unranked(%m: memref<*xf32>, %x: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires source to be a memref or ranked tensor type}}
  %0 = "vector.transfer_read"(%m, %x) <{in_bounds = [], operandSegmentSizes = array<i32: 1, 0, 1, 0>, permutation_map = affine_map<() -> ()>}> : (memref<*xf32>, f32) -> vector<f32>
  return
}

// -----

func.func @padding(%m: memref<8xvector<4xf32>>, %i: index, %x: vector<2xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires source element type and padding type to match.}}
  %0 = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xvector<4xf32>>, index, vector<2xf32>) -> vector<2x4xf32>
  return
}

// -----

func.func @padding(%m: memref<8xf32>, %i: index, %x: vector<4xf32>) {
  // expected-error@+1 {{'vector.transfer_read' op requires valid padding vector elemental type}}
  %0 = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8xf32>, index, vector<4xf32>) -> vector<4xf32>
  return
}
