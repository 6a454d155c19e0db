// RUN: mlc-opt %s --buffer-results-to-out-params --split-input-file --verify-diagnostics
// expected-error @below {{cannot create out param for result with unsupported layout}}
func.func @layout(%b: memref<4xf32, strided<[2]>>) -> memref<4xf32, strided<[2]>> {
  return %b : memref<4xf32, strided<[2]>>
}

// -----

func.func private @dynamic() -> memref<?xf32>
func.func @call() {
  // expected-error @below {{cannot create out param for dynamically shaped result}}
  %0 = call @dynamic() : () -> memref<?xf32>
  return
}
