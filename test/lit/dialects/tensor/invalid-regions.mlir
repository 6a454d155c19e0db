// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Bodies, parents and sizes that tensors cannot have.

func.func @end(%n: index) {
  // expected-error@+2 {{'tensor.generate' op expects regions to end with 'tensor.yield', found 'llvm.unreachable'}}
  // expected-note@+1 {{in custom textual format, the absence of terminator implies 'tensor.yield'}}
  %0 = "tensor.generate"(%n) ({
  ^bb0(%i: index):
    "llvm.unreachable"() : () -> ()
  }) : (index) -> tensor<?xf32>
  return
}

// -----

func.func @padded(%t: tensor<4xf32>, %x: f32) {
  // expected-error@+1 {{failed to infer expectedType from sourceType 'tensor<4xf32>', specified resultType is 'tensor<6xf32>'}}
  %0 = "tensor.pad"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 1>, static_low = array<i64: 1, 1>}> ({
  ^bb0(%i: index):
    tensor.yield %x : f32
  }) : (tensor<4xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @parent(%t: tensor<4xf32>, %s: tensor<1xf32>) {
  // expected-error@+1 {{expected ParallelCombiningOpInterface parent, got: func.func}}
  tensor.parallel_insert_slice %s into %t[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return
}

// -----

func.func @count(%t: tensor<4611686018427387904x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op has more elements than fit 64 bits}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4611686018427387904x4xf32> into tensor<?xf32>
  return
}

// -----

func.func @tile(%t: tensor<16xf32>, %d: tensor<2x16xf32>) {
  // expected-error@+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
  %0 = tensor.pack %t inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<16xf32> -> tensor<2x16xf32>
  return
}
