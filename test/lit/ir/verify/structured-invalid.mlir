// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Structured ops whose maps, sizes or bodies do not fit their operands.
#id = affine_map<(d0) -> (d0)>
func.func @mixed(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected to have pure tensor or buffer semantics}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

#symbol = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @symbols(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op unexpected symbols in indexing_map #0}}
  linalg.generic {indexing_maps = [#symbol], iterator_types = ["parallel"]} outs(%m : memref<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

#two = affine_map<(d0, d1) -> (d0)>
func.func @loops(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  linalg.generic {indexing_maps = [#two], iterator_types = ["parallel"]} outs(%m : memref<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

#less = affine_map<(d0) -> (d0 - 1)>
#id = affine_map<(d0) -> (d0)>
func.func @negative(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op unexpected result less than 0 at expression #0 in (d0) -> (d0 - 1)}}
  linalg.generic {indexing_maps = [#less, #id], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

#more = affine_map<(d0) -> (d0 + 1)>
#id = affine_map<(d0) -> (d0)>
func.func @beyond(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 5, but found 4}}
  linalg.generic {indexing_maps = [#more, #id], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

#first = affine_map<(d0, d1) -> (d0)>
func.func @size(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected the shape-to-loops map to be non-null}}
  linalg.generic {indexing_maps = [#first], iterator_types = ["parallel", "parallel"]} outs(%m : memref<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  func.return
}

// -----

func.func @body(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expects to have 1 region with 1 block}}
  "linalg.generic"(%m) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
  }) : (memref<4xf32>) -> ()
  func.return
}

// -----

func.func @arguments(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands}}
  "linalg.generic"(%m) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }) : (memref<4xf32>) -> ()
  func.return
}

// -----

func.func @argument(%m: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected type of bb argument #0 ('i32') to match element or self type of the corresponding operand ('f32')}}
  "linalg.generic"(%m, %m) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: i32, %b: f32):
    linalg.yield %b : f32
  }) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// -----

func.func @count(%m: memref<4x4xf32>) {
  linalg.matmul ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>)
  // expected-error@+1 {{custom op 'linalg.matmul' [parseNamedStructuredOpRegion] ods-gen generated region expects 3 args, got 2}}
  func.return
}
