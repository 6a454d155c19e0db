// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// Buffers and windows that memory cannot have, and shapes that differ only when the function runs.

func.func @f() {
  %n = arith.constant 4 : index
  // expected-error@+1 {{'memref.alloc' op allocates in a layout that the interpreter does not know}}
  %m = memref.alloc()[%n] : memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  return
}

// -----

func.func @f() {
  %n = arith.constant -1 : index
  // expected-error@+1 {{'memref.alloc' op has size -1 in dimension 0}}
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @f() {
  %n = arith.constant 4294967296 : index
  // expected-error@+1 {{'memref.alloc' op needs more bytes for 'memref<?x?xf32>' than can be counted}}
  %m = memref.alloc(%n, %n) : memref<?x?xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'memref.alloc' op needs more bytes for 'memref<4xf32, strided<[4611686018427387904]>>' than can be counted}}
  %m = memref.alloc() : memref<4xf32, strided<[4611686018427387904]>>
  return
}

// -----

// expected-error@+1 {{'memref.global' op has an initial value that cannot be evaluated}}
memref.global constant @text : memref<2xf32> = dense_resource<missing>
func.func @f() {
  %m = memref.get_global @text : memref<2xf32>
  return
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%c2) : memref<?xf32>
  %b = memref.alloc(%c3) : memref<?xf32>
  // expected-error@+1 {{'memref.copy' op copies between memrefs of different shapes}}
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @f() -> index {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<4xf32>
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  // expected-error@+1 {{'memref.dim' op asks for dimension 2 of 1}}
  %d = memref.dim %u, %c2 : memref<*xf32>
  return %d : index
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 4611686018427387904 : index
  %m = memref.alloc() : memref<16xi8>
  // expected-error@+1 {{'memref.view' op has more bytes than can be counted}}
  %v = memref.view %m[%c0][%n] : memref<16xi8> to memref<?xf32>
  return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %n = arith.constant -4 : index
  %m = memref.alloc() : memref<16xi8>
  // expected-error@+1 {{'memref.view' op has size -4 in dimension 0}}
  %v = memref.view %m[%c0][%n] : memref<16xi8> to memref<?xf32>
  return
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8x4xf32>
  %w = memref.subview %m[0, 0] [%c2, %c2] [1, 1] : memref<8x4xf32> to memref<?x?xf32, strided<[4, 1]>>
  %p = memref.cast %w : memref<?x?xf32, strided<[4, 1]>> to memref<?x?xf32, strided<[?, ?]>>
  %r = memref.cast %p : memref<?x?xf32, strided<[?, ?]>> to memref<?x?xf32>
  // expected-error@+1 {{'memref.collapse_shape' op collapses dimensions that do not lie behind each other}}
  %c = memref.collapse_shape %r [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  return
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %big = arith.constant 4611686018427387904 : index
  %m = memref.alloc() : memref<8xf32>
  // expected-error@+1 {{'memref.subview' op reaches from 0 to 9223372036854775806 in dimension 0, which has 8 elements}}
  %w = memref.subview %m[0] [%big] [%c2] : memref<8xf32> to memref<?xf32, strided<[?]>>
  return
}

// -----

func.func @f() -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %big = arith.constant 4611686018427387904 : index
  %t = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{'tensor.extract_slice' op reaches from 0 to 9223372036854775807 in dimension 0, which has 8 elements}}
  %w = tensor.extract_slice %t[0] [%c4] [%big] : tensor<8xf32> to tensor<?xf32>
  return %w : tensor<?xf32>
}

// -----

func.func @f() -> index {
  %c2 = arith.constant 2 : index
  %t = arith.constant dense<1.0> : tensor<8xf32>
  %u = tensor.cast %t : tensor<8xf32> to tensor<*xf32>
  // expected-error@+1 {{'tensor.dim' op asks for dimension 2 of 1}}
  %d = tensor.dim %u, %c2 : tensor<*xf32>
  return %d : index
}

// -----

func.func @f() -> f32 {
  %c8 = arith.constant 8 : index
  %t = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{'tensor.extract' op accesses element 8 of dimension 0, which has 8}}
  %x = tensor.extract %t[%c8] : tensor<8xf32>
  return %x : f32
}

// -----

func.func @f() -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %t = arith.constant dense<1.0> : tensor<8xf32>
  %s = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{'tensor.insert_slice' op inserts 3 elements where 2 are expected}}
  %x = tensor.insert_slice %s into %t[0] [%c2] [1] : tensor<?xf32> into tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = tensor.empty(%c3) : tensor<?xf32>
  %m = memref.alloc(%c2) : memref<?xf32>
  // expected-error@+1 {{'bufferization.materialize_in_destination' op puts 3 elements where there are 2}}
  bufferization.materialize_in_destination %s in writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
