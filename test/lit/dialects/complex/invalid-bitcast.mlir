// RUN: mlc-opt --split-input-file --verify-diagnostics %s
// Bits go between one complex number and one that is not.
func.func @neither(%x: i32) {
  // expected-error@+1 {{'complex.bitcast' op requires that either input or output has a complex type}}
  %0 = complex.bitcast %x : i32 to f32
  return
}

// -----

func.func @width(%x: complex<f32>) {
  // expected-error@+1 {{'complex.bitcast' op casting bitwidths do not match}}
  %0 = complex.bitcast %x : complex<f32> to i32
  return
}

// -----

func.func @vector(%x: vector<2xf32>) {
  // expected-error@+1 {{'complex.bitcast' op operand must be int/float/complex}}
  %0 = complex.bitcast %x : vector<2xf32> to complex<f32>
  return
}

// -----

func.func @to_vector(%x: complex<f32>) {
  // expected-error@+1 {{'complex.bitcast' op result must be int/float/complex}}
  %0 = "complex.bitcast"(%x) : (complex<f32>) -> vector<2xf32>
  return
}
