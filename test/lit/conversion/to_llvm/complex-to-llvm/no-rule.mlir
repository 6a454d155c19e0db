// RUN: mlc-opt %s --convert-to-llvm --verify-diagnostics
// What has no rule is an error at its place.
func.func @f(%x: complex<f64>) -> complex<f64> {
  // expected-error @+2 {{failed to legalize operation 'complex.pow' that was explicitly marked illegal}}
  // expected-note @+1 {{no pattern is for 'complex.pow'}}
  %0 = complex.pow %x, %x : complex<f64>
  return %0 : complex<f64>
}
