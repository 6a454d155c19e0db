// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Element types that a named op's body cannot work on are the verifier's business, at the op in the body.
func.func @mixed(%a: memref<4xf32>, %b: memref<4xf16>) {
  // expected-error @+1 {{'arith.addf' op requires the same type for all operands and results}}
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf16>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @float_function(%a: memref<4xi32>) {
  // expected-error @+1 {{'math.exp' op operand #0 must be floating-point-like, but got 'i32'}}
  linalg.exp ins(%a : memref<4xi32>) outs(%a : memref<4xi32>)
  return
}

// -----

func.func @unsigned(%a: memref<4xf32>) {
  // expected-error @+1 {{'arith.divui' op operand #0 must be signless-integer-like, but got 'f32'}}
  linalg.div_unsigned ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @condition(%a: memref<4xf32>) {
  // expected-error @+1 {{'arith.select' op operand #0 must be bool-like, but got 'f32'}}
  linalg.select ins(%a, %a, %a : memref<4xf32>, memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  return
}
