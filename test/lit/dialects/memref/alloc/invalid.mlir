// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// As many sizes as dynamic dimensions, as many symbols as the layout has; allocas need a scope.
func.func @sizes() {
  // expected-error @+1 {{dimension operand count does not equal memref dynamic dimension count}}
  %m = memref.alloc() : memref<?x3xf32>
  return
}
// -----
func.func @symbols() {
  // expected-error @+1 {{symbol operand count does not equal memref symbol count: expected 2, got 0}}
  %m = memref.alloc() : memref<3x3xf32, strided<[?, 1], offset: ?>>
  return
}
// -----
"my.scope"() ({
  // expected-error @+1 {{requires an ancestor op with AutomaticAllocationScope trait}}
  %m = memref.alloca() : memref<3xf32>
  "my.end"() : () -> ()
}) : () -> ()
// -----
func.func @realloc(%m: memref<?xf32>) {
  // expected-error @+1 {{missing dimension operand for result type 'memref<?xf32>'}}
  %r = memref.realloc %m : memref<?xf32> to memref<?xf32>
  return
}
// -----
func.func @cast(%m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{operand type 'memref<4xf32, strided<[2]>>' and result type 'memref<?xf32, strided<[3]>>' are cast incompatible}}
  %r = memref.cast %m : memref<4xf32, strided<[2]>> to memref<?xf32, strided<[3]>>
  return
}
// -----
func.func @view(%m: memref<?xi8>, %i: index) {
  // expected-error @+1 {{incorrect number of size operands for type 'memref<?x4xf32>'}}
  %r = memref.view %m[%i][] : memref<?xi8> to memref<?x4xf32>
  return
}
// -----
func.func @transpose(%m: memref<3x4xf32>) {
  // expected-error @+1 {{result type 'memref<3x4xf32>' is not equivalent to the canonical transposed input type 'memref<4x3xf32, affine_map<(d0, d1) -> (d0 + d1 * 4)>>'}}
  %r = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to memref<3x4xf32>
  return
}
