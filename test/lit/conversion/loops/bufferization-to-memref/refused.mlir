// RUN: mlc-opt %s --convert-bufferization-to-memref --verify-diagnostics
// Of an unknown rank no memory can be allocated.
func.func @clone(%m: memref<*xf32>) -> memref<*xf32> {
  // expected-error @+2 {{failed to legalize operation 'bufferization.clone'}}
  // expected-note @+1 {{its rank is not known}}
  %0 = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  return %0 : memref<*xf32>
}
