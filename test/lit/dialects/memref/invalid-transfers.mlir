// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Transfers, globals and reassociations.

func.func @indices(%m: memref<4xf32>, %t: memref<1xi32>, %x: i32, %n: index) {
  // expected-error@+1 {{'memref.dma_start' op expected source indices to be of index type}}
  "memref.dma_start"(%m, %x, %m, %n, %n, %t, %n) : (memref<4xf32>, i32, memref<4xf32>, index, index, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @few(%m: memref<f32>) {
  // expected-error@+1 {{'memref.dma_start' op expected at least 4 operands}}
  "memref.dma_start"(%m, %m, %m) : (memref<f32>, memref<f32>, memref<f32>) -> ()
  return
}

// -----

func.func @elements(%m: memref<4xf32>, %t: memref<1xi32>, %x: i32, %n: index) {
  // expected-error@+1 {{'memref.dma_start' op expected num elements to be of index type}}
  "memref.dma_start"(%m, %n, %m, %n, %x, %t, %n) : (memref<4xf32>, index, memref<4xf32>, index, i32, memref<1xi32>, index) -> ()
  return
}

// -----

func.func @stride(%m: memref<4xf32>, %t: memref<1xi32>, %x: i32, %n: index) {
  // expected-error@+1 {{'memref.dma_start' op expected stride and num elements per stride to be of type index}}
  "memref.dma_start"(%m, %n, %m, %n, %n, %t, %n, %n, %x) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<1xi32>, index, index, i32) -> ()
  return
}

// -----

func.func @types(%m: memref<4xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error@+1 {{custom op 'memref.dma_start' fewer/more types expected}}
  memref.dma_start %m[%n], %m[%n], %n, %t[%n] : memref<4xf32>, memref<4xf32>
  return
}

// -----

// expected-error@+1 {{'memref.global' op initial value should be a unit or elements attribute, but got 1.000000e+00 : f32}}
"memref.global"() <{initial_value = 1.0 : f32, sym_name = "value", type = memref<4xf32>}> : () -> ()

// -----

func.func @group(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op reassociation index 2 is out of bounds}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 2, 2>}> : (memref<4xf32>) -> memref<2x2xf32>
  return
}

// -----

func.func @count(%m: memref<4611686018427387904x4xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op has more elements than fit 64 bits}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4611686018427387904x4xf32> into memref<?xf32>
  return
}

// -----

func.func @left(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op expanded rank (2) inconsistent with number of reassociation indices (1)}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0]], static_output_shape = array<i64: 4, 1>}> : (memref<4xf32>) -> memref<4x1xf32>
  return
}

// -----

func.func @larger(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op has source rank 1 and result rank 2. This is not a collapse (1 < 2).}}
  %0 = memref.collapse_shape %m [[0]] : memref<4xf32> into memref<2x2xf32>
  return
}
