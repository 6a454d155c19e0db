// RUN: mlc-opt %s --kernel-scratch --verify-diagnostics
// RUN: mlc-opt %s --parallel-to-runtime --verify-diagnostics
// What overflows is no window of a few bytes.
func.func private @kernel(%x: memref<4xf32>) {
  %i = arith.constant 3 : index
  // expected-error @below {{allocates more bytes than a machine has}}
  %m = memref.alloc() : memref<4611686018427387905xf32>
  %v = memref.load %x[%i] : memref<4xf32>
  memref.store %v, %m[%i] : memref<4611686018427387905xf32>
  return
}
