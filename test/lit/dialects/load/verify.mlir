// RUN: mlc-opt --load-dialect=%S/Inputs/toy.yaml --split-input-file --verify-diagnostics %s
// Constraints of a loaded dialect are checked in the words of its records.
func.func @operand(%x: index) {
  // expected-error @+1 {{'toy.scale' op operand #0 must be number, but got 'index'}}
  %0 = "toy.scale"(%x) <{factor = 1 : i64}> : (index) -> index
  return
}

// -----

func.func @attribute(%x: f32) {
  // expected-error @+1 {{'toy.scale' op requires attribute 'factor'}}
  %0 = "toy.scale"(%x) : (f32) -> f32
  return
}
