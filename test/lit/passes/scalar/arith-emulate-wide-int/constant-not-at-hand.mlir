// RUN: mlc-opt %s --arith-emulate-wide-int --verify-diagnostics
// A constant in a resource is not split: its bytes are not rewritten here.
func.func @f() -> vector<2xi64> {
  // expected-error @below {{failed to legalize operation 'arith.constant'}}
  // expected-note @below {{its elements are not at hand}}
  %0 = arith.constant dense_resource<numbers> : vector<2xi64>
  return %0 : vector<2xi64>
}
