// RUN: mlc-opt %s --convert-math-to-libm --verify-diagnostics
// The C library has no functions of vectors.
func.func @f(%v: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+2 {{failed to legalize operation 'math.tan' that was explicitly marked illegal}}
  // expected-note @+1 {{pattern 'math_to_libm': no rule matches: 'tan_f32': operand 0 is not of type 'f32'}}
  %0 = math.tan %v : vector<4xf32>
  return %0 : vector<4xf32>
}
