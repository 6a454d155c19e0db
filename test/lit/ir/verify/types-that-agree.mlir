// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Types that the traits call the same: shapes that fit, then encodings, then the type that follows.
func.func @element(%a: vector<4xi32>, %b: vector<4xi64>) {
  // expected-error @below {{'arith.andi' op requires the same type for all operands and results}}
  %0 = "arith.andi"(%a, %b) : (vector<4xi32>, vector<4xi64>) -> vector<4xi32>
  return
}

// -----

func.func @container(%a: vector<4xi32>, %b: tensor<4xi32>) {
  // expected-error @below {{'arith.andi' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "arith.andi"(%a, %b) : (vector<4xi32>, tensor<4xi32>) -> vector<4xi32>
  return
}

// -----

func.func @encoding(%a: tensor<4xf32>) {
  // expected-error @below {{'math.exp' op requires the same encoding for all operands and results}}
  %0 = "math.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32, "sparse">
  return
}

// -----

func.func @inferred(%a: tensor<?xf32>) {
  // expected-error @below {{'math.exp' op failed to infer returned types}}
  // expected-error @below {{'math.exp' op inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = "math.exp"(%a) : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

// Lanes are scalable or not; how many dimensions are is not asked.
func.func @scalable(%a: vector<[8]x[4]xi8>) {
  %0 = "arith.extsi"(%a) : (vector<[8]x[4]xi8>) -> vector<[8]x4xi32>
  return
}

// -----

// A complex number is no container.
func.func @complex(%m: memref<4xf32>, %v: complex<f32>) {
  // expected-error @below {{'gpu.memset' op failed to verify that all of {dst, value} have same element type}}
  gpu.memset %m, %v : memref<4xf32>, complex<f32>
  return
}
