// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @few(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{expected at least 5 operands}}
  "memref.dma_start"(%m, %i, %m, %i) : (memref<4xf32>, index, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @tag(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{expected tag to be of memref type}}
  "memref.dma_start"(%m, %i, %m, %i, %i, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, index) -> ()
  return
}
// -----
func.func @strides(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{expected two stride related operands}}
  memref.dma_start %m[%i], %m[%i], %i, %m[%i], %i : memref<4xf32>, memref<4xf32>, memref<4xf32>
  return
}
// -----
func.func @wait(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{expected tagIndices to have the same number of elements as the tagMemRef rank, expected 2, but got 1}}
  memref.dma_wait %m[%i], %i : memref<4x4xf32>
  return
}
