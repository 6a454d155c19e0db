// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// What the syntax of transfers, contractions and masks refuses.

func.func @one_type(%m: memref<8xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires two types}}
  %0 = vector.transfer_read %m[%i], %x : memref<8xf32>
  return
}

// -----

func.func @no_memory(%m: vector<8xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires memref or ranked tensor type}}
  %0 = vector.transfer_read %m[%i], %x : vector<8xf32>, vector<4xf32>
  return
}

// -----

func.func @no_vector(%m: memref<8xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' requires vector type}}
  %0 = vector.transfer_read %m[%i], %x : memref<8xf32>, f32
  return
}

// -----

func.func @masked_vectors(%m: memref<8xvector<4xf32>>, %i: index, %x: vector<4xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{custom op 'vector.transfer_read' does not support masks with vector element type}}
  %0 = vector.transfer_read %m[%i], %x, %k : memref<8xvector<4xf32>>, vector<4xf32>
  return
}

// -----

func.func @mask_rank(%m: memref<8x8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{custom op 'vector.transfer_read' expected the same rank for the vector and the results of the permutation map}}
  %0 = vector.transfer_read %m[%i, %i], %x, %k {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x8xf32>, vector<4xf32>
  return
}

// -----

func.func @no_map(%m: memref<8xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{custom op 'vector.transfer_read' 'permutation_map' must be an affine map}}
  %0 = vector.transfer_read %m[%i], %x {permutation_map = "identity"} : memref<8xf32>, vector<4xf32>
  return
}

// -----

func.func @iterators(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' unexpected iterator_type (window)}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["window"], kind = #vector.kind<add>} %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @iterators(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' expected a list of iterator types}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [1], kind = #vector.kind<add>} %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @no_dictionary(%a: vector<4xf32>, %c: f32) {
  // expected-error@+1 {{custom op 'vector.contract' expected a dictionary of indexing_maps, iterator_types and kind}}
  %0 = vector.contract "maps" %a, %a, %c : vector<4xf32>, vector<4xf32> into f32
  return
}

// -----

func.func @one(%a: vector<4xf32>) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected at least 2 operands}}
  %0 = vector.outerproduct %a : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @scalar(%a: vector<4xf32>, %x: f32) {
  // expected-error@+1 {{custom op 'vector.outerproduct' expected vector type for operand #1}}
  %0 = vector.outerproduct %x, %a : f32, vector<4xf32>
  return
}

// -----

func.func @passthru(%m: memref<8xf32>, %i: index, %v: vector<4xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{custom op 'vector.mask' expects a result if passthru operand is provided}}
  vector.mask %k, %v { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32> } : vector<4xi1>
  return
}
