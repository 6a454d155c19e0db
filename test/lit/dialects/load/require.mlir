// RUN: mlc-opt --load-dialect=%S/Inputs/require.yaml --split-input-file --verify-diagnostics %s
// Conditions of `require`; what is not known, as a dynamic size, is no fault.

func.func @fits(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %d: tensor<?x?xf32>, %u: tensor<*xf32>, %i: index,
                %m: !req.mat<2 f32>) {
  %0 = "req.product"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "req.product"(%d, %b) : (tensor<?x?xf32>, tensor<3x4xf32>) -> tensor<7x4xf32>
  %2 = "req.product"(%u, %b) : (tensor<*xf32>, tensor<3x4xf32>) -> tensor<7x4xf32>
  %3 = "req.product"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<1x1xf32>
  "req.tile"(%i, %i) <{list = array<i64: 1, 2>, operandSegmentSizes = array<i32: 2, 0>}> : (index, index) -> ()
  "req.tile"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  "req.tile"(%i) <{way = #req.way<up>, operandSegmentSizes = array<i32: 0, 1>}> : (index) -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'req.product' op inner sizes differ: 3 and 4 of tensor<2x3xf32>}}
  %0 = "req.product"(%a, %b) : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'req.product' op requires rank(lhs) == 2 && rank(rhs) == 2}}
  %0 = "req.product"(%a, %b) : (tensor<2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'req.product' op requires dim(result, 0) == dim(lhs, 0) || size(result) == 1}}
  %0 = "req.product"(%a, %b) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf64>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'req.product' op requires !(element(lhs) == "f64")}}
  %0 = "req.product"(%a, %b) : (tensor<2x4xf64>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'req.tile' op {factor} is 6}}
  "req.tile"() <{factor = 6, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'req.tile' op {factor} is 36}}
  "req.tile"() <{factor = 36, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'req.tile' op 1 sizes, 2 in array<i64: 1, 2>}}
  "req.tile"(%i) <{list = array<i64: 1, 2>, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'req.tile' op requires at(list, -1) > 0}}
  "req.tile"(%i) <{list = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'req.tile' op goes #req.way<down>}}
  "req.tile"(%i) <{way = #req.way<down>, operandSegmentSizes = array<i32: 0, 1>}> : (index) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'req.tile' op requires !is(label, "none")}}
  "req.tile"() <{label = "none", operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @f(%m: !req.mat<2 f32>) {
  // expected-error @+1 {{'req.transpose' op rows 2}}
  %0 = "req.transpose"(%m) : (!req.mat<2 f32>) -> !req.mat<3 f32>
  return
}
