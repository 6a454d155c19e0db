// RUN: mlc-opt %s --arith-emulate-wide-int --split-input-file --verify-diagnostics
func.func @division(%a: i64) -> i64 {
  // expected-error @below {{failed to legalize operation 'arith.divsi' that was explicitly marked illegal}}
  // expected-note @below {{no pattern is for 'arith.divsi'}}
  %0 = arith.divsi %a, %a : i64
  return %0 : i64
}

// -----

func.func @wider(%a: i64) -> i128 {
  // expected-error @below {{failed to legalize operation 'arith.extui' that was explicitly marked illegal}}
  // expected-note @below {{pattern 'arith.extui': i128 is no integer of two halves}}
  %0 = arith.extui %a : i64 to i128
  return %0 : i128
}
