// RUN: mlc-opt --load-dialect=%S/Inputs/parts.yaml --split-input-file --verify-diagnostics %s
// Parameters of types and dimensions that must be equal, as far as they are known.
func.func @fits(%a: !parts.matrix<2 x 3 x f32>, %b: !parts.matrix<3 x 4 x f32>, %t: tensor<4x2xf32>, %u: tensor<4x?xf32>) {
  %0 = "parts.product"(%a, %b) : (!parts.matrix<2 x 3 x f32>, !parts.matrix<3 x 4 x f32>) -> !parts.matrix<2 x 4 x f32>
  "parts.rows"(%t, %a, %0) : (tensor<4x2xf32>, !parts.matrix<2 x 3 x f32>, !parts.matrix<2 x 4 x f32>) -> ()
  "parts.rows"(%u, %a) : (tensor<4x?xf32>, !parts.matrix<2 x 3 x f32>) -> ()
  "parts.rows"(%t) : (tensor<4x2xf32>) -> ()
  return
}

// -----

func.func @numbers(%a: !parts.matrix<2 x 3 x f32>) {
  // expected-error @+1 {{'parts.product' op failed to verify that all of {lhs.columns, rhs.rows} are equal: 3, 2}}
  %0 = "parts.product"(%a, %a) : (!parts.matrix<2 x 3 x f32>, !parts.matrix<2 x 3 x f32>) -> !parts.matrix<2 x 3 x f32>
  return
}

// -----

func.func @attributes(%a: !parts.matrix<2 x 2 x f32>) {
  // expected-error @+1 {{failed to verify that there is one element type: f32, f32, f64}}
  %0 = "parts.product"(%a, %a) : (!parts.matrix<2 x 2 x f32>, !parts.matrix<2 x 2 x f32>) -> !parts.matrix<2 x 2 x f64>
  return
}

// -----

func.func @dimensions(%a: !parts.matrix<2 x 3 x f32>, %t: memref<2x3xf32>) {
  // expected-error @+1 {{failed to verify that all of {table.1, inputs.rows} are equal: 3, 2, 2}}
  "parts.rows"(%t, %a, %a) : (memref<2x3xf32>, !parts.matrix<2 x 3 x f32>, !parts.matrix<2 x 3 x f32>) -> ()
  return
}
