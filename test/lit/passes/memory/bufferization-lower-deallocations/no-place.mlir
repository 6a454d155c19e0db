// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(bufferization-lower-deallocations))' --verify-diagnostics
// Run on functions, the pass has no place for a function of its own.
func.func @two(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
  // expected-error@+2 {{library function required for generic lowering, but cannot be automatically inserted when operating on functions}}
  // expected-error@+1 {{failed to legalize operation 'bufferization.dealloc' that was explicitly marked illegal}}
  bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
  return
}
