// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @size(%m: memref<*xf32>) {
  // expected-error @+1 {{expected result type with size = 4 instead of 5 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<5xf32>
  return
}
// -----
func.func @stride(%m: memref<*xf32>) {
  // expected-error @+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @element(%m: memref<*xf32>) {
  // expected-error @+1 {{different element types specified for source type 'memref<*xf32>' and result memref type 'memref<4xf64>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf64>
  return
}
// -----
func.func @shape_operand(%m: memref<*xf32>, %s: memref<?xindex>) {
  // expected-error @+1 {{cannot use shape operand with dynamic length to reshape to statically-ranked memref type}}
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<?xindex>) -> memref<?xf32>
  return
}
