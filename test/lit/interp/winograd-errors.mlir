// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// Transforms that the interpreter has no matrices for.

func.func @f() -> tensor<7x7x1x1xf32> {
  %a = tensor.empty() : tensor<1x3x3x1xf32>
  %b = tensor.empty() : tensor<7x7x1x1xf32>
  // expected-error@+1 {{'linalg.winograd_filter_transform' op is not evaluated for this m and r}}
  %0 = linalg.winograd_filter_transform m(5) r(3) ins(%a : tensor<1x3x3x1xf32>) outs(%b : tensor<7x7x1x1xf32>) -> tensor<7x7x1x1xf32>
  return %0 : tensor<7x7x1x1xf32>
}

// -----

func.func @f() -> tensor<6x6x1x1xi32> {
  %a = tensor.empty() : tensor<1x3x3x1xi32>
  %b = tensor.empty() : tensor<6x6x1x1xi32>
  // expected-error@+1 {{'linalg.winograd_filter_transform' op is evaluated on floats only}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<1x3x3x1xi32>) outs(%b : tensor<6x6x1x1xi32>) -> tensor<6x6x1x1xi32>
  return %0 : tensor<6x6x1x1xi32>
}

// -----

func.func @f() -> tensor<6x1x1x1xf32> {
  %a = tensor.empty() : tensor<1x3x1x1xf32>
  %b = tensor.empty() : tensor<6x1x1x1xf32>
  // expected-error@+1 {{'linalg.winograd_filter_transform' op is evaluated for square filters only}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<1x3x1x1xf32>) outs(%b : tensor<6x1x1x1xf32>) -> tensor<6x1x1x1xf32>
  return %0 : tensor<6x1x1x1xf32>
}

// -----

func.func @f() -> tensor<6x1x1x1x1x1xf32> {
  %a = tensor.empty() : tensor<1x6x1x1xf32>
  %b = tensor.empty() : tensor<6x1x1x1x1x1xf32>
  // expected-error@+1 {{'linalg.winograd_input_transform' op is evaluated for square windows only}}
  %0 = linalg.winograd_input_transform m(4) r(3) ins(%a : tensor<1x6x1x1xf32>) outs(%b : tensor<6x1x1x1x1x1xf32>) -> tensor<6x1x1x1x1x1xf32>
  return %0 : tensor<6x1x1x1x1x1xf32>
}

// -----

func.func @f() -> tensor<1x4x1x1xf32> {
  %a = tensor.empty() : tensor<6x1x1x1x1x1xf32>
  %b = tensor.empty() : tensor<1x4x1x1xf32>
  // expected-error@+1 {{'linalg.winograd_output_transform' op is evaluated for square windows only}}
  %0 = linalg.winograd_output_transform m(4) r(3) ins(%a : tensor<6x1x1x1x1x1xf32>) outs(%b : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  return %0 : tensor<1x4x1x1xf32>
}
