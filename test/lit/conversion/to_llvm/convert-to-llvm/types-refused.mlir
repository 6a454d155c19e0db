// RUN: mlc-opt %s --convert-to-llvm --verify-diagnostics --split-input-file
// Types that the llvm dialect does not have.
func.func @product(%a: i8388608) -> i8388608 {
  // expected-error @+2 {{failed to legalize operation 'arith.mului_extended'}}
  // expected-note @+1 {{its product is wider than integers can be}}
  %0, %1 = arith.mului_extended %a, %a : i8388608
  return %0 : i8388608
}

// -----

func.func @result() {
  // expected-error @+2 {{failed to legalize operation 'func.call'}}
  // expected-note @+1 {{the type of a result has no llvm form}}
  %0 = func.call @made_elsewhere() : () -> tensor<4xf32>
  return
}
func.func private @made_elsewhere() -> tensor<4xf32>
