// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @collapsed(%a: tensor<2x3xf32>) {
  // expected-error @below {{'tensor.collapse_shape' op expected collapsed type to be 'tensor<6xf32>', but got 'tensor<6xi32>'}}
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xi32>
  return
}

// -----

func.func @printed(%t: tensor<4xf32>) {
  // expected-error @below {{'vector.print' op operand #0 must be , but got 'tensor<4xf32>'}}
  vector.print %t : tensor<4xf32>
  return
}

// -----

func.func @matrices(%a: vector<4xf32>, %b: vector<4xf64>) {
  // expected-error @below {{'vector.matrix_multiply' op failed to verify that rhs operand and result have same element type}}
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf64>) -> vector<4xf32>
  return
}

// -----

func.func @cast(%m: memref<4xf32>) {
  // expected-error @below {{'memref.cast' op operand type 'memref<4xf32>' and result type 'memref<4x4xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4xf32> to memref<4x4xf32>
  return
}

// -----

func.func @signed(%v: si8) {
  // expected-error @below {{'vector.splat' op operand #0 must be integer/index/float type, but got 'si8'}}
  %0 = vector.splat %v : vector<4xsi8>
  return
}

// -----

func.func @two_dimensions(%v: vector<2x3xf32>) {
  // expected-error @below {{'llvm.fneg' op operand #0 must be floating point LLVM type or LLVM dialect-compatible vector of floating point LLVM type, but got 'vector<2x3xf32>'}}
  %0 = llvm.fneg %v : vector<2x3xf32>
  return
}
