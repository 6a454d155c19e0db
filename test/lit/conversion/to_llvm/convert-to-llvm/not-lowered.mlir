// RUN: mlc-opt %s --convert-to-llvm -split-input-file -verify-diagnostics
// What has no llvm form is named, with the patterns tried and their reasons.
// expected-error@+2 {{failed to legalize operation 'func.func'}}
// expected-note@+1 {{its type (memref<4x8xf32, "near">, index) -> f32 has no llvm form}}
func.func private @space(%m: memref<4x8xf32, "near">, %i: index) -> f32 {
  %v = memref.load %m[%i, %i] : memref<4x8xf32, "near">
  return %v : f32
}

// -----

func.func @shape(%m: memref<?x4xf32, strided<[?, 1]>>, %n: index) -> memref<?x2x2xf32, strided<[?, 2, 1]>> {
  // expected-error@+2 {{failed to legalize operation 'memref.expand_shape'}}
  // expected-note@+1 {{sizes and strides of its result are not static}}
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [%n, 2, 2] : memref<?x4xf32, strided<[?, 1]>> into memref<?x2x2xf32, strided<[?, 2, 1]>>
  return %0 : memref<?x2x2xf32, strided<[?, 2, 1]>>
}

// -----

llvm.func @malloc(i32)
func.func @taken(%n: index) -> memref<?xf32> {
  // expected-error@+2 {{failed to legalize operation 'memref.alloc'}}
  // expected-note@+1 {{the symbol 'malloc' is something else}}
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
