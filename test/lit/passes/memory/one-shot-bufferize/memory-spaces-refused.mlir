// RUN: mlc-opt %s --one-shot-bufferize=must-infer-memory-space --split-input-file --verify-diagnostics
func.func @alloc() -> tensor<4xf32> {
  // expected-error@+2 {{could not infer memory space}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @constant() -> tensor<2xf32> {
  // expected-error@+2 {{could not infer memory space}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
