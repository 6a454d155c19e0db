// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Named ops, and what stands in their bodies.

#id = affine_map<(d0) -> (d0)>
func.func @yields(%a: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    // expected-error@+1 {{'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
    linalg.yield %x, %x : f32, f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @index(%a: memref<4xindex>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : memref<4xindex>) {
  ^bb0(%x: index):
    // expected-error@+1 {{'linalg.index' op expected dim (1) to be lower than the number of loops (1) of the enclosing LinalgOp}}
    %i = linalg.index 1 : index
    linalg.yield %i : index
  }
  return
}

// -----

func.func @fill(%a: memref<4xf32>) {
  // expected-error@+1 {{expected op with scalar input}}
  linalg.fill ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

func.func @arity(%a: memref<4xf32>) {
  // expected-error@+1 {{'linalg.map' op expects number of operands to match the arity of mapper, but got: 2 and 1}}
  linalg.map ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    (%x: f32) {
      linalg.yield %x : f32
    }
  return
}

// -----

func.func @element(%a: memref<4xf32>) {
  // expected-error@+1 {{'linalg.map' op expected element type of input 'f32' to match bbArg type 'f64'}}
  linalg.map ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
    (%x: f64) {
      %y = arith.truncf %x : f64 to f32
      linalg.yield %y : f32
    }
  return
}

// -----

func.func @shapes(%a: memref<4x4xf32>, %b: memref<5x4xf32>, %c: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op expects all inputs to have the same shapes. Shape at input-index 1 is not equal to the shape at input-index 0.}}
  linalg.reduce ins(%a, %b : memref<4x4xf32>, memref<5x4xf32>) outs(%c, %c : memref<4xf32>, memref<4xf32>) dimensions = [1]
    (%x: f32, %y: f32, %s: f32, %t: f32) {
      linalg.yield %s, %t : f32, f32
    }
  return
}

// -----

func.func @range(%a: memref<4x4xf32>, %c: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op dimensions for reduction should be in the range [0, 1].}}
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%c : memref<4xf32>) dimensions = [2]
    (%x: f32, %s: f32) {
      linalg.yield %s : f32
    }
  return
}

// -----

func.func @arguments(%a: memref<4x4xf32>, %c: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op mismatching number of operands and block arguments}}
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%c : memref<4xf32>) dimensions = [1]
    (%x: f32) {
      linalg.yield %x : f32
    }
  return
}

// -----

func.func @argument(%a: memref<4x4xf32>, %c: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op input element type 'f32' does not match corresponding block argument type 'i32'}}
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%c : memref<4xf32>) dimensions = [1]
    (%x: i32, %s: f32) {
      linalg.yield %s : f32
    }
  return
}

// -----

func.func @permutation(%a: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.transpose' op size of permutation 1 does not match the argument rank 2}}
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [0]
  return
}

// -----

func.func @tiles(%a: tensor<2x3x3x4xf32>, %b: tensor<6x6x4x3xf32>) -> tensor<6x6x4x3xf32> {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op the output shape is not expected}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<2x3x3x4xf32>) outs(%b : tensor<6x6x4x3xf32>) -> tensor<6x6x4x3xf32>
  return %0 : tensor<6x6x4x3xf32>
}

// -----

func.func @width(%a: tensor<2x3x5x4xf32>, %b: tensor<6x6x4x2xf32>) -> tensor<6x6x4x2xf32> {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op expect filter width either equals to r or 1}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<2x3x5x4xf32>) outs(%b : tensor<6x6x4x2xf32>) -> tensor<6x6x4x2xf32>
  return %0 : tensor<6x6x4x2xf32>
}

// -----

func.func @point(%a: tensor<2x1x1x4xf32>, %b: tensor<6x6x4x2xf32>) -> tensor<6x6x4x2xf32> {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op expect either filter height or width equals to r}}
  %0 = linalg.winograd_filter_transform m(4) r(3) ins(%a : tensor<2x1x1x4xf32>) outs(%b : tensor<6x6x4x2xf32>) -> tensor<6x6x4x2xf32>
  return %0 : tensor<6x6x4x2xf32>
}

// -----

func.func @window(%a: tensor<5x6x1x1x2x2xf32>, %b: tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32> {
  // expected-error@+1 {{'linalg.winograd_output_transform' op expect input height equals to input tile size}}
  %0 = linalg.winograd_output_transform m(4) r(3) ins(%a : tensor<5x6x1x1x2x2xf32>) outs(%b : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  return %0 : tensor<2x4x4x2xf32>
}
