// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Loops agree with their bodies.
func.func @for_args(%n: index, %x: f32) {
  // expected-error @below {{'scf.for' op different number of inits and region iter_args: 1 != 0}}
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%i: index):
    "scf.yield"(%x) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @step(%n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  // expected-error @below {{'scf.parallel' op constant step operand must be positive}}
  "scf.parallel"(%n, %n, %zero) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @no_bounds() {
  // expected-error @below {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  "scf.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  ^bb0:
    "scf.reduce"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @terminator(%n: index) {
  // expected-error @below {{'scf.parallel' op expects body to terminate with 'scf.reduce'}}
  "scf.parallel"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @inits(%n: index, %x: f32) {
  // expected-error @below {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %0 = "scf.parallel"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> f32
  return
}

// -----

func.func @bounds(%n: index) {
  // expected-error @below {{'scf.parallel' op needs as many upper bounds and lower bounds as steps}}
  "scf.parallel"(%n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, index) -> ()
  return
}

// -----

func.func @reduced(%n: index, %x: f32) {
  // expected-error @below {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %0 = "scf.parallel"(%n, %n, %n, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, f32) -> f32
  return
}
