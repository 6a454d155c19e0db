// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Maps and sets that are not affine.
// expected-error@+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
"a.b"() {x = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()

// -----

// expected-error@+1 {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
"a.b"() {x = affine_map<(d0, d1) -> (d0 floordiv d1)>} : () -> ()

// -----

// expected-error@+1 {{redefinition of identifier 'd0'}}
"a.b"() {x = affine_map<(d0, d0) -> (d0)>} : () -> ()

// -----

// expected-error@+1 {{use of undeclared identifier}}
"a.b"() {x = affine_map<(d0) -> (d1)>} : () -> ()

// -----

// expected-error@+1 {{expected affine expression}}
"a.b"() {x = affine_map<(d0) -> (symbol(d0))>} : () -> ()

// -----

// expected-error@+1 {{expected bare identifier}}
"a.b"() {x = affine_map<(%d0) -> (%d0)>} : () -> ()

// -----

// expected-error@+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
"a.b"() {x = affine_set<(d0) : (d0 + 1)>} : () -> ()

// -----

// expected-error@+1 {{expected '(' in dimensional identifier list}}
"a.b"() {x = affine_map<d0 -> (d0)>} : () -> ()

// -----

func.func @load(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{expected '(' at start of SSA symbol}}
  %0 = affine.load %m[%i + symbol %i] : memref<8xf32>
  return
}

// -----

func.func @load(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{expected ssa identifier}}
  %0 = affine.load %m[%i + symbol(i)] : memref<8xf32>
  return
}

// -----

func.func @load(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{use of undeclared identifier}}
  %0 = affine.load %m[d0] : memref<8xf32>
  return
}
