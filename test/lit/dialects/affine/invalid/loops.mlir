// RUN: mlc-opt %s -split-input-file -verify-diagnostics
func.func @variable() {
  // expected-error@+1 {{'affine.for' op expected body to have a single index argument for the induction variable}}
  "affine.for"() ({
  ^bb0(%j: i32):
    "affine.yield"() : () -> ()
  }) {lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (10)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>} : () -> ()
  return
}
// -----
func.func @arguments(%i: index) {
  // expected-error@+1 {{'affine.for' op different number of inits and region iter_args: 1 != 0}}
  %0 = "affine.for"(%i) ({
  ^bb0(%j: index):
    "affine.yield"(%i) : (index) -> ()
  }) {lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (10)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 1>} : (index) -> index
  return
}
// -----
func.func @yield(%i: index) {
  %0 = affine.for %j = 0 to 10 iter_args(%k = %i) -> index {
    // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
    affine.yield
  }
  return
}
// -----
func.func @types(%i: index, %f: f32) {
  %0 = affine.for %j = 0 to 10 iter_args(%k = %i) -> index {
    // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
    affine.yield %f : f32
  }
  return
}
// -----
func.func @no_else(%i: index) {
  // expected-error@+1 {{region control flow edge from parent operands to parent results: source has 0 operands, but target successor needs 1}}
  %0 = affine.if affine_set<() : (0 == 0)>() -> index {
    affine.yield %i : index
  }
  return
}
// -----
func.func @groups() {
  // expected-error@+1 {{the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match}}
  affine.parallel (%j) = (0, 0) to (10) {
  }
  return
}
// -----
func.func @reduction(%f: f32) {
  // expected-error@+1 {{'affine.parallel' op result type cannot match reduction attribute}}
  %0 = affine.parallel (%j) = (0) to (10) reduce ("addi") -> f32 {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @basis(%i: index) {
  // expected-error@+1 {{'affine.delinearize_index' op should return an index for each basis element}}
  %0:2 = affine.delinearize_index %i into (%i) : index, index
  return
}
