// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A call agrees with the function that it names.
func.func private @f(i32) -> i32
func.func @operands() {
  // expected-error @below {{'func.call' op incorrect number of operands for callee}}
  %0 = func.call @f() : () -> i32
  return
}

// -----

func.func private @f(i32) -> i32
func.func @type(%x: i64) {
  // expected-error @below {{operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0}}
  %0 = func.call @f(%x) : (i64) -> i32
  return
}

// -----

func.func private @f(i32) -> i32
func.func @results(%x: i32) {
  // expected-error @below {{'func.call' op incorrect number of results for callee}}
  func.call @f(%x) : (i32) -> ()
  return
}

// -----

func.func @nowhere() {
  // expected-error @below {{'func.call' op 'g' does not reference a valid function}}
  func.call @g() : () -> ()
  return
}

// -----

func.func @constant() {
  // expected-error @below {{reference to undefined function 'g'}}
  %0 = func.constant @g : () -> ()
  return
}

// -----

func.func private @f(i32) -> i32
func.func @constant_type() {
  // expected-error @below {{reference to function with mismatched type}}
  %0 = func.constant @f : () -> ()
  return
}
