// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Groups are contiguous and complete; strided layouts are split, and joined where there are no gaps.
func.func @not_an_expansion(%m: memref<2x3x4xf32>) {
  // expected-error @+1 {{'memref.expand_shape' op has source rank 3 and result rank 2. This is not an expansion (3 > 2).}}
  %0 = memref.expand_shape %m [[0], [1], [2]] output_shape [6, 4] : memref<2x3x4xf32> into memref<6x4xf32>
  return
}
// -----
func.func @group_size(%m: memref<12xf32>) {
  // expected-error @+1 {{collapsed dim size (12) must equal reassociation group size (10)}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 5] : memref<12xf32> into memref<2x5xf32>
  return
}
// -----
func.func @dynamic(%m: memref<?xf32>) {
  // expected-error @+1 {{collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 5] : memref<?xf32> into memref<2x5xf32>
  return
}
// -----
func.func @layout(%m: memref<12xf32, strided<[3], offset: 1>>) {
  // expected-error @+1 {{expected expanded type to be 'memref<3x4xf32, strided<[12, 3], offset: 1>>' but found 'memref<3x4xf32>'}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32, strided<[3], offset: 1>> into memref<3x4xf32>
  return
}
// -----
func.func @gaps(%m: memref<3x4xf32, strided<[8, 1]>>) {
  // expected-error @+1 {{invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32, strided<[8, 1]>> into memref<12xf32, strided<[1]>>
  return
}
// -----
func.func @not_contiguous(%m: memref<3x4xf32>) {
  // expected-error @+1 {{reassociation indices must be contiguous}}
  %0 = memref.collapse_shape %m [[1, 0]] : memref<3x4xf32> into memref<12xf32>
  return
}
