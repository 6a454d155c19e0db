// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml --split-input-file --verify-diagnostics %s
// An op is what its access says, so that passes may rely on it.
func.func @rank(%m: memref<4x4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'cells.peek' op has 1 indices into a memref of rank 2}}
  %0 = cells.peek %m at %i : memref<4x4xf32> -> f32
  return %0 : f32
}

// -----

func.func @map_rank(%m: memref<4x4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'cells.peek_through' op has 1 indices into a memref of rank 2}}
  %0 = cells.peek_through %m at %i by affine_map<(d0) -> (d0)> : memref<4x4xf32> -> f32
  return %0 : f32
}

// -----

func.func @map_inputs(%m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'cells.peek_through' op has a map of 2 inputs, but 1 index operands}}
  %0 = cells.peek_through %m at %i by affine_map<(d0, d1) -> (d0)> : memref<4xf32> -> f32
  return %0 : f32
}

// -----

func.func @value(%m: memref<4xf32>, %i: index) -> i32 {
  // expected-error @+1 {{'cells.peek' op moves neither an element of the memref nor a vector}}
  %0 = cells.peek %m at %i : memref<4xf32> -> i32
  return %0 : i32
}

// -----

func.func @memref(%m: f32, %i: index) -> f32 {
  // expected-error @+1 {{'cells.loose' op accesses operand #0, which is no memref or tensor of known rank}}
  %0 = cells.loose %m at %i : f32, index -> f32
  return %0 : f32
}

// -----

func.func @index(%m: memref<4xf32>, %i: i32) -> f32 {
  // expected-error @+1 {{'cells.loose' op index operand #1 must be of type index}}
  %0 = cells.loose %m at %i : memref<4xf32>, i32 -> f32
  return %0 : f32
}
