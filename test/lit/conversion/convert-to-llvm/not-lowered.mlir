// RUN: mlc-opt %s --convert-to-llvm -split-input-file -verify-diagnostics
// What has no llvm form is named, with the patterns tried and their reasons.
// expected-error@+2 {{failed to legalize operation 'func.func'}}
// expected-note@+1 {{its type (memref<4x8xf32, strided<[?, 1]>>, index) -> f32 has no llvm form}}
func.func private @strides(%m: memref<4x8xf32, strided<[?, 1]>>, %i: index) -> f32 {
  %v = memref.load %m[%i, %i] : memref<4x8xf32, strided<[?, 1]>>
  return %v : f32
}
