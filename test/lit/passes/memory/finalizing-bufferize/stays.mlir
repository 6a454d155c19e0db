// RUN: mlc-opt %s --finalizing-bufferize --verify-diagnostics --split-input-file
// Where the other side was not bufferized nothing is left to fold with.
func.func @from_a_tensor(%t: tensor<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{'bufferization.to_memref' op stays between a tensor and a buffer}}
  %0 = bufferization.to_memref %t : memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @to_a_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'bufferization.to_tensor' op stays between a tensor and a buffer}}
  %0 = bufferization.to_tensor %m : memref<4xf32>
  return %0 : tensor<4xf32>
}
