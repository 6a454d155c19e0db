// RUN: mlc-opt %s --plan-memory --verify-diagnostics
// 2^64 + 4 bytes are not four.
func.func @main(%x: memref<4xf32>) {
  // expected-error @below {{allocates more bytes than a machine has}}
  %a = memref.alloc() : memref<4611686018427387905xf32>
  call @kernel(%x, %a) : (memref<4xf32>, memref<4611686018427387905xf32>) -> ()
  return
}
func.func private @kernel(%x: memref<4xf32>, %m: memref<4611686018427387905xf32>) {
  %i = arith.constant 3 : index
  %v = memref.load %x[%i] : memref<4xf32>
  memref.store %v, %m[%i] : memref<4611686018427387905xf32>
  return
}
