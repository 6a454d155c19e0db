// RUN: mlc-opt %s --convert-to-llvm --verify-diagnostics --split-input-file
// Buffers that no descriptor describes, and what becomes loops before.
func.func @no_such_dimension(%m: memref<?xf32>) -> index {
  %c5 = arith.constant 5 : index
  // expected-error @+2 {{failed to legalize operation 'memref.dim'}}
  // expected-note @+1 {{it asks for a dimension that is not there}}
  %0 = memref.dim %m, %c5 : memref<?xf32>
  return %0 : index
}

// -----

func.func @with_gaps() {
  // expected-error @+2 {{failed to legalize operation 'memref.alloc'}}
  // expected-note @+1 {{its layout is not the identity}}
  %0 = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @in_another_space() {
  // expected-error @+2 {{failed to legalize operation 'memref.alloc'}}
  // expected-note @+1 {{it is in an address space of its own}}
  %0 = memref.alloc() : memref<4x4xf32, 3>
  return
}
