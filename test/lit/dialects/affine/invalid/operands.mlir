// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Values that change in the scope are neither dimensions nor symbols, and variables are no symbols.
func.func @bound(%i: index, %m: memref<?xindex>) {
  affine.for %j = 0 to 3 {
    %loaded = memref.load %m[%i] : memref<?xindex>
    // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %k = 0 to %loaded {
    }
  }
  return
}
// -----
func.func @variable(%n: index) {
  affine.for %j = 0 to 3 {
    // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %k = affine_map<()[s0] -> (s0)>()[%j] to 10 {
    }
  }
  return
}
// -----
func.func @condition(%i: index, %m: memref<?xindex>) {
  affine.for %j = 0 to 3 {
    %loaded = memref.load %m[%i] : memref<?xindex>
    // expected-error@+1 {{'affine.if' op operand cannot be used as a dimension id}}
    affine.if affine_set<(d0) : (d0 >= 0)>(%loaded) {
    }
  }
  return
}
// -----
func.func @subscript(%i: index, %m: memref<?xindex>) {
  affine.for %j = 0 to 3 {
    %loaded = memref.load %m[%i] : memref<?xindex>
    // expected-error@+1 {{'affine.load' op index must be a valid dimension or symbol identifier}}
    %0 = affine.load %m[%loaded] : memref<?xindex>
  }
  return
}
// -----
// Sizes of memrefs of the top level, and of what symbols size, are symbols.
func.func @sizes(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  affine.for %j = 0 to 3 {
    %a = memref.alloc(%n) : memref<?xindex>
    %cast = memref.cast %a : memref<?xindex> to memref<?xindex, strided<[?], offset: ?>>
    %0 = memref.dim %m, %c0 : memref<?xindex>
    %1 = memref.dim %cast, %c0 : memref<?xindex, strided<[?], offset: ?>>
    affine.for %k = %0 to %1 {
    }
  }
  return
}
// -----
func.func @rank(%i: index, %m: memref<?xindex>) {
  // expected-error@+1 {{'affine.store' op affine map num results must equal memref rank}}
  affine.store %i, %m[%i, %i] : memref<?xindex>
  return
}
// -----
func.func @element(%i: index, %m: memref<?xf32>) {
  // expected-error@+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %0 = affine.vector_load %m[%i] : memref<?xf32>, vector<4xi32>
  return
}
// -----
func.func @count(%i: index) {
  // expected-error@+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = affine.min affine_map<(d0, d1) -> (d0)>(%i)
  return
}
