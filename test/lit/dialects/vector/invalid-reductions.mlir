// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What a reduction leaves follows from what it takes.
func.func @rank(%v: vector<4x4xf32>) {
  // expected-error @below {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = "vector.reduction"(%v) <{kind = #vector.kind<add>}> : (vector<4x4xf32>) -> f32
  return
}

// -----

func.func @dims(%v: vector<4x4xf32>, %a: vector<3xf32>) {
  // expected-error @below {{'vector.multi_reduction' op destination type 'vector<3xf32>' is incompatible with source type 'vector<4x4xf32>'}}
  %0 = "vector.multi_reduction"(%v, %a) <{kind = #vector.kind<add>, reduction_dims = [1]}> : (vector<4x4xf32>, vector<3xf32>) -> vector<3xf32>
  return
}

// -----

func.func @scan_dim(%v: vector<4x4xf32>, %a: vector<4xf32>) {
  // expected-error @below {{'vector.scan' op reduction dimension 5 has to be less than 2}}
  %0, %1 = "vector.scan"(%v, %a) <{kind = #vector.kind<add>, reduction_dim = 5 : i64, inclusive = true}> : (vector<4x4xf32>, vector<4xf32>) -> (vector<4x4xf32>, vector<4xf32>)
  return
}

// -----

func.func @scan_rank(%v: vector<4x4xf32>, %a: vector<4x4xf32>) {
  // expected-error @below {{'vector.scan' op initial value rank 2 has to be equal to 1}}
  %0, %1 = "vector.scan"(%v, %a) <{kind = #vector.kind<add>, reduction_dim = 0 : i64, inclusive = true}> : (vector<4x4xf32>, vector<4x4xf32>) -> (vector<4x4xf32>, vector<4x4xf32>)
  return
}

// -----

func.func @scan_shape(%v: vector<4x4xf32>, %a: vector<3xf32>) {
  // expected-error @below {{'vector.scan' op incompatible input/initial value shapes}}
  %0, %1 = "vector.scan"(%v, %a) <{kind = #vector.kind<add>, reduction_dim = 0 : i64, inclusive = true}> : (vector<4x4xf32>, vector<3xf32>) -> (vector<4x4xf32>, vector<3xf32>)
  return
}

// -----

func.func @outer_first(%v: vector<4x4xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected 1-d vector for operand #1}}
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<4x4xf32>, vector<4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @outer_second(%v: vector<4xf32>, %w: vector<4x4xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4x4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @outer_result(%v: vector<4xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected 2-d vector result}}
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @outer_rows(%v: vector<3xf32>, %w: vector<4xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<3xf32>, vector<4xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @outer_columns(%v: vector<4xf32>, %w: vector<3xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected #2 operand dim to match result dim #2}}
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<3xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @axpy_result(%v: vector<4xf32>, %x: f32) {
  // expected-error @below {{'vector.outerproduct' op expected 1-d vector result}}
  %0 = "vector.outerproduct"(%v, %x) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<4x4xf32>
  return
}

// -----

func.func @axpy_size(%v: vector<4xf32>, %x: f32) {
  // expected-error @below {{'vector.outerproduct' op expected #1 operand dim to match result dim #1}}
  %0 = "vector.outerproduct"(%v, %x) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<3xf32>
  return
}

// -----

func.func @outer_start(%v: vector<4xf32>, %w: vector<4xf32>, %a: vector<4x3xf32>) {
  // expected-error @below {{'vector.outerproduct' op expected operand #3 of same type as result type}}
  %0 = "vector.outerproduct"(%v, %w, %a) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, vector<4x3xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @maps(%v: vector<4xf32>, %a: f32) {
  // expected-error @below {{'vector.contract' op expected an indexing map for each vector operand}}
  %0 = "vector.contract"(%v, %v, %a) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}

// -----

func.func @map_symbols(%v: vector<4xf32>, %a: f32) {
  // expected-error @below {{'vector.contract' op expected indexing map 0 to have no symbols}}
  %0 = "vector.contract"(%v, %v, %a) <{indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}

// -----

func.func @map_dims(%v: vector<4xf32>, %a: f32) {
  // expected-error @below {{'vector.contract' op expected indexing map 0 to have 1 number of inputs}}
  %0 = "vector.contract"(%v, %v, %a) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}

// -----

func.func @map_results(%v: vector<4xf32>, %a: f32) {
  // expected-error @below {{'vector.contract' op expected indexing map 0 to have 1 number of outputs}}
  %0 = "vector.contract"(%v, %v, %a) <{indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}

// -----

func.func @map_projected(%v: vector<4xf32>, %a: f32) {
  // expected-error @below {{'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs}}
  %0 = "vector.contract"(%v, %v, %a) <{indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return
}

// -----

func.func @no_pair(%v: vector<4xf32>, %w: vector<3xf32>, %a: vector<4x3xf32>) {
  // expected-error @below {{'vector.contract' op expected at least one contracting dimension pair}}
  %0 = "vector.contract"(%v, %w, %a) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<3xf32>, vector<4x3xf32>) -> vector<4x3xf32>
  return
}
