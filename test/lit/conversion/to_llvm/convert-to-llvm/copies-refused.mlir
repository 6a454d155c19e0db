// RUN: mlc-opt %s --convert-to-llvm=bare-pointers --verify-diagnostics
// A bare pointer knows no strides that a library could copy by.
func.func @copy_with_gaps(%x: memref<4x4xf32, strided<[8, 1]>>, %y: memref<4x4xf32>) {
  // expected-error @+2 {{failed to legalize operation 'memref.copy'}}
  // expected-note @+1 {{copies with gaps become loops before}}
  memref.copy %x, %y : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}
