// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// Lanes that lie outside of vectors and memory.

func.func @f() -> vector<8xi1> {
  %v = arith.constant dense<1> : vector<2xi4>
  // expected-error@+1 {{'vector.bitcast' op casts elements of 4 bits to 1 bits, which the interpreter does not know}}
  %0 = vector.bitcast %v : vector<2xi4> to vector<8xi1>
  return %0 : vector<8xi1>
}

// -----

func.func @f() -> f32 {
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<1.0> : vector<2x4xf32>
  // expected-error@+1 {{'vector.extract' op accesses element 4 of dimension 1, which has 4}}
  %0 = vector.extract %v[0, %c4] : f32 from vector<2x4xf32>
  return %0 : f32
}

// -----

func.func @f() -> vector<4xf32> {
  %c4 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %v = arith.constant dense<1.0> : vector<4xf32>
  // expected-error@+1 {{'vector.insertelement' op accesses element -1 of 4}}
  %0 = vector.insertelement %x, %v[%c4 : index] : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8x4xf32>
  %w = memref.subview %m[%c1, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %i = memref.cast %w : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<4x4xf32>
  // expected-error@+1 {{'vector.type_cast' op casts a window that does not start its buffer}}
  %0 = vector.type_cast %i : memref<4x4xf32> to memref<vector<4x4xf32>>
  return
}

// -----

func.func @f() -> vector<4xf32> {
  %c6 = arith.constant 6 : index
  %v = arith.constant dense<0> : vector<4xi32>
  %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %on = arith.constant dense<true> : vector<4xi1>
  %pass = arith.constant dense<0.0> : vector<4xf32>
  %t = arith.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{'vector.gather' op accesses element 8 of dimension 0, which has 8}}
  %0 = vector.gather %t[%c6] [%lanes], %on, %pass : tensor<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f() -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<f32>
  %on = arith.constant dense<true> : vector<2xi1>
  %pass = arith.constant dense<0.0> : vector<2xf32>
  // expected-error@+1 {{'vector.maskedload' op has lanes, but memory without a dimension for them}}
  %0 = vector.maskedload %m[], %on, %pass : memref<f32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}

// -----

func.func @f() -> vector<2xf32> {
  %m = memref.alloc() : memref<f32>
  %lanes = arith.constant dense<[0, 1]> : vector<2xi32>
  %on = arith.constant dense<true> : vector<2xi1>
  %pass = arith.constant dense<0.0> : vector<2xf32>
  // expected-error@+1 {{'vector.gather' op has lanes, but memory without a dimension for them}}
  %0 = vector.gather %m[] [%lanes], %on, %pass : memref<f32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}

// -----

func.func @f() -> vector<2x4xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xvector<4xf32>>
  %pad = arith.constant dense<0.0> : vector<4xf32>
  // expected-error@+1 {{'vector.transfer_read' op transfers elements that are vectors, which the interpreter does not know}}
  %0 = vector.transfer_read %m[%c0], %pad : memref<8xvector<4xf32>>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

func.func @f() -> vector<4xf32> {
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<8xf32>
  %pad = arith.constant 0.0 : f32
  // expected-error@+1 {{'vector.transfer_read' op accesses element 8 of dimension 0, which has 8, but says in_bounds}}
  %0 = vector.transfer_read %m[%c6], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @f() -> tensor<8xf32> {
  %c1 = arith.constant -1 : index
  %t = arith.constant dense<0.0> : tensor<8x8xf32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  // expected-error@+1 {{'vector.transfer_write' op accesses element -1 of dimension 0, which has 8}}
  %0 = vector.transfer_write %v, %t[%c1, %c1] {in_bounds = [false]} : vector<4xf32>, tensor<8x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
  return %1 : tensor<8xf32>
}
