// RUN: mlc-opt --irdl-file=%S/Inputs/shapes.irdl.mlir --split-input-file --verify-diagnostics %s
// What a file in IRDL defines is registered, and verified.
func.func @right(%f: !shapes.box<f32>, %i: !shapes.box<i7>, %n: i32, %u: !shapes.unit) {
  %0 = "shapes.open"(%f) : (!shapes.box<f32>) -> f32
  %1 = "shapes.merge"(%i, %i) : (!shapes.box<i7>, !shapes.box<i7>) -> !shapes.box<i7>
  "shapes.zip"(%f, %f) : (!shapes.box<f32>, !shapes.box<f32>) -> ()
  %2 = "shapes.groups"(%n, %u, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 2>} : (i32, !shapes.unit, i32, i32) -> !llvm.ptr
  %3 = "shapes.marked"() {kind = 4 : i32, both = #shapes.pair<"a", f64>, type = f64} : () -> f64
  return
}

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse shapes.box parameter 'parameter0' which is to be a `f32 or any type attribute integer attribute`}}
func.func private @type(!shapes.box<f64>)

// -----

func.func @unknown() {
  // expected-error @+1 {{unregistered operation 'shapes.other' found in dialect ('shapes')}}
  "shapes.other"() : () -> ()
  return
}

// -----

func.func @parameter(%f: !shapes.box<f32>) {
  // expected-error @+1 {{type of 'result0' is parameter 'parameter0' of 'operand0'}}
  %0 = "shapes.open"(%f) : (!shapes.box<f32>) -> f64
  return
}

// -----

func.func @parameters(%f: !shapes.box<f32>, %i: !shapes.box<i7>) {
  // expected-error @+1 {{failed to verify that all of {operand1.parameter0, operand0.parameter0} are equal: i7, f32}}
  "shapes.zip"(%f, %i) : (!shapes.box<f32>, !shapes.box<i7>) -> ()
  return
}

// -----

func.func @operand(%f: !shapes.box<f32>) {
  // expected-error @+1 {{operand #0 must be i32, but got '!shapes.box<f32>'}}
  %0 = "shapes.groups"(%f) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!shapes.box<f32>) -> !llvm.ptr
  return
}

// -----

func.func @group(%n: i32, %i: !shapes.box<i7>) {
  // expected-error @+1 {{failed to verify that all of {operand2} have same type}}
  %0 = "shapes.groups"(%n, %n, %i) {operandSegmentSizes = array<i32: 1, 0, 2>} : (i32, i32, !shapes.box<i7>) -> !llvm.ptr
  return
}

// -----

func.func @attribute() {
  // expected-error @+1 {{attribute 'kind' failed to satisfy constraint: 4 : i32}}
  %0 = "shapes.marked"() {kind = 4 : i64, both = #shapes.pair<"a", f64>, type = f64} : () -> f64
  return
}

// -----

func.func @held() {
  // expected-error @+1 {{failed to verify that all of {result0, type} have same type}}
  %0 = "shapes.marked"() {kind = 4 : i32, both = #shapes.pair<"a", f64>, type = f64} : () -> f32
  return
}

// -----

func.func @argument() {
  // expected-error @+1 {{region #0 should have no arguments}}
  "shapes.around"() ({
  ^bb0(%0: i32):
    "func.return"() : () -> ()
  }, {
  }) : () -> ()
  return
}
