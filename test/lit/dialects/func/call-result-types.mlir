// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// All types are told, not only those that differ.
func.func private @two() -> (i32, f32)

func.func @call() {
  // expected-error @below {{'func.call' op result type mismatch at index 0}}
  // expected-note @below {{    op result types: 'f32', 'f32'}}
  // expected-note @below {{function result types: 'i32', 'f32'}}
  %0:2 = call @two() : () -> (f32, f32)
  return
}

// -----

func.func @text() {
  // expected-error @below {{invalid kind of attribute specified}}
  %0 = constant "" : index
  return
}

// -----

func.func @returned(%a: f32) -> i32 {
  // expected-error @below {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @returned}}
  return %a : f32
}
