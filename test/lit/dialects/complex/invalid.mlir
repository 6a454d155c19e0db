// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @parts() {
  // expected-error @below {{requires 'value' to be a complex constant, represented as array of two values}}
  %0 = "complex.constant"() <{value = [1.0 : f32]}> : () -> complex<f32>
  return
}

// -----

func.func @types() {
  // expected-error @below {{requires attribute's element types ('f64', 'f32') to match the element type of the op's return type ('f32')}}
  %0 = "complex.constant"() <{value = [1.0 : f64, 1.0 : f32]}> : () -> complex<f32>
  return
}

// -----

func.func @bits(%x: i64) {
  // expected-error @below {{requires that either input or output has a complex type}}
  %0 = complex.bitcast %x : i64 to f64
  return
}
